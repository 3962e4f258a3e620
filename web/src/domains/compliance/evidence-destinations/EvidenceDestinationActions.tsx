import { Button, Menu } from '@mantine/core';
import {
  deleteEvidenceDestination,
  type EvidenceDestination,
  testEvidenceDestination,
  updateEvidenceDestination,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import {
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlugConnected,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { destinationsPath } from '#lib/evidence-destination-href.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { draftOf, type EvidenceDestinationDraft } from './draft.ts';
import { EvidenceDestinationDialog } from './EvidenceDestinationDialog.tsx';
import { SendDialog } from './SendDialog.tsx';

const size = { size: 15, 'aria-hidden': true } as const;

/** The actions on a destination for members who manage evidence. */
export function EvidenceDestinationActions({ destination }: { destination: EvidenceDestination }) {
  const makes = hasPermission(useSession(), 'create:evidence');
  const [asking, setAsking] = useState<'send' | 'change' | 'remove'>();
  const navigate = useNavigate();
  const close = () => setAsking(undefined);
  const params = { destinationId: destination.id };
  const test = useChange(
    () => call(testEvidenceDestination, { params }),
    ({ result, message }) => (result === 'refused' ? toast.error(message) : toast.success(message)),
  );
  const toggle = useChange(
    (enabled: boolean) => call(updateEvidenceDestination, { params, body: { enabled } }),
    (_, enabled) => toast.success(`${destination.name} is ${enabled ? 'enabled' : 'disabled'}.`),
  );
  const save = useChange(
    ({ name, settings, secret }: EvidenceDestinationDraft) =>
      call(updateEvidenceDestination, {
        params,
        body: { name, settings, ...(secret !== undefined && secret !== '' && { secret }) },
      }),
    () => {
      toast.success('The destination is saved.');
      close();
    },
    { quiet: true },
  );
  const remove = useChange(
    () => call(deleteEvidenceDestination, { params }),
    () => {
      toast.success(`${destination.name} is removed.`);
      navigate(destinationsPath);
    },
  );
  if (!makes) return null;
  const on = destination.state !== 'off';
  return (
    <>
      {on ? (
        <>
          <Button
            variant="default"
            leftSection={<IconPlugConnected {...size} />}
            loading={test.isPending}
            onClick={() => test.mutate(undefined)}
          >
            Test
          </Button>
          <Button leftSection={<IconSend {...size} />} onClick={() => setAsking('send')}>
            Send a snapshot
          </Button>
        </>
      ) : (
        <Button
          leftSection={<IconPlayerPlay {...size} />}
          loading={toggle.isPending}
          onClick={() => toggle.mutate(true)}
        >
          Enable
        </Button>
      )}
      <RowMenu label={`Actions for ${destination.name}`}>
        <Menu.Item
          leftSection={<IconPencil {...size} />}
          onClick={() => {
            save.reset();
            setAsking('change');
          }}
        >
          Edit
        </Menu.Item>
        {on && (
          <Menu.Item leftSection={<IconPlayerStop {...size} />} onClick={() => toggle.mutate(false)}>
            Disable
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash {...size} />} onClick={() => setAsking('remove')}>
          Remove
        </Menu.Item>
      </RowMenu>
      {asking === 'send' && <SendDialog destination={destination} onClose={close} />}
      {asking === 'change' && (
        <EvidenceDestinationDialog
          title={`Change ${destination.name}`}
          submit="Save"
          now={draftOf(destination)}
          save={save}
          onClose={close}
        />
      )}
      <ConfirmDialog
        opened={asking === 'remove'}
        onClose={close}
        title={`Remove ${destination.name}?`}
        confirm="Remove"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        Its deliveries are removed too, including pending ones. Sent items stay at the destination and in the audit log.
      </ConfirmDialog>
    </>
  );
}
