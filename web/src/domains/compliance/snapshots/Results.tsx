import type { SnapshotControl } from '@sightline/contract/compliance/snapshots.ts';
import { resultColumns } from '#ui/controlResults.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Panel } from '#ui/Panel.tsx';
import { useControlTitles } from './useControls.ts';

/** Shows the result of each control. */
export function SnapshotResults({ results }: { results: readonly SnapshotControl[] }) {
  const titleOf = useControlTitles();
  return (
    <Panel title="Controls" flush>
      <DataTable
        label="Controls"
        columns={resultColumns}
        rows={results.map((result) => ({ ...result, title: titleOf(result.id) }))}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Panel>
  );
}
