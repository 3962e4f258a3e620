import { Checkbox } from '@mantine/core';
import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Column } from '../../../ui/column.ts';
import s from './Selection.module.css';
import type { FindingSelection } from './useSelection.ts';

/** A checkbox per row, and one for the page. Narrow screens omit it: decisions are made one by one. */
export const selectionColumn = (rows: readonly Finding[], selection: FindingSelection): Column<Finding> => ({
  key: 'selection',
  header: <AllBox rows={rows} selection={selection} />,
  width: 44,
  cell: (finding) => (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains a checkbox
    <label className={s.box}>
      <span className="vh">Select {finding.title}</span>
      <Checkbox
        size="xs"
        checked={selection.has(finding.id)}
        onChange={({ currentTarget }) => selection.set([finding], currentTarget.checked)}
      />
    </label>
  ),
});

function AllBox({ rows, selection }: { rows: readonly Finding[]; selection: FindingSelection }) {
  const count = rows.filter(({ id }) => selection.has(id)).length;
  const all = rows.length > 0 && count === rows.length;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains a checkbox
    <label className={s.box}>
      <span className="vh">Select all on this page</span>
      <Checkbox size="xs" checked={all} indeterminate={count > 0 && !all} onChange={() => selection.set(rows, !all)} />
    </label>
  );
}
