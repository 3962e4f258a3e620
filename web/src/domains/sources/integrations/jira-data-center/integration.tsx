import type { IntegrationUi } from '../integrationUis.ts';
import { TrackerAction } from '../TrackerAction.tsx';
import { TrackerSetup } from '../TrackerSetup.tsx';

const JiraDataCenterSetup = () => <TrackerSetup tracker="jira-data-center" />;

export const integration: IntegrationUi = {
  name: 'jira-data-center',
  Action: TrackerAction,
  Setup: JiraDataCenterSetup,
};
