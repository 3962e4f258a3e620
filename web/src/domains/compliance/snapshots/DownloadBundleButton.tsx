import { Button } from '@mantine/core';
import { getSnapshotBundle, type SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '#lib/download.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { formatFileSize } from '#ui/snapshotText.ts';
import { toast } from '#ui/toast.ts';

/** Downloads the bundle. */
export function DownloadBundleButton({ snapshot: { id, bundle } }: { snapshot: SnapshotDetails }) {
  const save = useMutation({
    mutationFn: () => download(getSnapshotBundle, { params: { snapshotId: id } }),
    meta: { quiet: true },
    onError: (error) => toast.error(errorMessageOf(error, 'The bundle was not downloaded. Try again.')),
  });
  return (
    <Button leftSection={<IconDownload size={16} aria-hidden />} loading={save.isPending} onClick={() => save.mutate()}>
      Download {bundle && formatFileSize(bundle.bytes)}
    </Button>
  );
}
