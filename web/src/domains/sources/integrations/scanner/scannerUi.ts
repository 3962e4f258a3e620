import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { IntegrationUi } from '../integrationUis.ts';
import { ScannerAction } from './ScannerAction.tsx';
import { ScannerProgress } from './ScannerProgress.tsx';

/** How a scanner is connected in the browser; its form is data of the contract. */
export const scannerUi = (scanner: ScannerName): IntegrationUi => ({
  name: scanner,
  Action: ScannerAction,
  loadSetup: async () => (await import('./ScannerSetup.tsx')).ScannerSetup,
  Progress: ScannerProgress,
});
