import type { IntegrationUi } from '../integrationUis.ts';
import { GithubAction } from './GithubAction.tsx';
import { GithubSetup } from './GithubSetup.tsx';

export const integration: IntegrationUi = { name: 'github', Action: GithubAction, Setup: GithubSetup };
