import { UnstyledButton } from '@mantine/core';
import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import s from './Integrations.module.css';
import { useSetupOpen } from './setupAddress.ts';

interface HostActionProps {
  host: Provider;
  integration: Integration;
}

/** Connects a code host, or opens its connection. */
export function HostAction({ host, integration: { title, status } }: HostActionProps) {
  const reason = useManageIntegrationsRefusal(`Only account owner can connect to ${title}`);
  const [, setOpen] = useSetupOpen(host);
  return (
    <DisabledReason reason={reason}>
      <UnstyledButton className={s.action ?? ''} disabled={reason !== undefined} onClick={() => setOpen(true)}>
        {status === 'inactive' ? 'Connect' : 'Manage'}
        <span className="vh"> {title}</span>
      </UnstyledButton>
    </DisabledReason>
  );
}
