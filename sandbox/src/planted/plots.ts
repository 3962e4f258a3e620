import type { Person } from '../git/pull-request.ts';
import { agent, ghost, members, nonMember, reviewBot, unresolvedPerson } from './cast.ts';
import type { Random } from './random.ts';
import type { ExpectedChangeVerdict, StoryStep } from './story.ts';

/** The course of a pull request and its expected verdict; `c(0)` is its first commit. */
export type Plot = {
  author: Person;
  commits: { author: Person; committer: Person; trailers?: string[] }[];
  steps: (c: (index: number) => number) => StoryStep[];
  /** Steps after the merge. */
  after?: (c: (index: number) => number) => StoryStep[];
  /** All contributors; `isUnsure`: one of them cannot be resolved. */
  authors: readonly Person[];
  isUnsure?: boolean;
  /**
   * The approval by independent reviewers, and its reasons, without `no_independent_approval`, which every failure has.
   */
  approval: 'yes' | 'no' | 'unknown';
  reasons: ExpectedChangeVerdict['reasons'];
  isByAgent?: boolean;
};

type Actors = { a: Person; b: Person; c: Person };

const push = (after: number, by: Person): StoryStep => ({ kind: 'push', after, by });
const approve = (key: string, by: Person, commit: number): StoryStep => ({
  kind: 'review',
  key,
  by,
  verdict: 'approved',
  commit,
});
const open: StoryStep = { kind: 'open' };
const by = (person: Person) => ({ author: person, committer: person });

/** All kinds of pull requests by name: sound ones, those with a defect, and those that only appear to have one. */
export const plots: Readonly<Record<string, (actors: Actors) => Plot>> = {
  sound: ({ a, b }) => ({
    author: a,
    commits: [by(a), by(a)],
    authors: [a],
    approval: 'yes',
    reasons: [],
    steps: (c) => [push(c(1), a), open, approve('r', b, c(1))],
  }),
  approvedAgain: ({ a, b }) => ({
    author: a,
    commits: [by(a), by(a)],
    authors: [a],
    approval: 'yes',
    reasons: [],
    steps: (c) => [push(c(0), a), open, approve('r', b, c(0)), push(c(1), a), approve('s', b, c(1))],
  }),
  dismissedAfterTheMerge: ({ a, b, c: other }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'yes',
    reasons: [],
    steps: (c) => [push(c(0), a), open, approve('r', b, c(0))],
    after: () => [{ kind: 'dismiss', key: 'r', by: other }],
  }),
  unreviewed: ({ a }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'no',
    reasons: [],
    steps: (c) => [push(c(0), a), open],
  }),
  selfApproval: ({ a, b }) => ({
    author: a,
    commits: [by(b), by(a)],
    authors: [a, b],
    approval: 'no',
    reasons: [['approved_by_author', 'r']],
    steps: (c) => [push(c(0), b), open, push(c(1), a), approve('r', b, c(1))],
  }),
  approvalByCoAuthor: ({ a, b }) => ({
    author: a,
    authors: [a, b],
    approval: 'no',
    reasons: [['approved_by_author', 'r']],
    commits: [{ ...by(a), trailers: [`Co-authored-by: ${b.name} <${b.email}>`] }],
    steps: (c) => [push(c(0), a), open, approve('r', b, c(0))],
  }),
  approvalByLastPusher: ({ a, b }) => ({
    author: a,
    commits: [by(a), by(a)],
    authors: [a],
    approval: 'no',
    reasons: [['approved_by_last_pusher', 'r']],
    steps: (c) => [push(c(0), a), open, push(c(1), b), approve('r', b, c(1))],
  }),
  approvalBeforeLastPush: ({ a, b }) => ({
    author: a,
    commits: [by(a), by(a)],
    authors: [a],
    approval: 'no',
    reasons: [['approved_before_last_push', 'r']],
    steps: (c) => [push(c(0), a), open, approve('r', b, c(0)), push(c(1), a)],
  }),
  approvalAfterTheMerge: ({ a, b }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'no',
    reasons: [['approved_after_merge', 'r']],
    steps: (c) => [push(c(0), a), open],
    after: (c) => [approve('r', b, c(0))],
  }),
  dismissed: ({ a, b, c: other }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'no',
    reasons: [['approval_dismissed', 'r']],
    steps: (c) => [push(c(0), a), open, approve('r', b, c(0)), { kind: 'dismiss', key: 'r', by: other }],
  }),
  takenBack: ({ a, b }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'no',
    reasons: [['approval_withdrawn', 'r']],
    steps: (c) => [
      ...[push(c(0), a), open, approve('r', b, c(0))],
      { kind: 'review', key: 's', by: b, verdict: 'changes_requested', commit: c(0) },
    ],
  }),
  approvalByStranger: ({ a }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'no',
    reasons: [['approved_by_non_member', 'r']],
    steps: (c) => [push(c(0), a), open, approve('r', nonMember, c(0))],
  }),
  approvalByBot: ({ a }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'no',
    reasons: [
      ['approved_by_agent', 'r'],
      ['approved_by_non_member', 'r'],
    ],
    steps: (c) => [push(c(0), a), open, approve('r', reviewBot, c(0))],
  }),
  agentApprovedByItsOwner: ({ a }) => ({
    author: agent,
    commits: [{ author: agent, committer: a }],
    authors: [agent, a],
    isByAgent: true,
    approval: 'no',
    reasons: [
      ['approved_by_author', 'r'],
      ['approved_by_session_owner', 'r'],
    ],
    steps: (c) => [push(c(0), agent), open, approve('r', a, c(0))],
  }),
  agentApprovedByAnother: ({ a, b }) => ({
    author: a,
    authors: [a, agent],
    isByAgent: true,
    approval: 'yes',
    reasons: [],
    commits: [{ ...by(a), trailers: ['Co-authored-by: Claude <noreply@anthropic.com>'] }],
    steps: (c) => [push(c(0), a), open, approve('r', b, c(0))],
  }),
  namelessAuthor: ({ a, b }) => ({
    author: a,
    commits: [by(a), { author: unresolvedPerson, committer: a }],
    authors: [a],
    isUnsure: true,
    approval: 'unknown',
    reasons: [['author_unresolved']],
    steps: (c) => [push(c(1), a), open, approve('r', b, c(1))],
  }),
  approvalByGhost: ({ a }) => ({
    author: a,
    commits: [by(a)],
    authors: [a],
    approval: 'unknown',
    reasons: [['membership_unknown'], ['reviewer_kind_unknown'], ['reviewer_unresolved']],
    steps: (c) => [push(c(0), a), open, approve('r', ghost, c(0))],
  }),
};

/** Three different members. */
export const actorsBy = (random: Random): Actors => {
  const [a, b, c] = random.shuffle(members);
  if (a === undefined || b === undefined || c === undefined) throw new RangeError('The cast is too small.');
  return { a, b, c };
};
