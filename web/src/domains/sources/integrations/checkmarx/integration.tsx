import type { IntegrationUi } from '../integrationUis.ts';
import { CheckmarxAction } from './CheckmarxAction.tsx';
import { CheckmarxProgress } from './CheckmarxProgress.tsx';
import { CheckmarxSetup } from './CheckmarxSetup.tsx';

export const integration: IntegrationUi = {
  name: 'checkmarx',
  Action: CheckmarxAction,
  Setup: CheckmarxSetup,
  Progress: CheckmarxProgress,
};
