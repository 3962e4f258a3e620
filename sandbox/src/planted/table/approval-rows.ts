import type { Person } from '../../git/pull-request.ts';
import { agent, newMember, nonMember, secondAccounts } from '../people.ts';
import { pullRequestScenarios } from '../pull-request-scenarios.ts';
import type { PullRequestStep } from '../repository-scenario.ts';
import type { ExpectedCells, PullRequestRow, RowPeople, ScenarioSource } from './scenario-row.ts';

const by = (person: Person) => ({ author: person, committer: person });
const push = (head: number, person: Person): PullRequestStep => ({ kind: 'push', head, by: person });
const open: PullRequestStep = { kind: 'open' };
const review = (
  key: string,
  person: Person,
  commit: number,
  verdict: 'approved' | 'changes_requested' | 'commented' = 'approved',
): PullRequestStep => ({ kind: 'review', key, by: person, verdict, commit });

/** The parts of a scenario that random histories also have. */
const planted =
  (name: keyof typeof pullRequestScenarios): PullRequestRow['parts'] =>
  (people) => {
    const scenario = pullRequestScenarios[name];
    if (scenario === undefined) throw new RangeError(`No scenario is called ${name}.`);
    return scenario(people);
  };

/** One commit, with the reviews of these accounts in order. */
const approvedBy =
  (reviewers: (people: RowPeople) => Person[]): PullRequestRow['parts'] =>
  (people) => ({
    author: people.author,
    commits: [by(people.author)],
    steps: (markOf) => [
      push(markOf(0), people.author),
      open,
      ...reviewers(people).map((person, index) => review(['r', 's', 't'][index] ?? 'u', person, markOf(0))),
    ],
  });

type Rest = Omit<PullRequestRow, 'kind' | 'name' | 'source' | 'parts' | 'expected'>;

type CreateRow = (name: string, parts: PullRequestRow['parts'], expected: ExpectedCells, rest?: Rest) => PullRequestRow;

const rowOf =
  (source: ScenarioSource): CreateRow =>
  (name, parts, expected, rest = {}) => ({ kind: 'pull request', name, source, parts, expected, ...rest });

const [own, fromReview] = [rowOf('own'), rowOf('review')];

const ofAuthor = ({ author }: RowPeople): Person => author;
const reviewedByOne = approvedBy(({ reviewer }) => [reviewer]);
const unreviewed = 'fail no_independent_approval';

const noDismissalTime = {
  because: 'A withdrawn approval has no time there.',
  expected: { 'CHG-01': 'missing_evidence dismissal_time_unknown' },
};

/** Pull requests that differ in who wrote, pushed, approved and merged them. */
export const approvalRows: readonly PullRequestRow[] = [
  own('a compliant change', planted('sound'), {}, { isRepresentative: true }),
  fromReview('a stranger approves', planted('approvalByNonMember'), {
    'CHG-01': `${unreviewed} approved_by_non_member:r`,
  }),
  fromReview('no review', planted('unreviewed'), { 'CHG-01': unreviewed }, { isRepresentative: true }),
  fromReview('the approver is co-author of the squashed commit', planted('approvalByCoAuthor'), {
    'CHG-01': `${unreviewed} approved_by_author:r`,
  }),
  fromReview(
    'the approver committed in the middle',
    ({ author, reviewer }) => ({
      author,
      commits: [by(author), { author, committer: reviewer }, by(author)],
      steps: (markOf) => [push(markOf(2), author), open, review('r', reviewer, markOf(2))],
    }),
    { 'CHG-01': `${unreviewed} approved_by_author:r` },
  ),
  fromReview(
    'an unreviewed revert',
    planted('unreviewed'),
    { 'CHG-01': unreviewed },
    { title: 'Revert "Change the limits"' },
  ),
  fromReview(
    'the approver pushed in the middle under the name of the author',
    planted('approvalByEarlierPusher'),
    { 'CHG-01': `${unreviewed} approved_by_earlier_pusher:r` },
    { isRepresentative: true },
  ),
  fromReview(
    'a program pushed commits that the approver could have written',
    planted('pushedByBot'),
    { 'CHG-01': 'missing_evidence authors_unattested', 'CHG-03': 'missing_evidence authors_unattested' },
    { isRepresentative: true },
  ),
  fromReview('the owner of the agent session approves its change', planted('approvalByAgentSessionOwner'), {
    'CHG-01': `${unreviewed} approved_by_author:r approved_by_session_owner:r`,
    'CHG-03': 'missing_evidence authors_unattested',
  }),
  fromReview(
    'a file that only the merged commit has',
    planted('fileInMergeCommit'),
    {
      'CHG-01': `${unreviewed} merge_has_own_content`,
      'CHG-03': `fail merged_by_author no_independent_approval merge_has_own_content`,
    },
    { hasOwnContent: true, isRepresentative: true },
  ),
  fromReview(
    'a file that only the merge commit of a branch has',
    planted('fileInMergeCommit'),
    {
      'CHG-01': `${unreviewed} merge_has_own_content`,
      'CHG-03': `fail merged_by_author no_independent_approval merge_has_own_content`,
    },
    { hasOwnContent: true, method: 'merge' },
  ),
  fromReview(
    'a second member account with the confirmed address of the author approves',
    approvedBy(() => [secondAccounts.address]),
    { 'CHG-01': `${unreviewed} approved_by_author:r approved_by_last_pusher:r` },
    { isRepresentative: true },
  ),
  fromReview(
    'a second member account on the device of the author approves',
    approvedBy(() => [secondAccounts.device]),
    { 'CHG-01': `${unreviewed} approved_by_author:r approved_by_last_pusher:r` },
  ),
  own(
    'a change of an account that signs with the key of another one',
    ({ other }) => ({
      author: secondAccounts.key,
      commits: [by(secondAccounts.key)],
      steps: (markOf) => [push(markOf(0), secondAccounts.key), open, review('r', other, markOf(0))],
    }),
    {},
    { isSignedWithSharedKey: true },
  ),
  fromReview(
    'a second member account with the signing key of the author approves',
    approvedBy(() => [secondAccounts.key]),
    { 'CHG-01': `${unreviewed} approved_by_author:r approved_by_last_pusher:r` },
    {
      isSignedWithSharedKey: true,
      notOn: {
        gitlab: 'Its lists of commits have no signatures, and single signatures are not read.',
        bitbucket: 'Its API has no signatures of commits.',
      },
    },
  ),
  fromReview(
    'a member who was added minutes before approves',
    approvedBy(() => [newMember]),
    { 'CHG-01': 'pass independent_approval approver_joined_recently:r' },
    { isRepresentative: true },
  ),
  fromReview(
    'the commits were pushed directly, and the host shows the pull request as merged',
    planted('mergedByPush'),
    {},
    {
      isByPush: true,
      on: {
        github: {
          because: 'Its list of activities names the push. The others have no such list, and each row says so.',
          expected: { 'CHG-01': 'fail merged_by_push', 'CHG-02': 'fail merged_by_push' },
        },
      },
    },
  ),
  own('approved again after a push', planted('approvedAgain'), {}),
  own(
    'the approval was dismissed after the merge',
    planted('dismissedAfterTheMerge'),
    {},
    {
      on: { gitlab: noDismissalTime, bitbucket: noDismissalTime },
    },
  ),
  own(
    'the approval was dismissed before the merge',
    planted('dismissed'),
    {
      'CHG-01': `${unreviewed} approval_dismissed:r`,
    },
    { on: { gitlab: noDismissalTime, bitbucket: noDismissalTime } },
  ),
  own('the approver wrote the first commit', planted('selfApproval'), {
    'CHG-01': `${unreviewed} approved_by_author:r approved_by_earlier_pusher:r`,
  }),
  own(
    'the author approves',
    approvedBy(({ author }) => [author]),
    {
      'CHG-01': `${unreviewed} approved_by_author:r approved_by_last_pusher:r`,
    },
    { notOn: { github: 'Authors cannot approve their pull requests there.' } },
  ),
  own('the approver pushed last', planted('approvalByLastPusher'), {
    'CHG-01': `${unreviewed} approved_by_last_pusher:r`,
  }),
  own(
    'the approver pushes after the approval',
    ({ author, reviewer }) => ({
      author,
      commits: [by(author), by(author)],
      steps: (markOf) => [push(markOf(0), author), open, review('r', reviewer, markOf(0)), push(markOf(1), reviewer)],
    }),
    { 'CHG-01': `${unreviewed} approved_before_last_push:r approved_by_last_pusher:r` },
  ),
  own('the approval precedes the last push', planted('approvalBeforeLastPush'), {
    'CHG-01': `${unreviewed} approved_before_last_push:r`,
  }),
  own('the approval follows the merge', planted('approvalAfterTheMerge'), {
    'CHG-01': `${unreviewed} approved_after_merge:r`,
  }),
  own(
    'the approver requests changes afterwards',
    planted('approvalWithdrawn'),
    {
      'CHG-01': `${unreviewed} approval_withdrawn:r`,
    },
    {
      on: {
        bitbucket: {
          because: 'It keeps only the last decision of a reviewer on a commit.',
          expected: { 'CHG-01': unreviewed },
        },
      },
    },
  ),
  own(
    'another reviewer requests changes',
    ({ author, reviewer, other }) => ({
      author,
      commits: [by(author)],
      steps: (markOf) => [
        push(markOf(0), author),
        open,
        review('r', reviewer, markOf(0)),
        review('s', other, markOf(0), 'changes_requested'),
      ],
    }),
    {},
  ),
  own(
    'a review only comments',
    ({ author, reviewer }) => ({
      author,
      commits: [by(author)],
      steps: (markOf) => [push(markOf(0), author), open, review('r', reviewer, markOf(0), 'commented')],
    }),
    { 'CHG-01': unreviewed },
    {
      notOn: {
        gitlab: 'A comment is no review there.',
        bitbucket: 'A comment is no review there.',
      },
    },
  ),
  own(
    'an old approval and a new one of another reviewer',
    ({ author, reviewer, other }) => ({
      author,
      commits: [by(author), by(author)],
      steps: (markOf) => [
        push(markOf(0), author),
        open,
        review('r', reviewer, markOf(0)),
        push(markOf(1), author),
        review('s', other, markOf(1)),
      ],
    }),
    {},
  ),
  own(
    'a stranger and a member approve',
    approvedBy(({ reviewer }) => [nonMember, reviewer]),
    {},
  ),
  own(
    'the author and a member approve',
    approvedBy(({ author, reviewer }) => [author, reviewer]),
    {},
    {
      notOn: { github: 'Authors cannot approve their pull requests there.' },
    },
  ),
  own('a program approves', planted('approvalByBot'), {
    'CHG-01': `${unreviewed} approved_by_agent:r approved_by_non_member:r`,
  }),
  own('a change with an agent, approved by another member', planted('agentApprovedByAnotherMember'), {}),
  own(
    'a program merges an approved change',
    reviewedByOne,
    { 'CHG-03': 'pass independent_approval' },
    { mergedBy: () => agent },
  ),
  own('an author without an address', planted('unresolvedAuthor'), {
    'CHG-01': 'missing_evidence author_unresolved',
    'CHG-03': 'missing_evidence author_unresolved merger_unresolved',
  }),
  own(
    'the account of the approver was deleted',
    planted('approvalByDeletedAccount'),
    {
      'CHG-01': 'missing_evidence membership_unknown reviewer_kind_unknown reviewer_unresolved',
    },
    {
      on: {
        gitlab: {
          because: 'Approvals are deleted with the account, so that a reset before is unknown.',
          expected: {
            'CHG-01':
              'missing_evidence dismissal_time_unknown membership_unknown reviewer_kind_unknown reviewer_unresolved',
          },
        },
      },
    },
  ),
  own(
    'the author merges an approved change',
    reviewedByOne,
    { 'CHG-03': 'pass independent_approval' },
    {
      mergedBy: ofAuthor,
    },
  ),
  own(
    'the author merges a change without review',
    planted('unreviewed'),
    {
      'CHG-01': unreviewed,
      'CHG-03': 'fail merged_by_author no_independent_approval',
    },
    { mergedBy: ofAuthor },
  ),
  own('the approver merges', reviewedByOne, {}, { mergedBy: ({ reviewer }) => reviewer }),
  own('a stranger merges an approved change', reviewedByOne, {}, { mergedBy: () => nonMember }),
  own('a merge queue merges', reviewedByOne, {}, { isQueued: true }),
  own('merged by a merge commit', planted('sound'), {}, { method: 'merge' }),
  own('merged by a rebase', planted('sound'), {}, { method: 'rebase' }),
];
