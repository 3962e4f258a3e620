import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import s from '../Integrations.module.css';
import { useSetupOpen } from '../setupAddress.ts';
import { DisconnectChat } from './DisconnectChat.tsx';
import { chatOwnersOnlyText } from './states.ts';

/** Connects Slack. An active connection offers Disconnect, a rejected one another token. */
export function SlackAction({ integration }: { integration: Integration }) {
  const reason = useManageIntegrationsRefusal(chatOwnersOnlyText);
  const [, setOpen] = useSetupOpen('slack');
  const [asking, { open, close }] = useDisclosure(false);
  const labels = { active: 'Disconnect', inactive: 'Connect', error: 'Change token' };
  return (
    <>
      <DisabledReason reason={reason}>
        <UnstyledButton
          className={s.action ?? ''}
          disabled={reason !== undefined}
          onClick={integration.status === 'active' ? open : () => setOpen(true)}
        >
          {labels[integration.status]}
          <span className="vh"> Slack</span>
        </UnstyledButton>
      </DisabledReason>
      <DisconnectChat service="slack" opened={asking} onClose={close} />
    </>
  );
}
