import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  type CheckmarxSettings,
  getCheckmarx,
  syncCheckmarx,
  testCheckmarx,
} from '@sightline/contract/sources/integrations.ts';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { toast } from '#ui/toast.ts';
import { useSetupOpen } from '../setupAddress.ts';
import { DisconnectDialog } from './DisconnectDialog.tsx';
import { isSyncing } from './sync.ts';

/** The owner's actions for a connected scanner. */
export function ScannerActions({ sync }: Pick<CheckmarxSettings, 'sync'>) {
  const queryClient = useQueryClient();
  const [, setOpen] = useSetupOpen('checkmarx');
  const [asking, { open, close }] = useDisclosure(false);
  const test = useChange(
    () => call(testCheckmarx, { body: {} }),
    ({ ok, problem }) => {
      if (ok) toast.success('Connection succeeded.');
      else toast.error(problem?.message ?? 'Checkmarx One gave no reason.', 'Connection failed');
    },
    { failed: 'The connection could not be tested.' },
  );
  const start = useChange(
    () => call(syncCheckmarx, {}),
    (settings) => queryClient.setQueryData(keyOf(getCheckmarx, {}), settings),
    { failed: 'The sync could not be started.' },
  );
  const syncing = isSyncing(sync);
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Test connection
      </Button>
      <Button variant="default" onClick={() => setOpen(true)}>
        Change key
      </Button>
      <Button variant="default" onClick={open}>
        Disconnect
      </Button>
      <Button
        leftSection={<IconRefresh size={15} aria-hidden />}
        loading={start.isPending}
        disabled={syncing}
        onClick={() => start.mutate()}
      >
        {syncing ? 'Syncing' : 'Sync now'}
      </Button>
      <DisconnectDialog opened={asking} onClose={close} />
    </>
  );
}
