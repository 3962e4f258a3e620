import { toHex } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import { disclosedFile } from './disclosed.ts';
import type { IndexedEntry } from './parsed-entries.ts';
import { leavesOfPolicies, policiesIn } from './policies.ts';
import { leavesOfRemediations, remediationsIn } from './remediations.ts';
import { leavesOfRepositories, repositoriesIn } from './repositories.ts';
import { hashOf } from './run-entry.ts';
import type { Anchor, BundleScope, PersonDisclosures, Tree } from './scope.ts';
import { leavesOfWaivers, waiversIn } from './waivers.ts';

/**
 * The kind of the entry that commits to the files of a snapshot that follow from no counted entry: repositories,
 * policies, waivers and remediations from before the counted range, its scope, anchors, disclosures and report.
 */
export const recordsKind = 'snapshot.records';

/** Their paths in a bundle. */
export const recordsPaths = {
  policies: 'policies.jsonl',
  remediations: 'remediations.jsonl',
  repositories: 'repositories.jsonl',
  waivers: 'waivers.jsonl',
} as const;

/** Repositories, policies, waivers and remediations of a period as contained in a bundle. */
export interface Records {
  readonly repositories: string;
  readonly policies: string;
  readonly waivers: string;
  readonly remediations: string;
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
  const remediations = remediationsIn(all, size, scope);
  return {
    repositories: lines(repositoriesIn(all, size, scope)),
    policies: lines(policies),
    waivers: lines(waivers),
    remediations: lines(remediations),
    leaves: [
      ...leavesOfPolicies(policies),
      ...leavesOfWaivers(waivers),
      ...leavesOfRemediations(remediations),
      ...leavesOfRepositories(all, size),
    ],
  };
}

/** What that entry commits to besides the records. */
export interface SealedFiles {
  readonly scope: Omit<BundleScope, 'redaction'>;
  readonly evaluated: Tree & { readonly epoch: number };
  readonly anchors: readonly Anchor[];
  readonly disclosed: readonly PersonDisclosures[];
  /** Hex; null if no report could be drawn. */
  readonly reportSha256: string | null;
}

/** Builds the subject of that entry. */
export const recordsSubject = (
  { repositories: repositoryLines, policies, waivers, remediations }: Omit<Records, 'leaves'>,
  {
    scope: { org, name, controls, supersedes, period, repositories },
    evaluated,
    anchors,
    disclosed,
    reportSha256,
  }: SealedFiles,
): { readonly [key: string]: CanonicalValue } => ({
  period: { ...period },
  repositories,
  evaluated: { ...evaluated },
  scopeSha256: hashOf({ org: { ...org }, name, controls, supersedes }),
  repositoriesSha256: hash(repositoryLines),
  policiesSha256: hash(policies),
  waiversSha256: hash(waivers),
  remediationsSha256: hash(remediations),
  anchorsSha256: hash(anchorsFile(anchors)),
  disclosedSha256: hash(disclosedFile(disclosed)),
  reportSha256,
});

/** Builds `ledger/anchors.json`. */
export const anchorsFile = (anchors: readonly Anchor[]): string => canonicalJson(anchors.map((one) => ({ ...one })));

/** The key of such an entry: the last one with the same period and repositories applies. */
const recordsKey = ({ period, repositories }: { readonly [key: string]: CanonicalValue }): string =>
  canonicalJson([period ?? null, repositories ?? null]);

/** Returns the entry of the snapshot of a bundle. */
export const sealIn = <Sealed extends Pick<IndexedEntry, 'kind' | 'subject'>>(
  entries: readonly Sealed[],
  { period, repositories }: Pick<BundleScope, 'period' | 'repositories'>,
): Sealed | undefined => {
  const key = recordsKey({ period: { ...period }, repositories });
  return entries.findLast(({ kind, subject }) => kind === recordsKind && recordsKey(subject) === key);
};

const lines = (values: readonly object[]): string =>
  values.map((value) => `${canonicalJson(value as CanonicalValue)}\n`).join('');
const hash = (text: string): string => toHex(sha256(text));
