import { Button, Menu } from '@mantine/core';
import {
  deleteExporter,
  type Exporter,
  testExporter,
  updateExporter,
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
import { may, useSession } from '#lib/session.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { toast } from '#ui/toast.ts';
import { draftOf, type ExporterDraft } from './draft.ts';
import { ExporterDialog } from './ExporterDialog.tsx';
import { SendDialog } from './SendDialog.tsx';
import { useChange } from './useChange.ts';
import { exportersPath } from './words.ts';

const size = { size: 15, 'aria-hidden': true } as const;

/** What whoever makes evidence does with one exporter. */
export function ExporterActions({ exporter }: { exporter: Exporter }) {
  const makes = may(useSession(), 'create:evidence');
  const [asking, setAsking] = useState<'send' | 'change' | 'remove'>();
  const navigate = useNavigate();
  const close = () => setAsking(undefined);
  const params = { exporterId: exporter.id };
  const test = useChange(
    () => call(testExporter, { params }),
    ({ result, says }) => (result === 'refused' ? toast.error(says) : toast.success(says)),
  );
  const toggle = useChange(
    (enabled: boolean) => call(updateExporter, { params, body: { enabled } }),
    (_, enabled) => toast.success(`${exporter.name} is ${enabled ? 'enabled' : 'disabled'}.`),
  );
  const save = useChange(
    ({ name, settings, secret }: ExporterDraft) =>
      call(updateExporter, {
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
    () => call(deleteExporter, { params }),
    () => {
      toast.success(`${exporter.name} is removed.`);
      navigate(exportersPath);
    },
  );
  if (!makes) return null;
  const on = exporter.state !== 'off';
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
      <RowMenu label={`Actions for ${exporter.name}`}>
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
      {asking === 'send' && <SendDialog exporter={exporter} onClose={close} />}
      {asking === 'change' && (
        <ExporterDialog
          title={`Change ${exporter.name}`}
          submit="Save"
          now={draftOf(exporter)}
          save={save}
          onClose={close}
        />
      )}
      <ConfirmDialog
        opened={asking === 'remove'}
        onClose={close}
        title={`Remove ${exporter.name}?`}
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
