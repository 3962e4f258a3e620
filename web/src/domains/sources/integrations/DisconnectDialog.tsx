import { disconnectCheckmarx } from '@sightline/contract/sources/integrations.ts';
import { call } from '#lib/api.ts';
import { Disconnecting } from './Disconnecting.tsx';
import { refreshScanner } from './refresh.ts';

/** Asks before the key of the scanner is forgotten, and says what stays. */
export const DisconnectDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Disconnecting
    opened={opened}
    onClose={onClose}
    name="Checkmarx One"
    disconnect={() => call(disconnectCheckmarx, {})}
    refresh={refreshScanner}
    kept="What it found is kept."
  >
    <p>
      The API key is forgotten and no new results are read. Vulnerabilities that were found, their history and what was
      decided about them stay. To connect again, you need a key.
    </p>
  </Disconnecting>
);
