import type { Method } from '../../git/merging.ts';
import type { CommitCheck } from '../../git/model.ts';
import type { Person } from '../../git/pull-request.ts';
import type { HostName } from '../host-name.ts';
import type { PullRequestScenario } from '../pull-request-scenarios.ts';
import type { LostDelivery } from '../repository-scenario.ts';

/** The controls whose results the table states for each change. */
export const tableControls = ['CHG-01', 'CHG-02', 'CHG-03', 'CHG-05', 'CHG-06'] as const;
export type TableControl = (typeof tableControls)[number];

/**
 * The expected result per control: verdict, then reasons. A reason about a review ends in `:` and the key of the review,
 * for example `fail approved_by_author:r no_independent_approval`. Null: the change is not in the population.
 */
export type ExpectedCells = Partial<Record<TableControl, string | null>>;

/** What produces a scenario: a review of the product, the list of bypasses that it led to, or ourselves. */
export type ScenarioSource = 'review' | 'own';

/**
 * What differs while a change is merged: an issue tracker is connected; the protection of the branch; the repository is
 * disabled for a moment; a policy exempts every source branch. By default nothing.
 */
export type RowPhase =
  | 'issue tracker'
  | 'compliant'
  | 'no checks'
  | 'checks of one app'
  | 'repository disabled'
  | 'exempted by a policy';

/** A result of the required check; by default before the merge and on the last commit of the pull request. */
export type CheckStep = {
  conclusion: CommitCheck['conclusion'];
  isStatus?: boolean;
  app?: number;
  on?: 'first commit';
  when?: 'after the merge';
};

export type RowPeople = {
  author: Person;
  reviewer: Person;
  other: Person;
  /** A member who only merges. */
  merger: Person;
};

export type PullRequestParts = Pick<PullRequestScenario, 'author' | 'commits' | 'steps' | 'stepsAfterMerge'>;

type SharedRow = {
  /** A phrase that names it in results. */
  name: string;
  source: ScenarioSource;
  /** Differences from the result of a compliant change on any code host. */
  expected: ExpectedCells;
  /** Differences on one code host, and the reason for them. */
  on?: Partial<Record<HostName, { because: string; expected: ExpectedCells }>>;
  /** Code hosts that cannot produce it, and why. */
  notOn?: Partial<Record<HostName, string>>;
  /** Whether `npm test` runs it. */
  isRepresentative?: boolean;
  lost?: LostDelivery[];
};

export type PullRequestRow = SharedRow & {
  kind: 'pull request';
  parts: (people: RowPeople) => PullRequestParts;
  phase?: RowPhase;
  method?: Method;
  mergedBy?: (people: RowPeople) => Person;
  isQueued?: boolean;
  isByPush?: boolean;
  hasOwnContent?: boolean;
  checks?: readonly CheckStep[];
  title?: string;
  hasLinkedIssue?: boolean;
  /** Whether its commits are signed with the key that two accounts share. */
  isSignedWithSharedKey?: boolean;
};

export type PushRow = SharedRow & {
  kind: 'push';
  by: Person;
  commits: number;
  isForced?: boolean;
  isRecreated?: boolean;
  backdatedDays?: number;
};

export type ScenarioRow = PullRequestRow | PushRow;
