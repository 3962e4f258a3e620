import { providerNames } from '@sightline/contract/core/providers.ts';
import { type Connectable, disconnectHost } from '@sightline/contract/sources/host-connections.ts';
import { call } from '#lib/api.ts';
import { Disconnecting } from './Disconnecting.tsx';
import { refreshHost } from './refresh.ts';

interface HostDisconnectDialogProps {
  host: Connectable;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a token is forgotten, and says what stays. */
export const HostDisconnectDialog = ({ host, opened, onClose }: HostDisconnectDialogProps) => (
  <Disconnecting
    opened={opened}
    onClose={onClose}
    name={providerNames[host]}
    disconnect={() => call(disconnectHost, { params: { provider: host } })}
    refresh={refreshHost}
    kept="What was read is kept."
  >
    <p>
      Our webhooks are taken away there, the token is forgotten, and nothing new is read. Commits, pull requests and
      what else was read stay, and go on where they ended once you connect it again.
    </p>
  </Disconnecting>
);
