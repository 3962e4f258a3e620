import type { SnapshotControl } from '@sightline/contract/snapshots.ts';
import { type Column, DataTable } from '#ui/DataTable.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { statusLooks } from '#ui/verdicts.ts';

/** What each control came to. */
export const Results = ({ results }: { results: readonly SnapshotControl[] }) => (
  <Panel title="Controls" flush>
    <DataTable label="Controls" columns={columns} rows={results} rowKey={({ id }) => id} empty={null} />
  </Panel>
);

const columns: Column<SnapshotControl>[] = [
  { key: 'id', header: 'Control', place: 'main', cell: ({ id }) => id },
  {
    key: 'status',
    header: 'Status',
    width: 140,
    place: 'side',
    cell: ({ status }) => {
      const [tone, words] = statusLooks[status];
      return <StatusBadge tone={tone}>{words}</StatusBadge>;
    },
  },
  { key: 'population', header: 'Judged', width: 100, place: 'meta', cell: ({ counts }) => counts.population },
  { key: 'pass', header: 'Pass', width: 90, cell: ({ counts }) => counts.pass },
  { key: 'exception', header: 'Exceptions', width: 110, cell: ({ counts }) => counts.exception },
  { key: 'excepted', header: 'Excepted', width: 100, cell: ({ counts }) => counts.excepted },
  { key: 'gap', header: 'Gaps', width: 90, cell: ({ counts }) => counts.gap },
];
