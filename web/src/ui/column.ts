import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  /** Words for the head; wrap in `className="vh"` what should only be read out. */
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** The name this column sorts by, as the contract spells it ('date' in 'date-desc'); without it: not sortable. */
  sort?: string;
  /** The direction of the first click; dates and counts read best newest and largest first. */
  firstDirection?: 'asc' | 'desc';
  /** Pixels; one column should go without, and takes the rest. */
  width?: number;
  /** Its place in the card that a row becomes under 640 px; without it: left out there. */
  place?: 'main' | 'side' | 'meta' | 'metaEnd' | 'menu';
}
