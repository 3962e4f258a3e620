import { Select } from '@mantine/core';
import {
  diffSnapshots,
  listSnapshots,
  type SnapshotControl,
  type SnapshotDetails,
  type SnapshotDifference,
} from '@sightline/contract/compliance/snapshots.ts';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { endpointQuery } from '#lib/api.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { ControlName } from '#ui/controlResults.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Panel } from '#ui/Panel.tsx';
import { snapshotPeriodName } from '#ui/snapshotText.ts';
import { statusBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../ui/column.ts';
import s from './Snapshots.module.css';
import { scopeDifferenceText } from './snapshotLabels.ts';
import { useControlTitles } from './useControls.ts';

const addressSchema = z.object({ with: z.string().default('') });

/** Compares the control results with those of another snapshot. Renders nothing if no other exists. */
export function SnapshotComparison({ snapshot }: { snapshot: SnapshotDetails }) {
  const [query, setQuery] = useUrlQuery(addressSchema);
  const { data: list } = useQuery(endpointQuery(listSnapshots, { query: { perPage: 100 } }));
  const others = (list?.rows ?? []).filter(({ id, state }) => id !== snapshot.id && state === 'ready');
  const other = others.find(({ id }) => id === query.with);
  const { data } = useQuery({
    ...endpointQuery(diffSnapshots, { params: { snapshotId: snapshot.id }, query: { with: other?.id ?? '' } }),
    enabled: other !== undefined,
  });
  const titleOf = useControlTitles();
  const changed = data?.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
  if (others.length === 0) return null;
  const scopeWarning = other && scopeDifferenceText(snapshot, other);
  return (
    <Panel
      title={other ? `Compared with ${other.name}` : 'Compare'}
      flush={other !== undefined}
      aside={
        // In print, the title names the other snapshot.
        <div className={s.other} data-screen>
          <Select
            aria-label="Compare with"
            placeholder="Another snapshot"
            clearable
            data={others.map(({ id, name, period }) => ({
              value: id,
              label: `${name} (${snapshotPeriodName(period)})`,
            }))}
            value={other?.id ?? null}
            onChange={(value) => setQuery({ with: value ?? '' })}
          />
        </div>
      }
    >
      {scopeWarning && <p className={s.unlike}>{scopeWarning}</p>}
      {other ? (
        <DataTable
          label={`Differences from ${other.name}`}
          columns={columns}
          rows={changed?.map((one) => ({ ...one, title: titleOf(one.id) }))}
          rowKey={({ id }) => id}
          empty={<Empty kind="no-match" title="No differences between the controls" />}
        />
      ) : (
        <p className="dim" data-screen>
          Choose another snapshot to see which control results differ.
        </p>
      )}
    </Panel>
  );
}

const columns: Column<SnapshotDifference & { title: string | undefined }>[] = [
  { key: 'id', header: 'Control', place: 'main', cell: ControlName },
  { key: 'before', header: 'Other snapshot', width: 300, place: 'meta', cell: ({ before }) => resultText(before) },
  { key: 'after', header: 'This snapshot', width: 300, place: 'metaEnd', cell: ({ after }) => resultText(after) },
];

const resultText = (control: SnapshotControl | null): string =>
  control === null
    ? 'Not included'
    : control.counts.population === 0
      ? statusBadges[control.status][1]
      : `${statusBadges[control.status][1]}: ${control.counts.pass} of ${control.counts.population} pass, ${control.counts.fail} fail, ${control.counts.missing_evidence} missing evidence`;
