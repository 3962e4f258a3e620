import { Select } from '@mantine/core';
import { deliverEvidence, type EvidenceDestination } from '@sightline/contract/compliance/evidence-destinations.ts';
import { listSnapshots } from '@sightline/contract/compliance/snapshots.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { Link } from '#ui/Link.tsx';
import { toast } from '#ui/toast.ts';

/** Selects a snapshot to send to a destination. */
export function SendDialog({ destination, onClose }: { destination: EvidenceDestination; onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = useQuery({ ...endpointQuery(listSnapshots, { query: { perPage: 100 } }), meta: { quiet: true } });
  const ready = data?.rows.filter(({ state }) => state === 'ready');
  const snapshotId = chosen ?? ready?.[0]?.id;
  const send = useChange(
    () => call(deliverEvidence, { params: { destinationId: destination.id }, body: { snapshotId: snapshotId ?? '' } }),
    ({ snapshot }) => {
      toast.success(`Delivery of ${snapshot.name} started.`);
      onClose();
    },
    { quiet: true },
  );
  return (
    <FormDialog
      title={`Send a snapshot to ${destination.name}`}
      submit="Send"
      width={480}
      ready={snapshotId !== undefined}
      pending={send.isPending}
      problem={send.error ? errorMessageOf(send.error) : undefined}
      onClose={onClose}
      onSubmit={() => send.mutate(undefined)}
    >
      {ready?.length === 0 ? (
        <p>
          No snapshot is ready. <Link href="/evidence/snapshots">Create one first</Link>
        </p>
      ) : (
        <Select
          label="Snapshot"
          data={ready?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={snapshotId ?? null}
          allowDeselect={false}
          onChange={setChosen}
          data-autofocus
        />
      )}
      <p className="dim">It is sent unchanged. Personal data that is redacted in it stays redacted.</p>
    </FormDialog>
  );
}
