import type { Column } from './column.ts';
import s from './DataTable.module.css';

interface DataTableSkeletonProps<Row> {
  columns: readonly Column<Row>[];
  rows: number;
  tall: boolean;
}

/**
 * Rows of the final height, to prevent layout shifts; their bars appear after 150 ms (in CSS), to prevent a flash
 * before a quick response.
 */
export function DataTableSkeleton<Row>({ columns, rows, tall }: DataTableSkeletonProps<Row>) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity other than their index
        <tr key={row}>
          {columns.map(({ key, place }, column) => (
            <td key={key} data-place={place}>
              <span className={s.placeholder} style={{ width: widthOf(row, column, place) }} />
              {tall && place === 'main' && <span className={s.placeholder} data-second style={{ width: '24%' }} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

// Irregular, but the same on every render.
function widthOf(row: number, column: number, place: string | undefined): string {
  if (place === 'menu') return '0';
  return place === 'main' ? `${32 + ((row * 13) % 24)}%` : `${48 + ((row * 7 + column * 11) % 32)}%`;
}
