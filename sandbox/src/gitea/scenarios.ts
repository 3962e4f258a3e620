import { type HostScenarios, reportsAll } from '../planted/host-scenarios.ts';

const noApp = 'No app stands behind a status: every account that can write can set any.';
const ownPull = 'Authors cannot approve their pull requests there.';

export const scenarios: HostScenarios = {
  title: 'Forgejo / Gitea',
  behavior: {
    queue: 'person',
    rebased: 'copies',
    ...reportsAll,
    // The feed has merges beside pushes, and does not tell which push is one.
    reportsActivity: false,
    pullRequestScenarios: {},
    // Default branches and protected ones cannot be deleted there, and who may push by force may push.
    days: {
      forcePush: { verdict: 'fail', reasons: ['admins_exempt', 'force_push_allowed'] },
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
    'CHG-02': 'pass by_pull_request host_activity_not_reported',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    'CHG-06': 'pass ticket_found',
  },
  differences: {
    'the author approves': { notOn: ownPull },
    'the author and a member approve': { notOn: ownPull },
    'the default branch was deleted and created again with another commit': {
      notOn: 'Default branches cannot be deleted there.',
    },
    'another app reported the required check': { notOn: noApp },
    'the required check ended as neutral': { notOn: 'Statuses have no such result.' },
    'a commit status was set over the failed run': {
      because: 'Runs are statuses there, and a later one of the same name replaces it.',
      expected: { 'CHG-05': 'pass required_checks_passed' },
    },
  },
};
