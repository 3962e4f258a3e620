import type { Method } from '../git/merging.ts';
import type { CommitCheck } from '../git/model.ts';
import type { Person, PullRequestReview } from '../git/pull-request.ts';
import type { HostName } from './host-name.ts';

/**
 * A commit to create; commits refer to each other by these numbers. `files` are the numbers of commits whose files it
 * contains.
 */
export type CommitDraft = {
  mark: number;
  parents: number[];
  author: Person;
  committer: Person;
  message: string;
  files: number[];
  /** Days by which its dates precede those of the other commits. */
  backdatedDays?: number;
};

/** The steps of a pull request in order, one second apart. */
export type PullRequestStep =
  | { kind: 'push'; head: number; by: Person }
  | { kind: 'open' }
  | { kind: 'review'; key: string; by: Person; verdict: PullRequestReview['verdict']; commit: number }
  | { kind: 'dismiss'; key: string; by: Person }
  | {
      kind: 'check';
      name: string;
      commit: number;
      /** Null: it still runs. */
      conclusion: CommitCheck['conclusion'];
      isStatus: boolean;
      /** ID of the app that reports it; by default that of the installation. */
      app?: number;
    }
  | { kind: 'merge' };

/** The lost deliveries. */
export type LostDelivery = 'push' | 'closed';

export type Merge = {
  kind: 'merge';
  scenario: string;
  number: number;
  /** The branch of the pull request; by default named by its number. */
  branch?: string;
  title: string;
  body: string | null;
  linkedIssues: number[];
  author: Person;
  method: Method;
  mergedBy: Person;
  queuedBy: Person | null;
  /** Whether its commits were pushed directly. */
  isByPush: boolean;
  commits: number[];
  before: number;
  /** The new commits of the default branch, oldest first; the last one is its tip. */
  landed: number[];
  steps: PullRequestStep[];
  lost: LostDelivery[];
};

export type Direct = {
  kind: 'direct';
  scenario: string;
  by: Person;
  before: number;
  commits: number[];
  isForced: boolean;
  /** Whether the branch is deleted and created again with the commits. */
  isRecreated?: boolean;
  lost: LostDelivery[];
};

export type ScenarioChange = Merge | Direct;

/** The expected verdict of a change. Reasons have no review IDs; the host's IDs are added later. */
export type ExpectedChangeVerdict = {
  control: string;
  /** The merge or push, or each of the commits that reached the branch. */
  of: 'change' | 'commits';
  verdict: 'pass' | 'fail' | 'missing_evidence';
  /** `[reason]`, or `[reason, key of the review]`. */
  reasons: (readonly [string] | readonly [string, string])[];
};

/** A repository to simulate: commits, changes in order, and the expected verdicts of each. */
export type RepositoryScenario = {
  seed: number;
  on: HostName;
  drafts: CommitDraft[];
  root: number;
  changes: ScenarioChange[];
  expectedVerdicts: ExpectedChangeVerdict[][];
};
