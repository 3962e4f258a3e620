import { Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { disconnectTracker, syncTracker, type TrackerName, testTracker } from '@sightline/contract/sources/trackers.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { ConfirmDisconnect } from './ConfirmDisconnect.tsx';
import s from './Integrations.module.css';
import { useSetupOpen } from './setupAddress.ts';

const ownersOnlyText = 'Only Account Owners connect and disconnect issue trackers';

/** Opens the form; tests, reads and disconnects a connected tracker. */
export function TrackerAction({ integration: { name, status, title } }: { integration: Integration }) {
  const tracker = name as TrackerName;
  const reason = useManageIntegrationsRefusal(ownersOnlyText);
  const [, setOpen] = useSetupOpen(tracker);
  const [asking, { open, close }] = useDisclosure(false);
  const isConnected = status !== 'inactive';
  const sync = useChange(
    () => call(syncTracker, { params: { tracker } }),
    () => toast.success(`The tickets of ${title} are being read.`),
    { failed: 'The sync could not be started.' },
  );
  const test = useChange(
    () => call(testTracker, { params: { tracker }, body: {} }),
    ({ ok, problem }) => {
      if (ok) toast.success('Connection succeeded.');
      else toast.error(problem?.message ?? `${title} gave no reason.`, 'Connection failed');
    },
    { failed: 'The connection could not be tested.' },
  );
  return (
    <>
      {isConnected && reason === undefined ? (
        <RowMenu label={`Actions for ${title}`}>
          <Menu.Item onClick={() => test.mutate()}>Test connection</Menu.Item>
          <Menu.Item onClick={() => sync.mutate()}>Sync now</Menu.Item>
          <Menu.Item onClick={() => setOpen(true)}>Change</Menu.Item>
          <Menu.Item onClick={open}>Disconnect</Menu.Item>
        </RowMenu>
      ) : (
        <DisabledReason reason={reason}>
          <UnstyledButton className={s.action ?? ''} disabled={reason !== undefined} onClick={() => setOpen(true)}>
            {isConnected ? 'Disconnect' : 'Connect'}
            <span className="vh"> {title}</span>
          </UnstyledButton>
        </DisabledReason>
      )}
      <ConfirmDisconnect
        opened={asking}
        onClose={close}
        name={title}
        disconnect={() => call(disconnectTracker, { params: { tracker } })}
        kept="Recorded tickets are kept."
      >
        <p>
          The token is deleted. Tickets are no longer read, created or closed. What changes recorded about their tickets
          is kept.
        </p>
      </ConfirmDisconnect>
    </>
  );
}
