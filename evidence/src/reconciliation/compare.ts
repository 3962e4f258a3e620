import type { BundleMerge, BundleRepository, BundleSide } from './bundle-side.ts';
import type { CloneCommit, CloneCommits } from './clone-commits.ts';
import type { HostMerge, HostRepositoryMerges } from './host-merges.ts';

type Span = Pick<BundleSide, 'from' | 'until'>;

/** The merged pull requests that only one side has. */
export interface MergeComparison {
  /** The number of merges that both have. */
  readonly both: number;
  readonly missingInBundle: readonly HostMerge[];
  readonly missingOnHost: readonly BundleMerge[];
  /** Those whose merge commits differ. */
  readonly different: readonly { readonly number: number; readonly bundle: string; readonly host: string }[];
  /** Merges into branches that the bundle does not cover, by branch: they are not compared. */
  readonly otherBranches: readonly { readonly branch: string; readonly merges: number }[];
  /** Whether the bundle confirms by the ID of the code host that this is its repository. */
  readonly isSameRepository: boolean;
}

/**
 * Compares the merges of a bundle with those of its code host, which must have read all that were merged since the
 * beginning. `mergeTimeOf` is called for merges without a time that only the code host has. Throws if the bundle names
 * another repository.
 */
export async function compareMerges(
  repository: BundleRepository,
  host: HostRepositoryMerges & { readonly name: string },
  { from, until, mergeTimeOf }: Span & { mergeTimeOf: (number: number) => Promise<string | null> },
): Promise<MergeComparison> {
  for (const origin of repository.origins) {
    if (origin.host === host.name && origin.repository === host.id) continue;
    throw new Error(
      `The changes of the bundle come from repository ${origin.repository} of ${origin.host}, the address leads to repository ${host.id} of ${host.name}`,
    );
  }
  const branches = new Set([host.defaultBranch, ...repository.merges.map(({ branch }) => branch)]);
  const inBundle = new Map(repository.merges.map((merge) => [merge.number, merge]));
  const onHost = new Map(host.merges.map((merge) => [merge.number, merge]));
  const candidates = host.merges.filter(({ number }) => !inBundle.has(number));
  const timed: HostMerge[] = [];
  for (const merge of candidates) {
    const isUntimed = merge.mergedAt === null && branches.has(merge.branch);
    timed.push(isUntimed ? { ...merge, mergedAt: await mergeTimeOf(merge.number) } : merge);
  }
  const inSpan = timed.filter(({ mergedAt }) => mergedAt === null || (mergedAt >= from && mergedAt < until));
  const others = Map.groupBy(
    inSpan.filter(({ branch }) => !branches.has(branch)),
    ({ branch }) => branch,
  );
  return {
    both: repository.merges.filter(({ number }) => onHost.has(number)).length,
    missingInBundle: inSpan.filter(({ branch }) => branches.has(branch)).toSorted(byNumber),
    missingOnHost: repository.merges.filter(({ number }) => !onHost.has(number)).toSorted(byNumber),
    different: repository.merges.flatMap(({ number, mergeSha }) => {
      const commits = onHost.get(number)?.commits ?? [];
      if (mergeSha === null || commits.length === 0 || commits.some((commit) => mergeSha.startsWith(commit))) return [];
      return [{ number, bundle: mergeSha, host: commits[0] ?? '' }];
    }),
    otherBranches: [...others].map(([branch, { length }]) => ({ branch, merges: length })).toSorted(byBranch),
    isSameRepository: repository.origins.length > 0,
  };
}

const byNumber = (one: { number: number }, other: { number: number }): number => one.number - other.number;
const byBranch = (one: { branch: string }, other: { branch: string }): number => (one.branch < other.branch ? -1 : 1);

/** The commits that only one side has. */
export interface CommitComparison {
  readonly both: number;
  readonly missingInBundle: readonly CloneCommit[];
  readonly missingInClone: readonly string[];
  /** The number of pushes whose commits the bundle states as missing evidence. */
  readonly unknownPushes: number;
}

/**
 * Compares the commits that reached the default branch. In the clone these are its first parents with a committer time
 * in the period: code hosts set that time when they merge. Throws without CHG-02.
 */
export function compareCommits(
  { commits, unknownPushes }: BundleRepository,
  { all, firstParents }: CloneCommits,
  { from, until }: Span,
): CommitComparison {
  if (commits === null) throw new Error('The bundle does not contain CHG-02, which lists all commits');
  const inBundle = new Set(commits);
  return {
    both: [...inBundle].filter((sha) => all.has(sha)).length,
    missingInBundle: firstParents.filter(({ sha, at }) => at >= from && at < until && !inBundle.has(sha)),
    missingInClone: [...inBundle].filter((sha) => !all.has(sha)).toSorted(),
    unknownPushes,
  };
}
