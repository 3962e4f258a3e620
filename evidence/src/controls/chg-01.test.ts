import { chg01 } from './chg-01.ts';
import type { Reason } from './reasons.ts';
import { change, review } from './testing/change-variants.ts';
import { agent, erased, guessed, human, known, missing, nobody, ofUnknownKind, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const with1 = (changed: Partial<typeof review>) => ({ reviews: known([{ ...review, ...changed }]) });
const byTime = { commit: { state: 'by_time' } } as const;
const lacks = (...reasons: readonly Reason[]): readonly Reason[] => ['no_independent_approval', ...reasons];

evaluates(chg01, goodOf(change), [
  ['passes with an approval of the head commit by another person', {}, 'pass', ['independent_approval']],
  ['passes by a merge queue', { mergeMethod: known('merge_queue') }, 'pass', ['independent_approval']],
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

  ['fails without a review', { reviews: known([]) }, 'fail', ['no_independent_approval']],
  ['fails with a comment only', with1({ verdict: 'commented' }), 'fail', ['no_independent_approval']],
  ['fails by direct push, approved or not', { mergeMethod: known('direct_push') }, 'fail', ['direct_push']],
  [
    'is an exception by direct push, whatever is not known',
    { mergeMethod: known('direct_push'), reviews: missing, authors: missing, headSha: missing },
    'fail',
    ['direct_push'],
  ],
  [
    'is an exception approved for an older commit',
    with1({ commit: known('b'.repeat(40)) }),
    'fail',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'is an exception approved before the last push, by time',
    { ...with1(byTime), lastPushAt: known('2026-07-10T11:30:00.000Z') },
    'fail',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'is an exception approved before a time after which it was pushed',
    { ...with1(byTime), lastPushAt: partly('2026-07-10T11:30:00.000Z') },
    'fail',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'is an exception approved after the merge',
    with1({ submittedAt: '2026-07-10T12:00:01.000Z' }),
    'fail',
    lacks('approved_after_merge:rev_1'),
  ],
  [
    'is an exception where the approval was dismissed by the merge',
    with1({ dismissedAt: known('2026-07-10T12:00:00.000Z') }),
    'fail',
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
    'fail',
    lacks('approval_withdrawn:rev_1'),
  ],
  [
    'is an exception approved by an author',
    with1({ by: human('per_author') }),
    'fail',
    lacks('approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'),
  ],
  [
    'is an exception approved by one of several authors, though others are not known',
    { ...with1({ by: human('per_second') }), authors: partly([human('per_second')]) },
    'fail',
    lacks('approved_by_author:rev_1'),
  ],
  [
    'is an exception approved by the last pusher',
    { lastPusher: known(human('per_reviewer')) },
    'fail',
    lacks('approved_by_last_pusher:rev_1'),
  ],
  [
    'is an exception approved by the person who started the session of an agent that wrote it',
    { authors: known([agent('per_agent')]), sessionOwners: known([human('per_reviewer')]) },
    'fail',
    lacks('approved_by_session_owner:rev_1'),
  ],
  ['is an exception approved by an agent', with1({ by: agent('per_bot') }), 'fail', lacks('approved_by_agent:rev_1')],
  [
    'is an exception approved by a person who was not an active member at that time',
    with1({ byActiveMember: known(false) }),
    'fail',
    lacks('approved_by_non_member:rev_1'),
  ],
  [
    'is an exception approved by an erased author: the id is still theirs',
    { ...with1({ by: erased('per_author') }), authors: known([erased('per_author')]) },
    'fail',
    lacks('approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'),
  ],
  [
    'is an exception where one person approved twice and two are asked for',
    { reviews: known([review, { ...review, id: 'rev_2' }]) },
    'fail',
    ['no_independent_approval'],
    { approvals: 2 },
  ],
  [
    'is an exception without a review even where the way it came, the authors and the head are not known',
    { reviews: known([]), mergeMethod: missing, authors: missing, headSha: missing, lastPusher: missing },
    'fail',
    ['no_independent_approval'],
  ],

  ['has missing evidence where reviews are not known', { reviews: missing }, 'missing_evidence', ['reviews_missing']],
  [
    'has missing evidence where some reviews are not known',
    { reviews: partly([]) },
    'missing_evidence',
    ['reviews_missing'],
  ],
  [
    'has missing evidence where it is not known how it came',
    { mergeMethod: missing },
    'missing_evidence',
    ['merge_method_unknown'],
  ],
  ['has missing evidence where the head is not known', { headSha: missing }, 'missing_evidence', ['head_unknown']],
  [
    'is a gap where the commit of the approval was lost',
    with1({ commit: missing }),
    'missing_evidence',
    ['reviewed_commit_unknown'],
  ],
  [
    'has missing evidence where the authors are missing',
    { authors: known([]) },
    'missing_evidence',
    ['authors_missing'],
  ],
  [
    'is a gap where some authors are not known',
    { authors: partly([human('per_author')]) },
    'missing_evidence',
    ['authors_missing', 'author_unresolved'],
  ],
  [
    'has missing evidence where an author is unresolved',
    { authors: known([nobody]) },
    'missing_evidence',
    ['author_unresolved'],
  ],
  [
    'has missing evidence where an author is guessed',
    { authors: known([guessed('per_author')]) },
    'missing_evidence',
    ['author_unresolved'],
  ],
  [
    'has missing evidence where an author is erased',
    { authors: known([erased('per_author')]) },
    'missing_evidence',
    ['author_unresolved'],
  ],
  [
    'has missing evidence where the reviewer is unresolved',
    with1({ by: nobody }),
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
  [
    'has missing evidence where the reviewer is erased',
    with1({ by: erased('per_reviewer') }),
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
  [
    'is a gap where the reviewer may be an agent',
    with1({ by: ofUnknownKind('per_reviewer') }),
    'missing_evidence',
    ['reviewer_kind_unknown'],
  ],
  [
    'is a gap where it is not known whether the reviewer was a member',
    with1({ byActiveMember: missing }),
    'missing_evidence',
    ['membership_unknown'],
  ],
  [
    'is a gap where it is not known when the approval was dismissed',
    with1({ dismissedAt: missing }),
    'missing_evidence',
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
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
  [
    'is a gap where the last pusher is missing',
    { lastPusher: missing },
    'missing_evidence',
    ['last_pusher_missing', 'last_pusher_unresolved'],
  ],
  [
    'is a gap where the last pusher is guessed',
    { lastPusher: known(guessed('per_author')) },
    'missing_evidence',
    ['last_pusher_unresolved'],
  ],
  [
    'is a gap where owners of sessions are not known',
    { sessionOwners: missing },
    'missing_evidence',
    ['session_owners_missing', 'session_owner_unresolved'],
  ],
  [
    'is a gap where an owner of a session is unresolved',
    { sessionOwners: known([nobody]) },
    'missing_evidence',
    ['session_owner_unresolved'],
  ],
  [
    'is a gap where only a time is known after which it was pushed',
    { ...with1(byTime), lastPushAt: partly('2026-07-10T10:00:00.000Z') },
    'missing_evidence',
    ['push_order_unknown'],
  ],
  [
    'is a gap where it was pushed and approved at one moment',
    { ...with1(byTime), lastPushAt: known('2026-07-10T11:00:00.000Z') },
    'missing_evidence',
    ['push_order_unknown'],
  ],
  [
    'is a gap where it is not known when it was pushed',
    { ...with1(byTime), lastPushAt: missing },
    'missing_evidence',
    ['push_order_unknown'],
  ],
]);
