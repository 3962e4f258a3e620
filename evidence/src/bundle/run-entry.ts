import { catalogVersion } from '../controls/catalog.ts';
import type { Completeness } from '../controls/completeness.ts';
import type { Exclusion } from '../controls/exclusions.ts';
import type { SettingVersion } from '../controls/run.ts';
import type { Status, VerdictTally } from '../controls/verdicts.ts';
import { toHex } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import type { Period } from './scope.ts';
import type { Weakening } from './weakening.ts';

/** The kind of the entry with the result of a control for a snapshot. */
export const runKind = 'snapshot.control';

/** The scope, version and result of an evaluation. */
export interface RunFacts {
  readonly control: string;
  readonly period: Period;
  readonly repositories: readonly string[] | null;
  /** The checkpoint of the evaluated facts; root in base64. */
  readonly evaluated: { readonly epoch: number; readonly size: number; readonly root: string };
  readonly settings: readonly SettingVersion<unknown>[];
  readonly completeness: readonly Completeness[];
  readonly counts: VerdictTally;
  readonly exclusions: readonly Exclusion[];
  readonly weakenings: readonly Weakening[];
  readonly status: Status;
  /** Hex, over the evidence lines. */
  readonly rowsSha256: string;
  /** Hex, over the lines of excluded rows. */
  readonly excludedSha256: string;
}

/**
 * Builds the subject of that entry: counts in plain text, rows and settings as hashes, so that they cannot be changed
 * later.
 */
export const runSubject = (facts: RunFacts): { readonly [key: string]: CanonicalValue } => ({
  catalog: catalogVersion,
  control: facts.control,
  period: { ...facts.period },
  repositories: facts.repositories,
  evaluated: { ...facts.evaluated },
  settingsSha256: hashOf(facts.settings as unknown as CanonicalValue),
  completeness: facts.completeness.map((one) => ({ ...one })),
  counts: { ...facts.counts },
  exclusions: facts.exclusions.map((one) => ({ ...one })),
  weakenings: facts.weakenings.map((one) => ({ ...one })),
  status: facts.status,
  rowsSha256: facts.rowsSha256,
  excludedSha256: facts.excludedSha256,
});

/** The key of a run: the last one with the same key applies. */
export const runKey = ({ control, period, repositories }: { readonly [key: string]: CanonicalValue }): string =>
  canonicalJson([control ?? null, period ?? null, repositories ?? null]);

export const hashOf = (value: CanonicalValue): string => toHex(sha256(canonicalJson(value)));
