import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ScannerName, scannerName } from '@sightline/contract/core/scan-sources.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import s from '../Integrations.module.css';
import { useSetupOpen } from '../setupAddress.ts';
import { DisconnectDialog } from './DisconnectDialog.tsx';

/** spec 2.7: shown to other roles than owners. */
export const ownersOnlyText = (scanner: ScannerName): string =>
  `Only account owner can connect to/disconnect from ${scannerForms[scanner].shortTitle}`;

/** spec 2.7: an active connection offers Disconnect, every other status offers the setup with a key. */
export function ScannerAction({ integration }: { integration: Integration }) {
  const scanner = scannerName.parse(integration.name);
  const reason = useManageIntegrationsRefusal(ownersOnlyText(scanner));
  const [, setOpen] = useSetupOpen(scanner);
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
          {active ? 'Disconnect' : setupText(scanner)}
          <span className="vh"> {integration.title}</span>
        </UnstyledButton>
      </DisabledReason>
      <DisconnectDialog scanner={scanner} opened={asking} onClose={close} />
    </>
  );
}

/** 'Setup with an API key', 'Setup with a token'. */
export const setupText = (scanner: ScannerName): string => {
  const { label } = scannerForms[scanner].apiKey;
  return /^[AEIOU]/.test(label) ? `Setup with an ${label}` : `Setup with a ${label.toLowerCase()}`;
};
