import type { IntegrationUi } from '../integrationUis.ts';
import { TrackerAction } from '../TrackerAction.tsx';
import { TrackerSetup } from '../TrackerSetup.tsx';

const LinearSetup = () => <TrackerSetup tracker="linear" />;

export const integration: IntegrationUi = { name: 'linear', Action: TrackerAction, Setup: LinearSetup };
