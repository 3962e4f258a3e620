import type { Method } from '../git/merging.ts';
import type { CommitCheck } from '../git/model.ts';
import type { Person, PullRequestReview } from '../git/pull-request.ts';
import type { HostName } from './host-name.ts';

/** A commit to be made; commits name each other by these numbers. `files` are the numbers of commits whose files it brings. */
export type CommitDraft = {
  mark: number;
  parents: number[];
  author: Person;
  committer: Person;
  message: string;
  files: number[];
};

/** What happens to a pull request, in this order: each a second after the one before it. */
export type StoryStep =
  | { kind: 'push'; after: number; by: Person }
  | { kind: 'open' }
  | { kind: 'review'; key: string; by: Person; verdict: PullRequestReview['verdict']; commit: number }
  | { kind: 'dismiss'; key: string; by: Person }
  | { kind: 'check'; name: string; commit: number; conclusion: CommitCheck['conclusion']; isStatus: boolean }
  | { kind: 'merge' };

/** Which deliveries get lost on the way. */
export type Loss = 'push' | 'closed';

export type Merge = {
  kind: 'merge';
  plot: string;
  number: number;
  title: string;
  body: string | null;
  linkedIssues: number[];
  author: Person;
  method: Method;
  mergedBy: Person;
  queuedBy: Person | null;
  commits: number[];
  before: number;
  /** What the default branch got, oldest first; the last is where it stands then. */
  landed: number[];
  steps: StoryStep[];
  lost: Loss[];
};

export type Direct = {
  kind: 'direct';
  plot: string;
  by: Person;
  before: number;
  commits: number[];
  isForced: boolean;
  lost: Loss[];
};

export type StoryChange = Merge | Direct;

/** What must be said of a change, by reasons without the id of a review: `reviews` tells which one each of them is about. */
export type Truth = {
  control: string;
  /** The merge, the push, or each of the commits that reached the branch. */
  of: 'change' | 'commits';
  verdict: 'pass' | 'fail' | 'missing_evidence';
  /** `[reason]`, or `[reason, key of the review]`. */
  reasons: (readonly [string] | readonly [string, string])[];
};

/** A repository that is to happen: commits, changes in their order, and the truth about each. */
export type Story = {
  seed: number;
  on: HostName;
  drafts: CommitDraft[];
  root: number;
  changes: StoryChange[];
  truths: Truth[][];
};
