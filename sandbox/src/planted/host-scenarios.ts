import type { Day } from './day-scenario.ts';
import type { PullRequestScenario } from './pull-request-scenarios.ts';
import type { ExpectedCells } from './table/scenario-row.ts';

type ReportedScenario = Pick<PullRequestScenario, 'approval' | 'reasons'>;

/** The behavior of a code host, and expected verdicts where the host cannot report planted data. */
export type HostBehavior = {
  /** Who merges queued pull requests: a bot of the host, or the person who queued them. */
  queue: 'bot' | 'person';
  /** The result of a rebase: copies of the commits, or the commits themselves. */
  rebased: 'copies' | 'forward';
  /** Whether a change is one commit, which each upload replaces by an amended one. By default it has a branch. */
  isAmended?: boolean;
  /** Whether the host lists pushes, so that lost ones are recovered. */
  listsPushes: boolean;
  /** Whether its list tells merges of pull requests from direct pushes. */
  reportsActivity: boolean;
  /** Whether a pull request tells that a push closed it, so that its commit is a direct push. */
  tellsPushes?: boolean;
  /** Whether the host reports required checks by name, and the issues linked to a pull request. */
  namesChecks: boolean;
  linksIssues: boolean;
  /** By name; all other scenarios are reported as planted. */
  pullRequestScenarios: Readonly<Record<string, ReportedScenario>>;
  /** The same by day name. */
  days: Readonly<Record<string, Pick<Day, 'verdict' | 'reasons'>>>;
};

/** How a row of the table of scenarios differs on a code host: `notOn` says why it cannot be produced there. */
export type RowDifference = { because: string; expected: ExpectedCells } | { notOn: string };

/** What a code host is expected to report. A file scenarios.ts in its folder exports it, and hosts.ts lists it. */
export type HostScenarios = {
  title: string;
  behavior: HostBehavior;
  /** The results of a compliant change. */
  compliant: Required<ExpectedCells>;
  /** By the name of the row. */
  differences: Readonly<Record<string, RowDifference>>;
};

export const reportsAll = { listsPushes: true, reportsActivity: true, namesChecks: true, linksIssues: true };

/** A host that removes dismissed approvals without a time. */
export const whenDismissed: ReportedScenario = { approval: 'unknown', reasons: [['dismissal_time_unknown']] };
