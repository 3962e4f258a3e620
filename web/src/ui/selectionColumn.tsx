import { Checkbox } from '@mantine/core';
import type { Column } from './column.ts';
import s from './Selection.module.css';

interface RowSelection<Row> {
  has: (id: string) => boolean;
  set: (rows: readonly Row[], on: boolean) => void;
}

/** A checkbox per row, and one for the page. Narrow screens omit it: decisions are made one by one. */
export const selectionColumn = <Row extends { id: string }>(
  rows: readonly Row[],
  selection: RowSelection<Row>,
  nameOf: (row: Row) => string,
): Column<Row> => ({
  key: 'selection',
  header: <AllBox rows={rows} selection={selection} />,
  width: 44,
  cell: (row) => (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains a checkbox
    <label className={s.box}>
      <span className="vh">Select {nameOf(row)}</span>
      <Checkbox
        size="xs"
        checked={selection.has(row.id)}
        onChange={({ currentTarget }) => selection.set([row], currentTarget.checked)}
      />
    </label>
  ),
});

function AllBox<Row extends { id: string }>({
  rows,
  selection,
}: {
  rows: readonly Row[];
  selection: RowSelection<Row>;
}) {
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
