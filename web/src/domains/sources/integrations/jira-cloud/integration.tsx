import { trackerUi } from '../trackerUi.tsx';

export const integration = trackerUi('jira-cloud');
