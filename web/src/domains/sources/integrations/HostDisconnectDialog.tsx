import { providerNames } from '@sightline/contract/core/providers.ts';
import { type ConnectableHost, disconnectHost } from '@sightline/contract/sources/host-connections.ts';
import { call } from '#lib/api.ts';
import { ConfirmDisconnect } from './ConfirmDisconnect.tsx';
import { hostTermsOf } from './hostTerms.ts';

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
    kept="Imported data is kept."
  >
    <p>
      {hostTermsOf(host).isPolled ? 'The token is' : 'The webhooks and the token are'} deleted, and no new data is
      imported. Imported data is kept, and the import continues from there after you connect again.
    </p>
  </ConfirmDisconnect>
);
