import { type HostScenarios, reportsAll } from '../planted/host-scenarios.ts';

export const scenarios: HostScenarios = {
  title: 'Gerrit',
  behavior: {
    queue: 'person',
    rebased: 'copies',
    isAmended: true,
    ...reportsAll,
    // The reflog does not tell submissions from pushes, and changes link no issues.
    reportsActivity: false,
    tellsPushes: true,
    linksIssues: false,
    // A later vote of the same account ends the earlier one.
    pullRequestScenarios: {
      approvalWithdrawn: {
        approval: 'no',
        reasons: [
          ['approval_dismissed', 'r'],
          ['approval_withdrawn', 'r'],
        ],
      },
    },
    // Who may push to the branch by force is not bound by reviews, and may delete it.
    days: {
      forcePush: { verdict: 'fail', reasons: ['admins_exempt', 'deletion_allowed', 'force_push_allowed'] },
    },
  },
  compliant: {
    'CHG-01': 'pass independent_approval',
    'CHG-02': 'pass by_pull_request host_activity_not_reported',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    // It links no issues, and no issue tracker is connected.
    'CHG-06': 'fail no_ticket',
  },
  differences: {
    'the approver committed in the middle': {
      notOn: 'A change has one commit, and nothing remains of versions that were not uploaded.',
    },
    'the commits were pushed directly, and the host shows the pull request as merged': {
      because: 'The change tells that a push closed it, so that its commit is one without a pull request.',
      expected: {
        'CHG-01': 'fail direct_push no_independent_approval',
        'CHG-02': 'fail direct_push',
        'CHG-03': null,
        'CHG-05': null,
        'CHG-06': null,
      },
    },
    'the approver requests changes afterwards': {
      because: 'A later vote of the same account ends the earlier one.',
      expected: { 'CHG-01': 'fail no_independent_approval approval_dismissed:r approval_withdrawn:r' },
    },
    'the default branch was deleted and created again with another commit': {
      notOn: 'The branch of HEAD cannot be deleted there.',
    },
    'a second member account with the signing key of the author approves': {
      notOn: 'Its API has no signatures of commits.',
    },
    'another app reported the required check': {
      notOn: 'No app stands behind a vote: every account with the access right can vote.',
    },
    'the required check ended as neutral': { notOn: 'Votes have no such result.' },
    'the required check still ran': {
      because: 'A check votes when it ends, so that nothing is known of one that runs.',
      expected: { 'CHG-05': 'fail required_check_missing' },
    },
    'a commit status was set over the failed run': {
      because: 'Runs and statuses are votes for the same label, and the last one counts.',
      expected: { 'CHG-05': 'pass required_checks_passed' },
    },
  },
};
