import type { IntegrationUi } from '../integrationUis.ts';
import { TrackerAction } from '../TrackerAction.tsx';
import { TrackerSetup } from '../TrackerSetup.tsx';

const JiraCloudSetup = () => <TrackerSetup tracker="jira-cloud" />;

export const integration: IntegrationUi = { name: 'jira-cloud', Action: TrackerAction, Setup: JiraCloudSetup };
