import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import {
  getScanner,
  type ScannerSettings,
  syncScanner,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { toast } from '#ui/toast.ts';
import { useSetupOpen } from '../setupAddress.ts';
import { DisconnectDialog } from './DisconnectDialog.tsx';
import { isSyncing } from './sync.ts';

/** The owner's actions for a connected scanner. */
export function ScannerActions({ scanner, sync }: Pick<ScannerSettings, 'sync'> & { scanner: ScannerName }) {
  const params = { scanner };
  const { title, apiKey } = scannerForms[scanner];
  const queryClient = useQueryClient();
  const [, setOpen] = useSetupOpen(scanner);
  const [asking, { open, close }] = useDisclosure(false);
  const test = useChange(
    () => call(testScanner, { params, body: {} }),
    ({ ok, problem }) => {
      if (ok) toast.success('Connection succeeded.');
      else toast.error(problem?.message ?? `${title} gave no reason.`, 'Connection failed');
    },
    { failed: 'The connection could not be tested.' },
  );
  const start = useChange(
    () => call(syncScanner, { params }),
    (settings) => queryClient.setQueryData(keyOf(getScanner, { params }), settings),
    { failed: 'The sync could not be started.' },
  );
  const syncing = isSyncing(sync);
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Test connection
      </Button>
      <Button variant="default" onClick={() => setOpen(true)}>
        Change {apiKey.noun}
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
      <DisconnectDialog scanner={scanner} opened={asking} onClose={close} />
    </>
  );
}
