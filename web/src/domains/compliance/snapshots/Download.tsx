import { Button } from '@mantine/core';
import { getSnapshotBundle, type SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '#lib/download.ts';
import { reasonOf } from '#lib/reason.ts';
import { sizeName } from '#ui/snapshotWords.ts';
import { toast } from '#ui/toast.ts';

/** Downloads the bundle. */
export function Download({ snapshot: { id, bundle } }: { snapshot: SnapshotDetails }) {
  const save = useMutation({
    mutationFn: () =>
      download(
        getSnapshotBundle,
        { params: { snapshotId: id } },
        { signal: new AbortController().signal, onLines: () => undefined },
      ),
    meta: { quiet: true },
    onError: (error) => toast.error(reasonOf(error, 'The bundle was not downloaded. Try again.')),
  });
  return (
    <Button leftSection={<IconDownload size={16} aria-hidden />} loading={save.isPending} onClick={() => save.mutate()}>
      Download {bundle && sizeName(bundle.bytes)}
    </Button>
  );
}
