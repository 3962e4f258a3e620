import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { disconnectScanner } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { call } from '#lib/api.ts';
import { ConfirmDisconnect } from '../ConfirmDisconnect.tsx';

interface DisconnectDialogProps {
  scanner: ScannerName;
  opened: boolean;
  onClose: () => void;
}

/** Confirms that the key of the scanner is deleted, and lists what remains. */
export const DisconnectDialog = ({ scanner, opened, onClose }: DisconnectDialogProps) => (
  <ConfirmDisconnect
    opened={opened}
    onClose={onClose}
    name={scannerForms[scanner].title}
    disconnect={() => call(disconnectScanner, { params: { scanner } })}
    kept="Its findings are kept."
  >
    <p>
      The {label(scanner)} is deleted and no new results are imported. Vulnerabilities, their history and decisions are
      kept. To connect again, you need a {scannerForms[scanner].apiKey.noun}.
    </p>
  </ConfirmDisconnect>
);

const label = (scanner: ScannerName) => {
  const { label: text, noun } = scannerForms[scanner].apiKey;
  return text.startsWith('API') ? text : noun;
};
