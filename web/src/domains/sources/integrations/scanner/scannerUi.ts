import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { IntegrationUi } from '../integrationUis.ts';
import { loadedSetup } from '../loadedSetup.tsx';
import { ScannerAction } from './ScannerAction.tsx';
import { ScannerProgress } from './ScannerProgress.tsx';

const Setup = loadedSetup(async () => (await import('./ScannerSetup.tsx')).ScannerSetup);

/** How a scanner is connected in the browser; its form is data of the contract. */
export const scannerUi = (scanner: ScannerName): IntegrationUi => ({
  name: scanner,
  Action: ScannerAction,
  Setup,
  Progress: ScannerProgress,
});
