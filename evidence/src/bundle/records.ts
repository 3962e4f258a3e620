import { toHex } from '../ledger/bytes.ts';
import { canonical, type Plain } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import { exceptionsIn, leavesOfExceptions } from './exceptions.ts';
import type { ToldEntry } from './parsed-entries.ts';
import { leavesOfPolicies, policiesIn } from './policies.ts';
import type { BundleScope, Tree } from './scope.ts';

/** The kind of the entry that holds which policies and exceptions a snapshot tells of, also those from before what it counts. */
export const recordsKind = 'snapshot.records';

/** Where a bundle tells of them. */
export const recordsPaths = { policies: 'policies.jsonl', exceptions: 'exceptions.jsonl' } as const;

/** Policies and exceptions of a period as a bundle tells of them. */
export interface Records {
  readonly policies: string;
  readonly exceptions: string;
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
  const exceptions = exceptionsIn(all, size, period);
  return {
    policies: lines(policies),
    exceptions: lines(exceptions),
    leaves: [...leavesOfPolicies(policies), ...leavesOfExceptions(exceptions)],
  };
}

/** The subject of that entry. */
export const recordsSubject = (
  { policies, exceptions }: Pick<Records, 'policies' | 'exceptions'>,
  { period, repositories }: Pick<BundleScope, 'period' | 'repositories'>,
  judged: Tree & { readonly epoch: number },
): { readonly [key: string]: Plain } => ({
  period: { ...period },
  repositories,
  judged: { ...judged },
  policiesSha256: hash(policies),
  exceptionsSha256: hash(exceptions),
});

/** Of several entries of that kind, the last of the same period and repositories counts. */
export const recordsOf = ({ period, repositories }: { readonly [key: string]: Plain }): string =>
  canonical([period ?? null, repositories ?? null]);

const lines = (values: readonly object[]): string => values.map((value) => `${canonical(value as Plain)}\n`).join('');
const hash = (text: string): string => toHex(sha256(text));
