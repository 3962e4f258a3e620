// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the roles of a table drawn as cards unless they are written
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Column } from './column.ts';
import s from './DataTable.module.css';

interface DataTableHeadProps<Row> {
  columns: readonly Column<Row>[];
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

export function DataTableHead<Row>({ columns, sort, onSort }: DataTableHeadProps<Row>) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {columns.map((column) => (
          <th role="columnheader" key={column.key} scope="col" aria-sort={ariaSort(column, sort)}>
            {column.sort !== undefined && onSort ? (
              <SortButton column={column} name={column.sort} sort={sort} onSort={onSort} />
            ) : (
              <span className={column.place === 'menu' ? 'vh' : undefined}>{column.header}</span>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface SortProps<Row> {
  column: Column<Row>;
  name: string;
  sort: string | undefined;
  onSort: (sort: string) => void;
}

function SortButton<Row>({ column, name, sort, onSort }: SortProps<Row>) {
  const first = column.firstDirection ?? 'asc';
  const current = directionOf(name, sort);
  const next = current === undefined ? first : current === 'asc' ? 'desc' : 'asc';
  const Arrow = (current ?? first) === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button
      type="button"
      className={s.sort}
      data-on={current !== undefined || undefined}
      onClick={() => onSort(`${name}-${next}`)}
    >
      {column.header}
      <Arrow size={13} aria-hidden />
    </button>
  );
}

function ariaSort<Row>({ sort: name }: Column<Row>, sort: string | undefined) {
  if (name === undefined) return undefined;
  const direction = directionOf(name, sort);
  return direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
}

function directionOf(name: string, sort: string | undefined): 'asc' | 'desc' | undefined {
  if (sort === `${name}-asc`) return 'asc';
  return sort === `${name}-desc` ? 'desc' : undefined;
}
