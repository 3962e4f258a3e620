import { catalogVersion } from '../controls/catalog.ts';
import type { Completeness, SettingVersion } from '../controls/run.ts';
import type { Status, VerdictTally } from '../controls/verdicts.ts';
import { toHex } from '../ledger/bytes.ts';
import { canonical, type Plain } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import type { Period } from './scope.ts';

/** The kind of the entry that holds what came of evaluation a control for a snapshot. */
export const runKind = 'snapshot.control';

/** What was evaluated, by what, and what came of it. */
export interface RunFacts {
  readonly control: string;
  readonly period: Period;
  readonly repositories: readonly string[] | null;
  /** The checkpoint whose facts were evaluated; root in base64. */
  readonly evaluated: { readonly epoch: number; readonly size: number; readonly root: string };
  readonly settings: readonly SettingVersion<unknown>[];
  readonly completeness: readonly Completeness[];
  readonly counts: VerdictTally;
  readonly status: Status;
  /** Hex, over the lines of evidence. */
  readonly rowsSha256: string;
}

/** The subject of that entry: numbers in the open, rows and settings by their hash, so that none can be another later. */
export const runSubject = (facts: RunFacts): { readonly [key: string]: Plain } => ({
  catalog: catalogVersion,
  control: facts.control,
  period: { ...facts.period },
  repositories: facts.repositories,
  evaluated: { ...facts.evaluated },
  settingsSha256: hashOf(facts.settings as unknown as Plain),
  completeness: facts.completeness.map((one) => ({ ...one })),
  counts: { ...facts.counts },
  status: facts.status,
  rowsSha256: facts.rowsSha256,
});

/** Which of several runs say something of the same: the last of them counts. */
export const runOf = ({ control, period, repositories }: { readonly [key: string]: Plain }): string =>
  canonical([control ?? null, period ?? null, repositories ?? null]);

export const hashOf = (value: Plain): string => toHex(sha256(canonical(value)));
