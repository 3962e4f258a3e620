import type { MergeRow } from '../../controls/change-rows.ts';
import type { PopulationRow } from '../../controls/rows.ts';
import { agentChange, checks, reached, type Variants } from '../../controls/testing/change-variants.ts';
import { missingFact } from '../../controls/testing/facts.ts';
import {
  access,
  committer,
  decision,
  digest,
  ledgerDay,
  passingRowOf,
  reviewLine,
  scanned,
  secret,
  weakness,
} from '../../controls/testing/variants.ts';

/** Rows of every control that a test bundle does not have by default, of the given changes. */
export const otherPopulations = (changes: readonly MergeRow[]): Readonly<Record<string, readonly PopulationRow[]>> => ({
  'CHG-02': rowsOf(reached, changes),
  'CHG-05': changes.map((row) => pickFields(row, checks)),
  'SCN-01': changes.map((row) => ({ ...passingRowOf(scanned), ...pickFields(row, scanned), mergeSha: missingFact })),
  'VUL-01': rowsOf(weakness, changes),
  'VUL-02': rowsOf(secret, changes),
  'EXC-01': rowsOf(decision, changes),
  'COV-01': rowsOf(committer, changes),
  'ACC-01': rowsOf(access, changes),
  'ACC-02': rowsOf(reviewLine, changes),
  'AI-01': changes.map((row) => pickFields(row, agentChange)),
  'LOG-01': rowsOf(ledgerDay, changes),
  'DIG-01': rowsOf(digest, changes),
});

/** A row for every variant of every field, based on the entry of the first change. */
function rowsOf<Row extends PopulationRow>(variants: Variants<Row>, [first]: readonly MergeRow[]): readonly Row[] {
  const leaves = first?.leaf == null ? [] : [first.leaf];
  return Object.entries(variants).flatMap(([field, values]) =>
    (values as readonly unknown[]).map((value, index) => ({
      ...passingRowOf(variants),
      [field]: value,
      subject: `${field}:${index}`,
      leaf: null,
      leaves,
    })),
  );
}

/** The fields of a row that a control has. */
export const pickFields = <Row extends PopulationRow>(
  row: PopulationRow,
  fields: { readonly [Field in keyof Row]: unknown },
): Row => Object.fromEntries(Object.entries(row).filter(([name]) => name in fields)) as unknown as Row;
