// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the roles of a table drawn as cards unless they are written
import { type MouseEvent, memo, type ReactNode, useDeferredValue } from 'react';
import type { Column } from './column.ts';
import s from './DataTable.module.css';
import { DataTableHead } from './DataTableHead.tsx';
import { DataTableSkeleton } from './DataTableSkeleton.tsx';
import { isPlainClick, Link, useNavigate } from './Link.tsx';

interface DataTableProps<Row> {
  /** The content of the table, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** undefined while the first response is pending. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The page of a row: its `main` cell becomes a link, and a click anywhere on the row follows it. */
  rowHref?: ((row: Row) => string) | undefined;
  /** `<key>-asc` or `<key>-desc`. */
  sort?: string | undefined;
  onSort?: ((sort: string) => void) | undefined;
  /** A newer response is pending: the old rows remain, dimmed, below a progress line. */
  stale?: boolean;
  /** Replaces the table if there are no rows. */
  empty: ReactNode;
  /** Two-line rows, 52 px. */
  tall?: boolean;
  skeletonRows?: number;
  /** The rows contain no link or button, so that the region that scrolls them takes the focus of the keyboard. */
  focusable?: boolean;
}

/**
 * Rows sorted and paged by the server. Below 640 px each row is a card; the table roles are explicit because browsers
 * drop them from elements whose display is not a table's.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, sort, onSort, stale = false, empty, tall = false, focusable } = props;
  // Deferred, so that filtering and typing never wait for rows.
  const drawn = useDeferredValue(props);
  if (rows?.length === 0)
    return (
      <div data-stale={stale || undefined} className={s.emptyFrame}>
        {empty}
      </div>
    );
  return (
    <div className={s.frame} data-stale={stale || undefined}>
      <div className={s.scroll} {...(focusable && { role: 'region', 'aria-label': `Table of ${label}`, tabIndex: 0 })}>
        <table
          role="table"
          className={s.table}
          aria-label={label}
          aria-busy={stale || rows === undefined}
          data-tall={tall || undefined}
          style={{ '--narrowest': `${narrowest(columns)}px` }}
        >
          <colgroup>
            {columns.map(({ key, width }) => (
              <col key={key} style={width === undefined ? undefined : { width }} />
            ))}
          </colgroup>
          <DataTableHead columns={columns} sort={sort} onSort={onSort} />
          <Body {...drawn} />
        </table>
      </div>
    </div>
  );
}

const Body = memo(BodyOf) as typeof BodyOf;

function BodyOf<Row>({ columns, rows, rowKey, rowHref, tall = false, skeletonRows = 10 }: DataTableProps<Row>) {
  if (!rows) return <DataTableSkeleton columns={columns} rows={skeletonRows} tall={tall} />;
  return (
    <tbody role="rowgroup">
      {rows.map((row) => (
        <DataRow key={rowKey(row)} row={row} columns={columns} href={rowHref?.(row)} />
      ))}
    </tbody>
  );
}

// Below this width the table scrolls horizontally; otherwise fixed columns would leave no space for the main one.
const narrowest = <Row,>(columns: readonly Column<Row>[]) => columns.reduce((sum, { width = 240 }) => sum + width, 0);

interface RowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
}

function DataRow<Row>({ row, columns, href }: RowProps<Row>) {
  const navigate = useNavigate();
  const open = (event: MouseEvent<HTMLElement>) => {
    if (href === undefined || event.defaultPrevented || !isPlainClick(event) || isOwnTarget(event)) return;
    navigate(href);
  };
  return (
    <tr role="row" data-link={href !== undefined || undefined} onClick={open}>
      {columns.map(({ key, place, cell }) => (
        <td role="cell" key={key} data-place={place}>
          {href !== undefined && place === 'main' ? (
            <Link href={href} className={s.link}>
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

// A click on a control, in a portal (menus), or at the end of a text selection is not a click on the row.
function isOwnTarget(event: MouseEvent<HTMLElement>): boolean {
  if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return true;
  const control = event.target.closest('a, button, input, select, textarea, label, [role="menuitem"]');
  return (control !== null && event.currentTarget.contains(control)) || window.getSelection()?.toString() !== '';
}
