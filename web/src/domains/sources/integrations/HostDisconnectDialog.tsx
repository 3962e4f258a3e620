import { providerNames } from '@sightline/contract/core/providers.ts';
import { type ConnectableHost, disconnectHost } from '@sightline/contract/sources/host-connections.ts';
import { call } from '#lib/api.ts';
import { ConfirmDisconnect } from './Disconnecting.tsx';
import { refreshHost } from './refresh.ts';

interface HostDisconnectDialogProps {
  host: ConnectableHost;
  opened: boolean;
  onClose: () => void;
}

/** Confirms that a token is deleted, and lists what remains. */
export const HostDisconnectDialog = ({ host, opened, onClose }: HostDisconnectDialogProps) => (
  <ConfirmDisconnect
    opened={opened}
    onClose={onClose}
    name={providerNames[host]}
    disconnect={() => call(disconnectHost, { params: { provider: host } })}
    refresh={refreshHost}
    kept="Imported data is kept."
  >
    <p>
      The webhooks and the token are deleted, and no new data is imported. Imported data is kept, and the import
      continues from there after you connect again.
    </p>
  </ConfirmDisconnect>
);
