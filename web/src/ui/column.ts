import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  /** The header text; wrap text for screen readers only in `className="vh"`. */
  header: ReactNode;
  /** The header in words, for the selection of columns; only if `header` is not text. */
  label?: string;
  cell: (row: Row) => ReactNode;
  /** The sort name of this column in the contract ('date' in 'date-desc'); without it: not sortable. */
  sort?: string;
  /** The direction of the first click: usually newest and largest first for dates and counts. */
  firstDirection?: 'asc' | 'desc';
  /** Pixels; one column should have no width and use the remaining space. */
  width?: number;
  /** Its position in the card that a row becomes below 640 px; without it: omitted there. */
  place?: 'main' | 'side' | 'meta' | 'metaEnd' | 'below' | 'menu';
}
