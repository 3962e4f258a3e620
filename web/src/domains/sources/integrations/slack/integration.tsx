import { SlackAction } from '../chat/SlackAction.tsx';
import type { IntegrationUi } from '../integrationUis.ts';
import { loadedSetup } from '../loadedSetup.tsx';

export const integration: IntegrationUi = {
  name: 'slack',
  Action: SlackAction,
  Setup: loadedSetup(async () => (await import('../chat/SlackSetup.tsx')).SlackSetup),
};
