import { type HostScenarios, reportsAll, whenDismissed } from '../planted/host-scenarios.ts';

export const scenarios: HostScenarios = {
  title: 'GitLab',
  behavior: {
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
  compliant: {
    'CHG-01': 'pass independent_approval',
    // It does not tell merges from pushes.
    'CHG-02': 'pass by_pull_request host_activity_not_reported',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    'CHG-06': 'pass ticket_found',
  },
  differences: {},
};
