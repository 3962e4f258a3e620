import {
  type ChatServiceName,
  chatServiceTitles,
  disconnectSlack,
  disconnectTeams,
} from '@sightline/contract/delivery/chat.ts';
import { call } from '#lib/api.ts';
import { ConfirmDisconnect } from '../ConfirmDisconnect.tsx';

interface DisconnectChatProps {
  service: ChatServiceName;
  opened: boolean;
  onClose: () => void;
}

/** Confirms that everything stored for a chat service is deleted. */
export const DisconnectChat = ({ service, opened, onClose }: DisconnectChatProps) => (
  <ConfirmDisconnect
    opened={opened}
    onClose={onClose}
    name={chatServiceTitles[service]}
    disconnect={() => (service === 'slack' ? call(disconnectSlack, {}) : call(disconnectTeams, {}))}
    kept="Its channels are removed."
  >
    <p>
      {service === 'slack' ? 'The token' : 'All workflow URLs, also those of members,'} and the selected channels are
      deleted, with messages that are not delivered yet. Notifications stay in the inbox. This cannot be undone.
    </p>
  </ConfirmDisconnect>
);
