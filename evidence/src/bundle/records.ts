import { toHex } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import type { IndexedEntry } from './parsed-entries.ts';
import { leavesOfPolicies, policiesIn } from './policies.ts';
import { leavesOfRepositories, repositoriesIn } from './repositories.ts';
import type { BundleScope, Tree } from './scope.ts';
import { leavesOfWaivers, waiversIn } from './waivers.ts';

/**
 * The kind of the entry that commits to the repositories, policies and waivers of a snapshot, including those from
 * before its counted range.
 */
export const recordsKind = 'snapshot.records';

/** Their paths in a bundle. */
export const recordsPaths = {
  policies: 'policies.jsonl',
  repositories: 'repositories.jsonl',
  waivers: 'waivers.jsonl',
} as const;

/** Repositories, policies and waivers of a period as contained in a bundle. */
export interface Records {
  readonly repositories: string;
  readonly policies: string;
  readonly waivers: string;
  /** The entries from which they are derived. */
  readonly leaves: readonly number[];
}

/** Derives the records from the entries of the entire log or of a bundle, with the same result. */
export function recordsIn(
  entries: Iterable<IndexedEntry>,
  size: number,
  scope: Pick<BundleScope, 'period' | 'repositories'>,
): Records {
  const all = [...entries];
  const policies = policiesIn(all, size, scope.period);
  const waivers = waiversIn(all, size, scope.period);
  return {
    repositories: lines(repositoriesIn(all, size, scope)),
    policies: lines(policies),
    waivers: lines(waivers),
    leaves: [...leavesOfPolicies(policies), ...leavesOfWaivers(waivers), ...leavesOfRepositories(all, size)],
  };
}

/** Builds the subject of that entry. */
export const recordsSubject = (
  { repositories: repositoryLines, policies, waivers }: Omit<Records, 'leaves'>,
  { period, repositories }: Pick<BundleScope, 'period' | 'repositories'>,
  evaluated: Tree & { readonly epoch: number },
): { readonly [key: string]: CanonicalValue } => ({
  period: { ...period },
  repositories,
  evaluated: { ...evaluated },
  repositoriesSha256: hash(repositoryLines),
  policiesSha256: hash(policies),
  waiversSha256: hash(waivers),
});

/** The key of such an entry: the last one with the same period and repositories applies. */
export const recordsKey = ({ period, repositories }: { readonly [key: string]: CanonicalValue }): string =>
  canonicalJson([period ?? null, repositories ?? null]);

const lines = (values: readonly object[]): string =>
  values.map((value) => `${canonicalJson(value as CanonicalValue)}\n`).join('');
const hash = (text: string): string => toHex(sha256(text));
