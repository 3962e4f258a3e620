import { chg01 } from './chg-01.ts';
import type { Reason } from './reasons.ts';
import { change, review } from './testing/change-variants.ts';
import { agent, erased, guessed, human, known, missing, nobody, ofUnknownKind, partly } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const with1 = (changed: Partial<typeof review>) => ({ reviews: known([{ ...review, ...changed }]) });
const byTime = { commit: { state: 'by_time' } } as const;
const lacks = (...reasons: readonly Reason[]): readonly Reason[] => ['no_independent_approval', ...reasons];

judges(chg01, goodOf(change), [
  ['passes with an approval of the head commit by another person', {}, 'pass', ['independent_approval']],
  ['passes by a merge queue', { via: known('merge_queue') }, 'pass', ['independent_approval']],
  [
    'passes at the very moment of the merge',
    with1({ submittedAt: '2026-07-10T12:00:00.000Z' }),
    'pass',
    ['independent_approval'],
  ],
  [
    'passes where the approval was dismissed only after the merge',
    with1({ dismissedAt: known('2026-07-10T12:00:01.000Z') }),
    'pass',
    ['independent_approval'],
  ],
  [
    'passes where one approval counts beside others that do not',
    {
      reviews: known([
        { ...review, id: 'rev_0', by: human('per_author') },
        review,
        { ...review, id: 'rev_2', by: nobody },
      ]),
    },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes where the reviewer who requested changes approved afterwards',
    {
      reviews: known([
        { ...review, id: 'rev_0', verdict: 'changes_requested', submittedAt: '2026-07-10T10:30:00.000Z' },
        review,
      ]),
    },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes where the host gives reviews to a pull request as it stands, and it came after the last push',
    with1(byTime),
    'pass',
    ['independent_approval'],
  ],
  [
    'passes with as many approvals as set, each by another person',
    { reviews: known([review, { ...review, id: 'rev_2', by: human('per_second') }]) },
    'pass',
    ['independent_approval'],
    { approvals: 2 },
  ],

  ['is an exception without a review', { reviews: known([]) }, 'exception', ['no_independent_approval']],
  ['is an exception with a comment only', with1({ verdict: 'commented' }), 'exception', ['no_independent_approval']],
  ['is an exception by direct push, approved or not', { via: known('direct_push') }, 'exception', ['direct_push']],
  [
    'is an exception by direct push, whatever is not known',
    { via: known('direct_push'), reviews: missing, authors: missing, headSha: missing },
    'exception',
    ['direct_push'],
  ],
  [
    'is an exception approved for an older commit',
    with1({ commit: known('b'.repeat(40)) }),
    'exception',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'is an exception approved before the last push, by time',
    { ...with1(byTime), lastPushAt: known('2026-07-10T11:30:00.000Z') },
    'exception',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'is an exception approved before a time after which it was pushed',
    { ...with1(byTime), lastPushAt: partly('2026-07-10T11:30:00.000Z') },
    'exception',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'is an exception approved after the merge',
    with1({ submittedAt: '2026-07-10T12:00:01.000Z' }),
    'exception',
    lacks('approved_after_merge:rev_1'),
  ],
  [
    'is an exception where the approval was dismissed by the merge',
    with1({ dismissedAt: known('2026-07-10T12:00:00.000Z') }),
    'exception',
    lacks('approval_dismissed:rev_1'),
  ],
  [
    'is an exception where the approver requested changes afterwards',
    {
      reviews: known([
        review,
        { ...review, id: 'rev_2', verdict: 'changes_requested', submittedAt: '2026-07-10T11:30:00.000Z' },
      ]),
    },
    'exception',
    lacks('approval_withdrawn:rev_1'),
  ],
  [
    'is an exception approved by an author',
    with1({ by: human('per_author') }),
    'exception',
    lacks('approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'),
  ],
  [
    'is an exception approved by one of several authors, though others are not known',
    { ...with1({ by: human('per_second') }), authors: partly([human('per_second')]) },
    'exception',
    lacks('approved_by_author:rev_1'),
  ],
  [
    'is an exception approved by the last pusher',
    { lastPusher: known(human('per_reviewer')) },
    'exception',
    lacks('approved_by_last_pusher:rev_1'),
  ],
  [
    'is an exception approved by the person who started the session of an agent that wrote it',
    { authors: known([agent('per_agent')]), sessionOwners: known([human('per_reviewer')]) },
    'exception',
    lacks('approved_by_session_owner:rev_1'),
  ],
  [
    'is an exception approved by an agent',
    with1({ by: agent('per_bot') }),
    'exception',
    lacks('approved_by_agent:rev_1'),
  ],
  [
    'is an exception approved by a person who was not an active member at that time',
    with1({ byActiveMember: known(false) }),
    'exception',
    lacks('approved_by_stranger:rev_1'),
  ],
  [
    'is an exception approved by an erased author: the id is still theirs',
    { ...with1({ by: erased('per_author') }), authors: known([erased('per_author')]) },
    'exception',
    lacks('approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'),
  ],
  [
    'is an exception where one person approved twice and two are asked for',
    { reviews: known([review, { ...review, id: 'rev_2' }]) },
    'exception',
    ['no_independent_approval'],
    { approvals: 2 },
  ],
  [
    'is an exception without a review even where the way it came, the authors and the head are not known',
    { reviews: known([]), via: missing, authors: missing, headSha: missing, lastPusher: missing },
    'exception',
    ['no_independent_approval'],
  ],

  ['is a gap where reviews are not known', { reviews: missing }, 'gap', ['reviews_missing']],
  ['is a gap where some reviews are not known', { reviews: partly([]) }, 'gap', ['reviews_missing']],
  ['is a gap where it is not known how it came', { via: missing }, 'gap', ['way_unknown']],
  ['is a gap where the head is not known', { headSha: missing }, 'gap', ['head_unknown']],
  [
    'is a gap where the commit of the approval was lost',
    with1({ commit: missing }),
    'gap',
    ['reviewed_commit_unknown'],
  ],
  ['is a gap where the authors are missing', { authors: known([]) }, 'gap', ['authors_missing']],
  [
    'is a gap where some authors are not known',
    { authors: partly([human('per_author')]) },
    'gap',
    ['authors_missing', 'author_unresolved'],
  ],
  ['is a gap where an author is unresolved', { authors: known([nobody]) }, 'gap', ['author_unresolved']],
  ['is a gap where an author is guessed', { authors: known([guessed('per_author')]) }, 'gap', ['author_unresolved']],
  ['is a gap where an author is erased', { authors: known([erased('per_author')]) }, 'gap', ['author_unresolved']],
  ['is a gap where the reviewer is unresolved', with1({ by: nobody }), 'gap', ['reviewer_unresolved']],
  ['is a gap where the reviewer is erased', with1({ by: erased('per_reviewer') }), 'gap', ['reviewer_unresolved']],
  [
    'is a gap where the reviewer may be an agent',
    with1({ by: ofUnknownKind('per_reviewer') }),
    'gap',
    ['reviewer_kind_unknown'],
  ],
  [
    'is a gap where it is not known whether the reviewer was a member',
    with1({ byActiveMember: missing }),
    'gap',
    ['membership_unknown'],
  ],
  [
    'is a gap where it is not known when the approval was dismissed',
    with1({ dismissedAt: missing }),
    'gap',
    ['dismissal_time_unknown'],
  ],
  [
    'is a gap where an unresolved person requested changes after the approval',
    {
      reviews: known([
        review,
        { ...review, id: 'rev_2', by: nobody, verdict: 'changes_requested', submittedAt: '2026-07-10T11:30:00.000Z' },
      ]),
    },
    'gap',
    ['reviewer_unresolved'],
  ],
  [
    'is a gap where the last pusher is missing',
    { lastPusher: missing },
    'gap',
    ['last_pusher_missing', 'last_pusher_unresolved'],
  ],
  [
    'is a gap where the last pusher is guessed',
    { lastPusher: known(guessed('per_author')) },
    'gap',
    ['last_pusher_unresolved'],
  ],
  [
    'is a gap where owners of sessions are not known',
    { sessionOwners: missing },
    'gap',
    ['session_owners_missing', 'session_owner_unresolved'],
  ],
  [
    'is a gap where an owner of a session is unresolved',
    { sessionOwners: known([nobody]) },
    'gap',
    ['session_owner_unresolved'],
  ],
  [
    'is a gap where only a time is known after which it was pushed',
    { ...with1(byTime), lastPushAt: partly('2026-07-10T10:00:00.000Z') },
    'gap',
    ['push_order_unknown'],
  ],
  [
    'is a gap where it was pushed and approved at one moment',
    { ...with1(byTime), lastPushAt: known('2026-07-10T11:00:00.000Z') },
    'gap',
    ['push_order_unknown'],
  ],
  [
    'is a gap where it is not known when it was pushed',
    { ...with1(byTime), lastPushAt: missing },
    'gap',
    ['push_order_unknown'],
  ],
]);
