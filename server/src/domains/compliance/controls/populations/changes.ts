import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { changeRecordsAt, type RecordRow } from '../../changes/rows.ts';
import type { Population } from './population.ts';
import { mergeCompleteness, pushCompleteness } from './push-completeness.ts';

/** A population of change records; `takes` filters records, `rowOf` creates the item of a record. */
export const populationOfChanges = <Row extends PopulationRow>(
  rowOf: (record: RecordRow) => Row,
  includes: (record: RecordRow) => boolean = () => true,
): Population<Row> => ({
  async *rows(tx, query) {
    for await (const records of changeRecordsAt(tx, query)) yield records.filter(includes).map(rowOf);
  },
  completeness: async (tx, query) => [await pushCompleteness(tx, query), await mergeCompleteness(tx, query)],
});

/** An unknown merge method counts as a merge, because it cannot be excluded. */
export const isMerge = ({ mergeMethod }: RecordRow): boolean => mergeMethod !== 'direct_push';
