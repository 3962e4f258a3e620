import { toHex } from '../ledger/bytes.ts';
import { canonical, type Plain } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import type { ToldEntry } from './parsed-entries.ts';
import { leavesOfPolicies, policiesIn } from './policies.ts';
import type { BundleScope, Tree } from './scope.ts';
import { leavesOfWaivers, waiversIn } from './waivers.ts';

/** The kind of the entry that holds which policies and waivers a snapshot tells of, also those from before what it counts. */
export const recordsKind = 'snapshot.records';

/** Where a bundle tells of them. */
export const recordsPaths = { policies: 'policies.jsonl', waivers: 'waivers.jsonl' } as const;

/** Policies and waivers of a period as a bundle tells of them. */
export interface Records {
  readonly policies: string;
  readonly waivers: string;
  /** The entries that they rest on. */
  readonly leaves: readonly number[];
}

/** Drawn from entries of the whole log, or from those of a bundle: the same comes of both. */
export function recordsIn(
  entries: Iterable<ToldEntry>,
  size: number,
  { period }: Pick<BundleScope, 'period'>,
): Records {
  const all = [...entries];
  const policies = policiesIn(all, size, period);
  const waivers = waiversIn(all, size, period);
  return {
    policies: lines(policies),
    waivers: lines(waivers),
    leaves: [...leavesOfPolicies(policies), ...leavesOfWaivers(waivers)],
  };
}

/** The subject of that entry. */
export const recordsSubject = (
  { policies, waivers }: Pick<Records, 'policies' | 'waivers'>,
  { period, repositories }: Pick<BundleScope, 'period' | 'repositories'>,
  evaluated: Tree & { readonly epoch: number },
): { readonly [key: string]: Plain } => ({
  period: { ...period },
  repositories,
  evaluated: { ...evaluated },
  policiesSha256: hash(policies),
  waiversSha256: hash(waivers),
});

/** Of several entries of that kind, the last of the same period and repositories counts. */
export const recordsOf = ({ period, repositories }: { readonly [key: string]: Plain }): string =>
  canonical([period ?? null, repositories ?? null]);

const lines = (values: readonly object[]): string => values.map((value) => `${canonical(value as Plain)}\n`).join('');
const hash = (text: string): string => toHex(sha256(text));
