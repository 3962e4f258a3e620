import type { Person } from '../git/pull-request.ts';
import { agent, deletedAccount, members, nonMember, reviewBot, unresolvedPerson } from './people.ts';
import type { Random } from './random.ts';
import type { ExpectedChangeVerdict, PullRequestStep } from './repository-scenario.ts';

/** The steps of a pull request and its expected verdict; `markOf(0)` is its first commit. */
export type PullRequestScenario = {
  author: Person;
  commits: { author: Person; committer: Person; trailers?: string[] }[];
  steps: (markOf: (index: number) => number) => PullRequestStep[];
  /** Steps after the merge. */
  stepsAfterMerge?: (markOf: (index: number) => number) => PullRequestStep[];
  /** All contributors; `hasUnresolvedContributor`: one of them cannot be resolved. */
  contributors: readonly Person[];
  hasUnresolvedContributor?: boolean;
  /**
   * The approval by independent reviewers, and its reasons, without `no_independent_approval`, which every failure has.
   */
  approval: 'yes' | 'no' | 'unknown';
  reasons: ExpectedChangeVerdict['reasons'];
  isByAgent?: boolean;
  /** Whether the merged commit has a file that the pull request does not have. */
  hasOwnMergeContent?: boolean;
  /** Whether its commits were pushed directly, after which the host shows it as merged. */
  isMergedByPush?: boolean;
  /** Whether a program pushed its commits, without a signature. */
  isPushedByProgram?: boolean;
  /** Whether the host does not report enough to recompute the merged commit. */
  isContentUnknown?: boolean;
};

type Actors = { author: Person; reviewer: Person; other: Person };

const push = (head: number, by: Person): PullRequestStep => ({ kind: 'push', head, by });
const approve = (key: string, by: Person, commit: number): PullRequestStep => ({
  kind: 'review',
  key,
  by,
  verdict: 'approved',
  commit,
});
const open: PullRequestStep = { kind: 'open' };
const by = (person: Person) => ({ author: person, committer: person });

/** All kinds of pull requests by name: sound ones, those with a defect, and those that only appear to have one. */
export const pullRequestScenarios: Readonly<Record<string, (actors: Actors) => PullRequestScenario>> = {
  sound: ({ author, reviewer }) => ({
    author,
    commits: [by(author), by(author)],
    contributors: [author],
    approval: 'yes',
    reasons: [],
    steps: (markOf) => [push(markOf(1), author), open, approve('r', reviewer, markOf(1))],
  }),
  approvedAgain: ({ author, reviewer }) => ({
    author,
    commits: [by(author), by(author)],
    contributors: [author],
    approval: 'yes',
    reasons: [],
    steps: (markOf) => [
      push(markOf(0), author),
      open,
      approve('r', reviewer, markOf(0)),
      push(markOf(1), author),
      approve('s', reviewer, markOf(1)),
    ],
  }),
  dismissedAfterTheMerge: ({ author, reviewer, other }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'yes',
    reasons: [],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', reviewer, markOf(0))],
    stepsAfterMerge: () => [{ kind: 'dismiss', key: 'r', by: other }],
  }),
  unreviewed: ({ author }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [],
    steps: (markOf) => [push(markOf(0), author), open],
  }),
  selfApproval: ({ author, reviewer }) => ({
    author,
    commits: [by(reviewer), by(author)],
    contributors: [author, reviewer],
    approval: 'no',
    reasons: [
      ['approved_by_author', 'r'],
      ['approved_by_earlier_pusher', 'r'],
    ],
    steps: (markOf) => [push(markOf(0), reviewer), open, push(markOf(1), author), approve('r', reviewer, markOf(1))],
  }),
  approvalByCoAuthor: ({ author, reviewer }) => ({
    author,
    contributors: [author, reviewer],
    approval: 'no',
    reasons: [['approved_by_author', 'r']],
    commits: [{ ...by(author), trailers: [`Co-authored-by: ${reviewer.name} <${reviewer.email}>`] }],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', reviewer, markOf(0))],
  }),
  approvalByLastPusher: ({ author, reviewer }) => ({
    author,
    commits: [by(author), by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [['approved_by_last_pusher', 'r']],
    steps: (markOf) => [push(markOf(0), author), open, push(markOf(1), reviewer), approve('r', reviewer, markOf(1))],
  }),
  approvalByEarlierPusher: ({ author, reviewer }) => ({
    author,
    commits: [by(author), by(author), by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [['approved_by_earlier_pusher', 'r']],
    steps: (markOf) => [
      push(markOf(0), author),
      open,
      push(markOf(1), reviewer),
      push(markOf(2), author),
      approve('r', reviewer, markOf(2)),
    ],
  }),
  pushedByBot: ({ author, reviewer }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    isPushedByProgram: true,
    approval: 'unknown',
    reasons: [['authors_unattested']],
    steps: (markOf) => [push(markOf(0), agent), open, approve('r', reviewer, markOf(0))],
  }),
  fileInMergeCommit: ({ author, reviewer }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    hasOwnMergeContent: true,
    approval: 'no',
    reasons: [['merge_has_own_content']],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', reviewer, markOf(0))],
  }),
  approvalBeforeLastPush: ({ author, reviewer }) => ({
    author,
    commits: [by(author), by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [['approved_before_last_push', 'r']],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', reviewer, markOf(0)), push(markOf(1), author)],
  }),
  approvalAfterTheMerge: ({ author, reviewer }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [['approved_after_merge', 'r']],
    steps: (markOf) => [push(markOf(0), author), open],
    stepsAfterMerge: (markOf) => [approve('r', reviewer, markOf(0))],
  }),
  dismissed: ({ author, reviewer, other }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [['approval_dismissed', 'r']],
    steps: (markOf) => [
      push(markOf(0), author),
      open,
      approve('r', reviewer, markOf(0)),
      { kind: 'dismiss', key: 'r', by: other },
    ],
  }),
  approvalWithdrawn: ({ author, reviewer }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [['approval_withdrawn', 'r']],
    steps: (markOf) => [
      ...[push(markOf(0), author), open, approve('r', reviewer, markOf(0))],
      { kind: 'review', key: 's', by: reviewer, verdict: 'changes_requested', commit: markOf(0) },
    ],
  }),
  approvalByNonMember: ({ author }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [['approved_by_non_member', 'r']],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', nonMember, markOf(0))],
  }),
  approvalByBot: ({ author }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'no',
    reasons: [
      ['approved_by_agent', 'r'],
      ['approved_by_non_member', 'r'],
    ],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', reviewBot, markOf(0))],
  }),
  approvalByAgentSessionOwner: ({ author }) => ({
    author: agent,
    commits: [{ author: agent, committer: author }],
    contributors: [agent, author],
    isByAgent: true,
    isPushedByProgram: true,
    approval: 'no',
    reasons: [
      ['approved_by_author', 'r'],
      ['approved_by_session_owner', 'r'],
    ],
    steps: (markOf) => [push(markOf(0), agent), open, approve('r', author, markOf(0))],
  }),
  agentApprovedByAnotherMember: ({ author, reviewer }) => ({
    author,
    contributors: [author, agent],
    isByAgent: true,
    approval: 'yes',
    reasons: [],
    commits: [{ ...by(author), trailers: ['Co-authored-by: Claude <noreply@anthropic.com>'] }],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', reviewer, markOf(0))],
  }),
  mergedByPush: ({ author, reviewer }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    isMergedByPush: true,
    approval: 'yes',
    reasons: [],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', reviewer, markOf(0))],
  }),
  unresolvedAuthor: ({ author, reviewer }) => ({
    author,
    commits: [by(author), { author: unresolvedPerson, committer: author }],
    contributors: [author],
    hasUnresolvedContributor: true,
    approval: 'unknown',
    reasons: [['author_unresolved']],
    steps: (markOf) => [push(markOf(1), author), open, approve('r', reviewer, markOf(1))],
  }),
  approvalByDeletedAccount: ({ author }) => ({
    author,
    commits: [by(author)],
    contributors: [author],
    approval: 'unknown',
    reasons: [['membership_unknown'], ['reviewer_kind_unknown'], ['reviewer_unresolved']],
    steps: (markOf) => [push(markOf(0), author), open, approve('r', deletedAccount, markOf(0))],
  }),
};

/** Picks three different members. */
export const pickActors = (random: Random): Actors => {
  const [author, reviewer, other] = random.shuffle(members);
  if (author === undefined || reviewer === undefined || other === undefined)
    throw new RangeError('There are fewer than three members.');
  return { author, reviewer, other };
};
