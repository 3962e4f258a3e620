import { type Bytes, utf8 } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { createHash } from '../ledger/sha256.ts';
import type { ExcludedItem } from './exclusions.ts';
import type { PopulationRow } from './rows.ts';
import type { Evaluation } from './verdicts.ts';

/** An evaluated row: its facts, the version of the setting, and the result. */
export interface EvaluatedRow<Row extends PopulationRow = PopulationRow> extends Evaluation {
  readonly row: Row;
  readonly setting: number;
}

/** A row that parameters excluded from the population, with its facts. */
export interface ExcludedPopulationRow extends ExcludedItem {
  readonly row: PopulationRow;
}

/** One line of `evidence/<id>.jsonl`, without its line break. Throws for a row without a canonical form. */
export const evidenceLine = ({ row, setting, verdict, reasons }: EvaluatedRow): string =>
  canonicalJson({ row: row as unknown as CanonicalValue, setting, verdict, reasons });

/** One line of `excluded/<id>.jsonl`, without its line break. Throws for a row without a canonical form. */
export const excludedLine = ({ row, setting, parameters, isExcludedByDefault }: ExcludedPopulationRow): string =>
  canonicalJson({ row: row as unknown as CanonicalValue, setting, parameters, isExcludedByDefault });

/**
 * SHA-256 over the lines of a run in the order of `runControl`, each with its line break. It is the hash of the file,
 * and part of the ledger entry of the run. The ledger therefore commits to rows with several or no entries too.
 */
export function rowsHash(): { add: (line: string) => void; digest: () => Bytes } {
  const hash = createHash();
  return { add: (line) => hash.add(utf8(`${line}\n`)), digest: hash.digest };
}
