import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { useNavigate } from '#ui/Link.tsx';
import s from '../Integrations.module.css';
import { DisconnectChat } from './DisconnectChat.tsx';
import { chatOwnersOnlyText, chatPath } from './states.ts';

/** Opens the page that adds channels, or disconnects all of them. */
export function TeamsAction({ integration }: { integration: Integration }) {
  const reason = useManageIntegrationsRefusal(chatOwnersOnlyText);
  const navigate = useNavigate();
  const [asking, { open, close }] = useDisclosure(false);
  const isConnected = integration.status !== 'inactive';
  return (
    <>
      <DisabledReason reason={reason}>
        <UnstyledButton
          className={s.action ?? ''}
          disabled={reason !== undefined}
          onClick={isConnected ? open : () => navigate(chatPath('teams'))}
        >
          {isConnected ? 'Disconnect' : 'Add a channel'}
          <span className="vh"> Microsoft Teams</span>
        </UnstyledButton>
      </DisabledReason>
      <DisconnectChat service="teams" opened={asking} onClose={close} />
    </>
  );
}
