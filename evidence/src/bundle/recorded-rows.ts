import type { ControlId } from '../controls/catalog.ts';
import { recordedDays, recordedWeeks } from '../controls/enabled-spans.ts';
import type { PopulationRow } from '../controls/rows.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import type { LineFields } from './lines.ts';
import type { Manifest } from './manifest.ts';
import { enabledSpansOf, type RepositoryRecord } from './repositories.ts';

/**
 * Verifies that each row about a day or week of a repository states when the ledger says that the repository was
 * disabled, and that no day or week is missing. `evaluatedAt`: the signing time of the evaluated checkpoint. Throws
 * otherwise. Does nothing for other controls, and in a later epoch, which does not contain all entries.
 */
export function verifyRecordedRows(
  id: ControlId,
  {
    rows,
    records,
    manifest,
    evaluatedAt,
  }: {
    rows: readonly PopulationRow[];
    records: readonly RepositoryRecord[];
    manifest: Pick<Manifest, 'period' | 'ledger'>;
    evaluatedAt: string;
  },
): void {
  const partsOf = partsByControl[id];
  if (partsOf === undefined || manifest.ledger.epoch > 1) return;
  const { from, to } = manifest.period;
  const range = { from, end: evaluatedAt < to ? evaluatedAt : to };
  const expected = new Set(
    records.flatMap((record) => partsOf(record, range).map((part) => keyOf(record.id, { ...part }))),
  );
  const missing = new Set(expected);
  for (const row of rows) {
    const fields = row as unknown as LineFields;
    const key = keyOf(String(row.repository), fields);
    if (!expected.has(key)) throw new Error(`${id}: ${row.subject} does not match when its repository was enabled`);
    if (fields.isDefaultBranch !== false) missing.delete(key);
  }
  const [first] = missing;
  if (first !== undefined) throw new Error(`${id}: a day or week of a repository is missing: ${first}`);
}

type Range = Parameters<typeof recordedDays>[1];

const partsByControl: {
  readonly [Id in ControlId]?: (record: RepositoryRecord, range: Range) => readonly RecordedFields[];
} = {
  'CHG-04': (record, range) => recordedDays(enabledSpansOf(record), range),
  'SCN-02': (record, range) =>
    recordedWeeks(enabledSpansOf(record), range).map(({ start, until, ...part }) => ({
      ...part,
      weekStart: start,
      weekEnd: until,
    })),
};

/** The fields of a row that follow from when its repository was enabled. */
type RecordedFields = { readonly [field in (typeof recordedFields)[number]]?: unknown };
const recordedFields = ['day', 'until', 'weekStart', 'weekEnd', 'enabledAt', 'disabled'] as const;

const keyOf = (repository: string, fields: RecordedFields): string =>
  canonicalJson([repository, ...recordedFields.map((field) => (fields[field] ?? null) as CanonicalValue)]);
