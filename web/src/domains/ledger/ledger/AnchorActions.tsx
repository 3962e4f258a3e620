import { Menu } from '@mantine/core';
import { type Anchor, deleteAnchor, publishCheckpoint, updateAnchor } from '@sightline/contract/ledger/anchors.ts';
import {
  IconHistory,
  IconMailQuestion,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { AnchorAddresses } from './AnchorAddresses.tsx';
import { AnchorChange } from './AnchorChange.tsx';
import { AnchorAttemptsDialog } from './Attempts.tsx';
import { useChange } from './useLedger.ts';

const size = { size: 15, 'aria-hidden': true } as const;

/** What owners do with one anchor. */
export function AnchorActions({ anchor }: { anchor: Anchor }) {
  const isLocked = useManageIntegrationsRefusal() !== undefined;
  const [asking, setAsking] = useState<'addresses' | 'attempts' | 'change' | 'remove'>();
  const close = () => setAsking(undefined);
  const params = { anchorId: anchor.id };
  const leave = useChange(
    () => call(publishCheckpoint, { params }),
    () => toast.success(`Publication of a checkpoint to ${anchor.party} started.`),
  );
  const toggle = useChange(
    (enabled: boolean) => call(updateAnchor, { params, body: { enabled } }),
    (_, enabled) => toast.success(enabled ? `${anchor.party} is enabled.` : `${anchor.party} is disabled.`),
  );
  const remove = useChange(
    () => call(deleteAnchor, { params }),
    () => toast.success(`${anchor.party} is removed. Published checkpoints stay on record.`),
  );
  return (
    <>
      <RowMenu label={`Actions for ${anchor.party}`}>
        {anchor.state !== 'off' && (
          <Menu.Item leftSection={<IconSend {...size} />} disabled={isLocked} onClick={() => leave.mutate(undefined)}>
            Publish checkpoint
          </Menu.Item>
        )}
        {anchor.unconfirmed.length > 0 && (
          <Menu.Item leftSection={<IconMailQuestion {...size} />} onClick={() => setAsking('addresses')}>
            Unconfirmed addresses
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconHistory {...size} />} onClick={() => setAsking('attempts')}>
          Show attempts
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil {...size} />} disabled={isLocked} onClick={() => setAsking('change')}>
          Edit
        </Menu.Item>
        {anchor.state === 'off' ? (
          <Menu.Item leftSection={<IconPlayerPlay {...size} />} disabled={isLocked} onClick={() => toggle.mutate(true)}>
            Enable
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconPlayerStop {...size} />}
            disabled={isLocked}
            onClick={() => toggle.mutate(false)}
          >
            Disable
          </Menu.Item>
        )}
        <Menu.Item
          color="red"
          leftSection={<IconTrash {...size} />}
          disabled={isLocked}
          onClick={() => setAsking('remove')}
        >
          Remove
        </Menu.Item>
      </RowMenu>
      {asking === 'addresses' && <AnchorAddresses anchor={anchor} onClose={close} />}
      {asking === 'attempts' && <AnchorAttemptsDialog anchor={anchor} onClose={close} />}
      {asking === 'change' && <AnchorChange anchor={anchor} onClose={close} />}
      <ConfirmDialog
        opened={asking === 'remove'}
        onClose={close}
        title={`Remove ${anchor.party}?`}
        confirm="Remove"
        danger
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      >
        No more checkpoints are published there. Published checkpoints and receipts stay on record. Attempts are
        deleted.
      </ConfirmDialog>
    </>
  );
}
