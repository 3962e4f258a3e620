import type { Day } from './day-scenario.ts';
import type { HostName } from './host-name.ts';
import type { PullRequestScenario } from './pull-request-scenarios.ts';

type ReportedScenario = Pick<PullRequestScenario, 'approval' | 'reasons'>;

/** The behavior of a code host, and expected verdicts where the host cannot report planted data. */
export type HostBehavior = {
  /** Who merges queued pull requests: a bot of the host, or the person who queued them. */
  queue: 'bot' | 'person';
  /** The result of a rebase: copies of the commits, or the commits themselves. */
  rebased: 'copies' | 'forward';
  /** Whether the host lists pushes, so that lost ones are recovered. */
  listsPushes: boolean;
  /** Whether its list tells merges of pull requests from direct pushes. */
  reportsActivity: boolean;
  /** Whether the host reports required checks by name, and the issues linked to a pull request. */
  namesChecks: boolean;
  linksIssues: boolean;
  /** By name; all other scenarios are reported as planted. */
  pullRequestScenarios: Readonly<Record<string, ReportedScenario>>;
  /** The same by day name. */
  days: Readonly<Record<string, Pick<Day, 'verdict' | 'reasons'>>>;
};

const whenDismissed: ReportedScenario = { approval: 'unknown', reasons: [['dismissal_time_unknown']] };

const reportsAll = { listsPushes: true, reportsActivity: true, namesChecks: true, linksIssues: true };

export const hostBehaviors: Readonly<Record<HostName, HostBehavior>> = {
  github: { queue: 'bot', rebased: 'copies', ...reportsAll, pullRequestScenarios: {}, days: {} },
  gitlab: {
    queue: 'person',
    rebased: 'forward',
    ...reportsAll,
    reportsActivity: false,
    pullRequestScenarios: {
      // A reset removes approvals without a note, so the time is unknown.
      dismissed: whenDismissed,
      dismissedAfterTheMerge: whenDismissed,
      // Approvals are deleted with the account of the reviewer, so a prior reset is unknown.
      approvalByDeletedAccount: {
        approval: 'unknown',
        reasons: [
          ['dismissal_time_unknown'],
          ['membership_unknown'],
          ['reviewer_kind_unknown'],
          ['reviewer_unresolved'],
        ],
      },
    },
    // Default branches cannot be deleted there, protected or not.
    days: {
      deletion: { verdict: 'pass', reasons: ['protected_all_day'] },
      adminsFree: { verdict: 'fail', reasons: ['admins_exempt'] },
      unprotected: {
        verdict: 'fail',
        reasons: [
          ...['admins_exempt', 'force_push_allowed', 'stale_approvals_kept'],
          ...['too_few_required_checks', 'too_few_required_reviews'],
        ],
      },
    },
  },
  bitbucket: {
    queue: 'person',
    rebased: 'copies',
    listsPushes: false,
    reportsActivity: false,
    namesChecks: false,
    linksIssues: false,
    pullRequestScenarios: {
      // A withdrawn approval is removed without a time.
      dismissed: whenDismissed,
      dismissedAfterTheMerge: whenDismissed,
      // Only the last decision of a reviewer on a commit is known.
      approvalWithdrawn: { approval: 'no', reasons: [] },
    },
    // Only paid plans report whether administrators are bound, so its absence means nothing.
    days: { adminsFree: { verdict: 'fail', reasons: ['deletion_allowed'] } },
  },
};
