import { type HostScenarios, reportsAll } from '../planted/host-scenarios.ts';

const noComment = 'A comment is no vote there.';

export const scenarios: HostScenarios = {
  title: 'Azure DevOps',
  behavior: {
    queue: 'person',
    rebased: 'copies',
    ...reportsAll,
    // Completed pull requests are pushes like others.
    reportsActivity: false,
    pullRequestScenarios: {},
    // The permission to push by force and to bypass policies also deletes a branch, and nothing else does.
    days: {
      // The reset of votes is a setting of the policy that requires reviews.
      noReviews: { verdict: 'fail', reasons: ['stale_approvals_kept', 'too_few_required_reviews'] },
      deletion: { verdict: 'pass', reasons: ['protected_all_day'] },
      adminsFree: { verdict: 'fail', reasons: ['admins_exempt'] },
      forcePush: { verdict: 'fail', reasons: ['admins_exempt', 'deletion_allowed', 'force_push_allowed'] },
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
    'a review only comments': { notOn: noComment },
    'a second member account with the signing key of the author approves': {
      notOn: 'Its API has no signatures of commits.',
    },
    'the default branch was deleted and created again with another commit': {
      notOn: 'Branches with required policies cannot be deleted there.',
    },
    'a commit status was set over the failed run': {
      because: 'Runs are statuses there, and a later one of the same name replaces it.',
      expected: { 'CHG-05': 'pass required_checks_passed' },
    },
    'the required check was skipped': { notOn: 'Statuses have no such result.' },
  },
};
