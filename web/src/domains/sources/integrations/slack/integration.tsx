import { SlackAction } from '../chat/SlackAction.tsx';
import { SlackSetup } from '../chat/SlackSetup.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = { name: 'slack', Action: SlackAction, Setup: SlackSetup };
