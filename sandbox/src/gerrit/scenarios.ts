import { type HostScenarios, reportsAll, whenDismissed } from '../planted/host-scenarios.ts';

export const scenarios: HostScenarios = {
  title: 'Gerrit',
  behavior: {
    queue: 'person',
    rebased: 'copies',
    ...reportsAll,
    // The reflog does not tell submissions from pushes, and changes link no issues.
    reportsActivity: false,
    linksIssues: false,
    pullRequestScenarios: {
      // Only the time of one upload is known.
      dismissed: whenDismissed,
    },
    days: {},
  },
  compliant: {
    'CHG-01': 'pass independent_approval',
    'CHG-02': 'pass by_pull_request host_activity_not_reported',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    'CHG-06': 'fail no_ticket',
  },
  differences: {},
};
