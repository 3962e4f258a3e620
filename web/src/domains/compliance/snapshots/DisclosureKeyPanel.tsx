import { Button } from '@mantine/core';
import { createDisclosureKey, type SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '#lib/download.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';

/** Downloads the file that opens the redacted bundles of a snapshot, for Account Owners. */
export function DisclosureKeyPanel({ snapshot: { id } }: { snapshot: SnapshotDetails }) {
  const save = useMutation({
    mutationFn: () => download(createDisclosureKey, { params: { snapshotId: id } }),
    meta: { quiet: true },
    onError: (error) => toast.error(errorMessageOf(error, 'The disclosure key was not downloaded. Try again.')),
  });
  if (!hasPermission(useSession(), 'update:org')) return null;
  return (
    <Panel title="Disclosure key">
      <p>
        This file opens what redacted bundles of this snapshot withhold: names of repositories and people, titles and
        other texts. A verifier checks each against the ledger. A reader of the file and a bundle sees them.
      </p>
      <Button
        variant="default"
        mt="sm"
        leftSection={<IconKey size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Download disclosure key
      </Button>
    </Panel>
  );
}
