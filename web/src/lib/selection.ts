import { useState } from 'react';

/** The selected rows of a paged list. */
export interface Selection<Row> {
  /** The selected rows that were loaded; with `everything`, those of the pages seen so far may be missing. */
  chosen: ReadonlyMap<string, Row>;
  /** Whether all rows that match the filters are selected, on every page. */
  everything: boolean;
  has: (id: string) => boolean;
  /** Selects or deselects rows. */
  set: (rows: readonly Row[], on: boolean) => void;
  setEverything: () => void;
  clear: () => void;
}

/**
 * Selects rows of a list. The selection persists across pages and is cleared when `filter` changes. `page` are the rows
 * shown: deselecting one of them ends the selection of everything and keeps the others.
 */
export function useSelection<Row extends { id: string }>(filter: string, page: readonly Row[]): Selection<Row> {
  const [selection, setSelection] = useState({ filter, ...noRows<Row>() });
  const { chosen, everything } = selection.filter === filter ? selection : noRows<Row>();
  return {
    chosen,
    everything,
    has: (id) => everything || chosen.has(id),
    set: (rows, on) => {
      const next = new Map(everything ? page.map((row) => [row.id, row]) : chosen);
      for (const row of rows) {
        if (on) next.set(row.id, row);
        else next.delete(row.id);
      }
      setSelection({ filter, chosen: next, everything: false });
    },
    setEverything: () => setSelection({ filter, chosen, everything: true }),
    clear: () => setSelection({ filter, ...noRows<Row>() }),
  };
}

const noRows = <Row>(): { chosen: ReadonlyMap<string, Row>; everything: boolean } => ({
  chosen: new Map(),
  everything: false,
});
