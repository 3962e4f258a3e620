import { SlackAction } from '../chat/SlackAction.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = {
  name: 'slack',
  Action: SlackAction,
  loadSetup: async () => (await import('../chat/SlackSetup.tsx')).SlackSetup,
};
