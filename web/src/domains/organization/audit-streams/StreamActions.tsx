import { Menu } from '@mantine/core';
import {
  type AuditStream,
  auditStreamFailures,
  deleteAuditStream,
  rotateAuditStreamSecret,
  testAuditStream,
  updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import { IconKey, IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { SigningSecret } from '#ui/SigningSecret.tsx';
import { toast } from '#ui/toast.ts';
import { type AuditStreamForm, changeOf } from './draft.ts';
import { StreamDialog } from './StreamDialog.tsx';
import { useChange } from './useChange.ts';

const size = { size: 15, 'aria-hidden': true } as const;

/** What owners do with one destination. */
export function StreamActions({ stream }: { stream: AuditStream }) {
  const isLocked = useManageIntegrationsRefusal() !== undefined;
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete'>();
  const close = () => setDialog(undefined);
  const { name, state } = stream;
  const params = { streamId: stream.id };
  const test = useChange(
    () => call(testAuditStream, { params }),
    ({ failure }) =>
      failure === null
        ? toast.success(`${name} accepted the test event.`)
        : toast.error(`The test event was not delivered. ${auditStreamFailures[failure]}`),
  );
  const toggle = useChange(
    (enabled: boolean) => call(updateAuditStream, { params, body: { enabled } }),
    (_, enabled) => toast.success(enabled ? `${name} is resumed.` : `${name} is paused. New entries are queued.`),
  );
  const save = useChange(
    (draft: AuditStreamForm) => call(updateAuditStream, { params, body: changeOf(draft) }),
    close,
    {
      quiet: true,
    },
  );
  const rotate = useChange(() => call(rotateAuditStreamSecret, { params }), close);
  const remove = useChange(
    () => call(deleteAuditStream, { params }),
    () => toast.success(`${name} is deleted.`),
  );
  const toggleItem =
    state === 'paused' ? (
      <Menu.Item leftSection={<IconPlayerPlay {...size} />} disabled={isLocked} onClick={() => toggle.mutate(true)}>
        Resume
      </Menu.Item>
    ) : (
      <Menu.Item leftSection={<IconPlayerPause {...size} />} disabled={isLocked} onClick={() => toggle.mutate(false)}>
        Pause
      </Menu.Item>
    );
  return (
    <>
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item leftSection={<IconSend {...size} />} disabled={isLocked} onClick={() => test.mutate(undefined)}>
          Send test event
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPencil {...size} />}
          disabled={isLocked}
          onClick={() => {
            save.reset();
            setDialog('edit');
          }}
        >
          Edit
        </Menu.Item>
        {stream.kind === 'https' && (
          <Menu.Item leftSection={<IconKey {...size} />} disabled={isLocked} onClick={() => setDialog('rotate')}>
            Rotate secret
          </Menu.Item>
        )}
        {toggleItem}
        <Menu.Item
          color="red"
          leftSection={<IconTrash {...size} />}
          disabled={isLocked}
          onClick={() => setDialog('delete')}
        >
          Delete
        </Menu.Item>
      </RowMenu>
      {dialog === 'edit' && <StreamDialog stream={stream} save={save} onClose={close} />}
      <ConfirmDialog
        opened={dialog === 'rotate'}
        onClose={close}
        title={`Rotate the secret of ${name}?`}
        confirm="Rotate"
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined)}
      >
        A new secret is created and shown once. The current one also signs for 24 hours.
      </ConfirmDialog>
      {rotate.data && (
        <SigningSecret
          title="The secret is rotated"
          secret={rotate.data.secret}
          signs="a request"
          note="For 24 hours both secrets sign."
          helpHref={docsHref('outgoing-webhooks', 'verify-the-signature')}
          onClose={rotate.reset}
        />
      )}
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={close}
        title={`Delete ${name}?`}
        confirm="Delete"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        {stream.behind > 0
          ? 'Pending entries will not be delivered. Delivered entries stay at the destination.'
          : 'New entries will not be delivered. Delivered entries stay at the destination.'}
      </ConfirmDialog>
    </>
  );
}
