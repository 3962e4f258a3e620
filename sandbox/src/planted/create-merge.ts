import type { Method } from '../git/merging.ts';
import { addMergeCommits } from './add-merge-commits.ts';
import type { CheckOutcome } from './expected-verdicts.ts';
import type { HostBehavior } from './host-scenarios.ts';
import { members, queueBot } from './people.ts';
import type { PullRequestScenario } from './pull-request-scenarios.ts';
import type { Random } from './random.ts';
import type { LostDelivery, Merge, PullRequestStep } from './repository-scenario.ts';
import { requiredCheck } from './required-check.ts';
import { addCommit, type ScenarioBranch } from './scenario-branch.ts';

/** A pull request to generate. `isSound`: it has a passing check and a linked issue. */
export type PullRequestDraft = {
  scenario: string;
  details: PullRequestScenario;
  number: number;
  lost: LostDelivery[];
  isSound: boolean;
};

/** Generates a pull request and merges it into the default branch. */
export const createMerge = (
  branch: ScenarioBranch,
  random: Random,
  draft: PullRequestDraft,
  hostBehavior: HostBehavior,
): { change: Merge; checked: CheckOutcome } => {
  const { scenario, details, number, lost, isSound } = draft;
  const anyMethod: Method = random.pick(['merge', 'squash', 'rebase']);
  const method = details.hasOwnMergeContent && anyMethod === 'rebase' ? 'merge' : anyMethod;
  const isKeyed = !isSound && random.next() < 0.2;
  const title = `${isKeyed ? `PAY-${number}: ` : ''}Change ${number}`;
  const before = branch.tip;
  const uploadable = addPullRequestCommits(branch, { details, number, title }, hostBehavior);
  const commits = mergedCommits(uploadable, hostBehavior);
  const isByPush = details.isMergedByPush === true;
  const picked = pickMerger(random, hostBehavior);
  const { queuedBy, mergedBy } = isByPush ? { queuedBy: null, mergedBy: picked.queuedBy ?? picked.mergedBy } : picked;
  const landed = addMergeCommits(
    branch,
    method,
    { number, title, author: details.author, mergedBy, commits, hasOwnContent: details.hasOwnMergeContent === true },
    hostBehavior,
  );
  const checks = isSound ? 'green' : random.pick(checkOutcomes);
  const steps = createSteps(details, uploadable, { checks, isStatus: random.next() < 0.3 });
  const linkedIssues = isSound || random.next() < 0.4 ? [1000 + number] : [];
  const change: Merge = {
    kind: 'merge',
    scenario,
    number,
    title,
    body: null,
    linkedIssues,
    author: details.author,
    method,
    mergedBy,
    queuedBy,
    isByPush,
    commits,
    before,
    landed,
    steps,
    lost,
  };
  return { change, checked: { checks, isKeyed } };
};

const checkOutcomes = ['green', 'green', 'green', 'green', 'again', 'failed', 'late', 'none'] as const;

/** What determines the commits of a pull request. `title`: its own. */
type CommitsDraft = { details: Pick<PullRequestScenario, 'commits'>; number: number; title: string };

/**
 * Adds the commits of a pull request, and returns their numbers, oldest first: those of its branch, or the only commit
 * of a change, followed by its amended versions.
 */
export const addPullRequestCommits = (
  branch: ScenarioBranch,
  { details, number, title }: CommitsDraft,
  { isAmended }: HostBehavior,
): number[] => {
  if (isAmended) return addAmendedCommits(branch, details, title);
  const commits: number[] = [];
  for (const { author, committer, trailers = [] } of details.commits) {
    const message = [`Work on change ${number}`, ...(trailers.length > 0 ? ['', ...trailers] : [])].join('\n');
    commits.push(addCommit(branch, { parents: [commits.at(-1) ?? branch.tip], author, committer, message }));
  }
  return commits;
};

/** Each version has the files of those before it. Amending keeps the author, unless another one is named. */
const addAmendedCommits = (
  branch: ScenarioBranch,
  { commits }: Pick<PullRequestScenario, 'commits'>,
  title: string,
): number[] => {
  const first = branch.drafts.length + 1;
  return commits.map(({ author, committer, trailers = [] }, index) =>
    addCommit(branch, {
      parents: [branch.tip],
      author: author === committer ? (commits[0]?.author ?? author) : author,
      committer,
      message: [title, ...(trailers.length > 0 ? ['', ...trailers] : [])].join('\n'),
      files: Array.from({ length: index + 1 }, (_, before) => first + before),
    }),
  );
};

/** The commits that the merge brings to the default branch: of amended ones, the last. */
export const mergedCommits = (commits: number[], { isAmended }: HostBehavior): number[] =>
  isAmended ? commits.slice(-1) : commits;

/** Picks the member who merges, or who adds the pull request to the merge queue. */
const pickMerger = (random: Random, { queue }: HostBehavior): Pick<Merge, 'queuedBy' | 'mergedBy'> => {
  const queuedBy = random.next() < 0.15 ? random.pick(members) : null;
  if (queuedBy === null) return { queuedBy, mergedBy: random.pick(members) };
  return { queuedBy, mergedBy: queue === 'bot' ? queueBot : queuedBy };
};

const conclusionsBeforeMerge = {
  green: ['success'],
  again: ['failure', 'success'],
  failed: ['failure'],
  late: [],
  none: [],
} as const;

/** Inserts the required check and the merge between the steps of the scenario. */
const createSteps = (
  { steps, stepsAfterMerge }: PullRequestScenario,
  commits: readonly number[],
  { checks, isStatus }: { checks: CheckOutcome['checks']; isStatus: boolean },
): PullRequestStep[] => {
  const markOf = (index: number): number => commits[index] ?? 0;
  const check = (conclusion: 'success' | 'failure'): PullRequestStep => ({
    kind: 'check',
    name: requiredCheck,
    commit: commits.at(-1) ?? 0,
    conclusion,
    isStatus,
  });
  return [
    ...steps(markOf),
    ...conclusionsBeforeMerge[checks].map(check),
    { kind: 'merge' },
    ...(checks === 'late' ? [check('success')] : []),
    ...(stepsAfterMerge?.(markOf) ?? []),
  ];
};
