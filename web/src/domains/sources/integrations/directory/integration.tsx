import type { IntegrationUi } from '../integrationUis.ts';
import { DirectoryAction } from './DirectoryAction.tsx';

export const integration: IntegrationUi = {
  name: 'directory',
  Action: DirectoryAction,
  loadSetup: async () => (await import('./DirectorySetup.tsx')).DirectorySetup,
};
