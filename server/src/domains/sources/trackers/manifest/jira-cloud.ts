import { trackerCard } from '../card.ts';

export const manifest = trackerCard('jira-cloud');
