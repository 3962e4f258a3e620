import type { IntegrationUi } from '../integrationUis.ts';
import { DirectoryAction } from './DirectoryAction.tsx';
import { DirectorySetup } from './DirectorySetup.tsx';

export const integration: IntegrationUi = { name: 'directory', Action: DirectoryAction, Setup: DirectorySetup };
