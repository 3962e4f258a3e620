import { disconnectCheckmarx } from '@sightline/contract/sources/integrations.ts';
import { call } from '#lib/api.ts';
import { ConfirmDisconnect } from '../ConfirmDisconnect.tsx';

/** Confirms that the key of the scanner is deleted, and lists what remains. */
export const DisconnectDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <ConfirmDisconnect
    opened={opened}
    onClose={onClose}
    name="Checkmarx One"
    disconnect={() => call(disconnectCheckmarx, {})}
    kept="Its findings are kept."
  >
    <p>
      The API key is deleted and no new results are imported. Vulnerabilities, their history and decisions are kept. To
      connect again, you need a key.
    </p>
  </ConfirmDisconnect>
);
