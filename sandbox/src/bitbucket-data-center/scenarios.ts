import { type HostScenarios, reportsAll } from '../planted/host-scenarios.ts';

const noApp = 'No app stands behind a build: every account that can read can report any.';
const ownPull = 'Authors cannot approve their pull requests there.';

export const scenarios: HostScenarios = {
  title: 'Bitbucket Data Center',
  behavior: {
    queue: 'person',
    rebased: 'copies',
    ...reportsAll,
    linksIssues: false,
    pullRequestScenarios: {},
    // Who may push by force is exempt from the rule that requires pull requests.
    days: {
      forcePush: { verdict: 'fail', reasons: ['admins_exempt', 'force_push_allowed'] },
    },
  },
  compliant: {
    'CHG-01': 'pass independent_approval',
    'CHG-02': 'pass by_pull_request',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    // It links no issues, and no issue tracker is connected.
    'CHG-06': 'fail no_ticket',
  },
  differences: {
    'the author approves': { notOn: ownPull },
    'the author and a member approve': { notOn: ownPull },
    'a review only comments': { notOn: 'A comment is no review there.' },
    'the default branch was deleted and created again with another commit': {
      notOn: 'Default branches cannot be deleted there.',
    },
    'another app reported the required check': { notOn: noApp },
    'the required check ended as neutral': { notOn: 'Builds have no such result.' },
    'a commit status was set over the failed run': {
      because: 'Runs and statuses are builds of the same plan there, and the last one counts.',
      expected: { 'CHG-05': 'pass required_checks_passed' },
    },
    'a second member account with the signing key of the author approves': {
      notOn: 'Its API has no signatures of commits.',
    },
    'the commits were pushed directly, and the host shows the pull request as merged': {
      because: 'Its list of updates names the push.',
      expected: { 'CHG-01': 'fail merged_by_push', 'CHG-02': 'fail merged_by_push' },
    },
  },
};
