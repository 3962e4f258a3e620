import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import s from '../Integrations.module.css';
import { useSetupOpen } from '../setupAddress.ts';
import { DisconnectDialog } from './DisconnectDialog.tsx';

export const directoryOwnersOnlyText = 'Only an Account Owner can connect or disconnect the directory';

/** Connects the directory, or disconnects it. */
export function DirectoryAction({ integration }: { integration: Integration }) {
  const reason = useManageIntegrationsRefusal(directoryOwnersOnlyText);
  const [, setOpen] = useSetupOpen('directory');
  const [asking, { open, close }] = useDisclosure(false);
  const isConnected = integration.status !== 'inactive';
  return (
    <>
      <DisabledReason reason={reason}>
        <UnstyledButton
          className={s.action ?? ''}
          disabled={reason !== undefined}
          onClick={isConnected ? open : () => setOpen(true)}
        >
          {isConnected ? 'Disconnect' : 'Connect'}
          <span className="vh"> {integration.title}</span>
        </UnstyledButton>
      </DisabledReason>
      <DisconnectDialog opened={asking} onClose={close} />
    </>
  );
}
