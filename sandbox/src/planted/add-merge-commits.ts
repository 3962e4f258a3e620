import type { Method } from '../git/merging.ts';
import type { Person } from '../git/pull-request.ts';
import type { HostBehavior } from './host-scenarios.ts';
import { addCommit, type ScenarioBranch } from './scenario-branch.ts';

/** A pull request to merge. `commits`: of its branch, oldest first. `hasOwnContent`: the merged commit adds a file. */
export type MergeDraft = {
  number: number;
  title: string;
  author: Person;
  mergedBy: Person;
  commits: number[];
  hasOwnContent: boolean;
};

/** Merges a pull request into the default branch, and returns the new commits of that branch, oldest first. */
export const addMergeCommits = (
  branch: ScenarioBranch,
  method: Method,
  draft: MergeDraft,
  { rebased, isAmended = false }: HostBehavior,
): number[] => {
  const landed =
    method === 'rebase' || (method === 'squash' && isAmended)
      ? addRebasedCommits(branch, draft, rebased)
      : [addCommitOf(branch, method, draft)];
  branch.tip = landed.at(-1) ?? branch.tip;
  return landed;
};

const addRebasedCommits = (
  branch: ScenarioBranch,
  { commits, mergedBy, hasOwnContent }: MergeDraft,
  rebased: HostBehavior['rebased'],
): number[] => {
  if (rebased === 'forward') return commits;
  let parent = branch.tip;
  return commits.map((mark) => {
    const { author, message } = branch.drafts[mark - 1] ?? { author: mergedBy, message: '' };
    const files = [...filesOf(branch, [mark]), ...(hasOwnContent ? [branch.drafts.length + 1] : [])];
    parent = addCommit(branch, { parents: [parent], author, committer: mergedBy, message, files });
    return parent;
  });
};

const addCommitOf = (
  branch: ScenarioBranch,
  method: 'merge' | 'squash',
  { number, title, author, mergedBy, commits, hasOwnContent }: MergeDraft,
): number => {
  // The file with the number of the merged commit is its own.
  const files = [...filesOf(branch, commits), ...(hasOwnContent ? [branch.drafts.length + 1] : [])];
  return method === 'squash'
    ? addCommit(branch, {
        parents: [branch.tip],
        author,
        committer: mergedBy,
        message: `${title} (#${number})`,
        files,
      })
    : addCommit(branch, {
        parents: [branch.tip, commits.at(-1) ?? branch.tip],
        author: mergedBy,
        committer: mergedBy,
        message: `Merge pull request #${number} from acme/change-${number}\n\n${title}`,
        files,
      });
};

const filesOf = ({ drafts }: ScenarioBranch, commits: readonly number[]): number[] =>
  commits.flatMap((mark) => drafts[mark - 1]?.files ?? []);
