import { type HostScenarios, whenDismissed } from '../planted/host-scenarios.ts';

export const scenarios: HostScenarios = {
  title: 'Bitbucket',
  behavior: {
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
  compliant: {
    'CHG-01': 'pass independent_approval',
    'CHG-02': 'pass by_pull_request host_activity_not_reported',
    'CHG-03': 'pass merged_by_another',
    // It requires a number of builds without their names.
    'CHG-05': 'missing_evidence required_checks_unknown',
    // It links no issues, and no issue tracker is connected.
    'CHG-06': 'fail no_ticket',
  },
  differences: {},
};
