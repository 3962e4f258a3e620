import { agent, members, nonMember } from '../people.ts';
import { pullRequestScenarios } from '../pull-request-scenarios.ts';
import type { PullRequestRow, PushRow } from './scenario-row.ts';

const [member = nonMember] = members;
const direct = { 'CHG-01': 'fail direct_push no_independent_approval', 'CHG-02': 'fail direct_push' };

const push = (
  source: PushRow['source'],
  name: string,
  rest: Partial<Omit<PushRow, 'kind' | 'source' | 'name'>> = {},
): PushRow => ({ kind: 'push', source, name, by: member, commits: 1, expected: direct, ...rest });

const merge = (name: string, rest: Partial<PullRequestRow>): PullRequestRow => ({
  kind: 'pull request',
  source: 'review',
  name,
  parts: (people) => {
    const scenario = pullRequestScenarios.dismissedAfterTheMerge;
    if (scenario === undefined) throw new RangeError('There is no scenario with one commit.');
    const { author, commits, steps } = scenario(people);
    return { author, commits, steps };
  },
  expected: {},
  ...rest,
});

/** Pushes to the default branch, and lost webhooks. */
export const pushRows: readonly (PushRow | PullRequestRow)[] = [
  push('own', 'a direct push', { isRepresentative: true }),
  push('own', 'a direct push of three commits', { commits: 3 }),
  push('own', 'a direct push of a stranger', { by: nonMember }),
  push('own', 'a direct push of a program', { by: agent }),
  push('review', 'a direct push of a commit dated two years before', { backdatedDays: 730 }),
  push('review', 'a forced push', {
    isForced: true,
    expected: { ...direct, 'CHG-02': 'fail direct_push forced_push' },
  }),
  push('review', 'the default branch was deleted and created again with another commit', {
    isRecreated: true,
    notOn: {
      gitlab: 'Default branches cannot be deleted there.',
      bitbucket: 'Default branches cannot be deleted there.',
    },
  }),
  merge('the webhook of the merge was lost', { lost: ['closed'] }),
  // Bitbucket lists no pushes: CHG-02 has a row for the range of commits instead.
  merge('the webhook of the push was lost', { lost: ['push'] }),
  merge('both webhooks of the merge were lost', { lost: ['push', 'closed'] }),
  push('own', 'the webhook of a direct push was lost', {
    lost: ['push'],
    notOn: {
      bitbucket: 'It lists no pushes: the commits are in the range of unreported ones, which is missing evidence.',
    },
  }),
];
