import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { changesAsOf, type RecordRow } from '../../changes/rows.ts';
import { mergesAccounted, pushesAccounted } from './accounted.ts';
import type { Population } from './population.ts';

/** Rows made of the records of changes; `takes` leaves records out, `rowOf` makes a row of one. */
export const ofChanges = <Row extends PopulationRow>(
  rowOf: (record: RecordRow) => Row,
  takes: (record: RecordRow) => boolean = () => true,
): Population<Row> => ({
  async *rows(tx, asked) {
    for await (const records of changesAsOf(tx, asked)) yield records.filter(takes).map(rowOf);
  },
  completeness: async (tx, asked) => [await pushesAccounted(tx, asked), await mergesAccounted(tx, asked)],
});

/** What is not known to be a direct push counts as a merge: too little is known to leave it out. */
export const isMerge = ({ mergeMethod }: RecordRow): boolean => mergeMethod !== 'direct_push';
