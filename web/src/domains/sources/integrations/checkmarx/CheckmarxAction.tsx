import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import s from '../Integrations.module.css';
import { useSetupOpen } from '../setupAddress.ts';
import { DisconnectDialog } from './DisconnectDialog.tsx';

/** spec 2.7: shown to other roles than owners. */
export const checkmarxOwnersOnlyText = 'Only account owner can connect to/disconnect from Checkmarx';

/** spec 2.7: an active connection offers Disconnect, every other status offers the setup with a key. */
export function CheckmarxAction({ integration }: { integration: Integration }) {
  const reason = useManageIntegrationsRefusal(checkmarxOwnersOnlyText);
  const [, setOpen] = useSetupOpen('checkmarx');
  const [asking, { open, close }] = useDisclosure(false);
  const active = integration.status === 'active';
  return (
    <>
      <DisabledReason reason={reason}>
        <UnstyledButton
          className={s.action ?? ''}
          disabled={reason !== undefined}
          onClick={active ? open : () => setOpen(true)}
        >
          {active ? 'Disconnect' : 'Setup with an API key'}
          <span className="vh"> {integration.title}</span>
        </UnstyledButton>
      </DisabledReason>
      <DisconnectDialog opened={asking} onClose={close} />
    </>
  );
}
