import type { CommitComparison, MergeComparison } from './compare.ts';

/** What was compared of a repository; null if that source was not given. */
export interface RepositoryReconciliation {
  readonly repository: string;
  readonly merges: MergeComparison | null;
  readonly commits: CommitComparison | null;
}

/** Whether nothing is missing on either side. */
export const isReconciled = ({ merges, commits }: RepositoryReconciliation): boolean =>
  [
    merges?.missingInBundle,
    merges?.missingOnHost,
    merges?.different,
    commits?.missingInBundle,
    commits?.missingInClone,
  ].every((differences) => differences === undefined || differences.length === 0);

/** The result as one line for the repository and one for each difference. */
export const reconciliationLines = (result: RepositoryReconciliation): string[] => [
  `${result.repository}: ${[
    ...(result.merges ? [`${result.merges.both} merges`] : []),
    ...(result.commits ? [`${result.commits.both} commits`] : []),
  ].join(' and ')} are on both sides.`,
  ...(result.merges ? mergeLines(result.merges) : []),
  ...(result.commits ? commitLines(result.commits) : []),
  ...(isReconciled(result) ? ['  Nothing is missing on either side.'] : []),
];

const mergeLines = (compared: MergeComparison): string[] => [
  ...compared.missingInBundle.map(
    ({ number, branch, mergedAt, title }) =>
      `  not in the bundle: merge #${number} into ${branch}, ${mergedAt ?? 'at an unknown time'}, ${title}`,
  ),
  ...compared.missingOnHost.map(
    ({ number, branch, mergedAt }) => `  not on the code host: merge #${number} into ${branch}, ${mergedAt}`,
  ),
  ...compared.different.map(
    ({ number, bundle, host }) =>
      `  different: merge #${number} is commit ${bundle} in the bundle and ${host} on the code host`,
  ),
  ...compared.otherBranches.map(
    ({ branch, merges }) => `  Not compared: ${merges} merges into ${branch}, a branch that the bundle does not cover.`,
  ),
  ...(compared.isSameRepository
    ? []
    : ['  The bundle contains no change of this repository that confirms its ID at the code host.']),
];

const commitLines = (compared: CommitComparison): string[] => [
  ...compared.missingInBundle.map(({ sha, at, title }) => `  not in the bundle: commit ${sha}, ${at}, ${title}`),
  ...compared.missingInClone.map((sha) => `  not in the clone: commit ${sha}`),
  ...(compared.unknownPushes > 0
    ? [`  The bundle states ${compared.unknownPushes} pushes with unknown commits, which may contain missing ones.`]
    : []),
];
