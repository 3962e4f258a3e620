import { TeamsAction } from '../chat/TeamsAction.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

/** Channels are added on its page: there is no connection to set up before. */
export const integration: IntegrationUi = { name: 'teams', Action: TeamsAction };
