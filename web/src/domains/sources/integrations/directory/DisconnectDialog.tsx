import { disconnectDirectory } from '@sightline/contract/organization/directory.ts';
import { call } from '#lib/api.ts';
import { ConfirmDisconnect } from '../ConfirmDisconnect.tsx';

/** Confirms that the token, the users and the groups of the directory are deleted, and lists what remains. */
export const DisconnectDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <ConfirmDisconnect
    opened={opened}
    onClose={onClose}
    name="The directory"
    disconnect={() => call(disconnectDirectory, {})}
    kept="Members keep their access."
  >
    <p>
      The token, the users and the groups are deleted here. Members keep their access, and people who leave the
      directory from now on keep it too. The recorded history of the directory is kept.
    </p>
  </ConfirmDisconnect>
);
