import type { IntegrationUi } from '../integrationUis.ts';
import { loadedSetup } from '../loadedSetup.tsx';
import { DirectoryAction } from './DirectoryAction.tsx';

export const integration: IntegrationUi = {
  name: 'directory',
  Action: DirectoryAction,
  Setup: loadedSetup(async () => (await import('./DirectorySetup.tsx')).DirectorySetup),
};
