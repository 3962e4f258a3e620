import { chg01 } from './chg-01.ts';
import type { Reason } from './reasons.ts';
import { change, review } from './testing/change-variants.ts';
import {
  actorOfUnknownKind,
  agent,
  completeFact,
  erasedActor,
  guessedActor,
  human,
  missingFact,
  partialFact,
  unresolvedActor,
} from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

const with1 = (changed: Partial<typeof review>) => ({ reviews: completeFact([{ ...review, ...changed }]) });
const byTime = { commit: { state: 'by_time' } } as const;
const lacks = (...reasons: readonly Reason[]): readonly Reason[] => ['no_independent_approval', ...reasons];

testVerdicts(chg01, passingRowOf(change), [
  ['passes with an approval of the head commit by another person', {}, 'pass', ['independent_approval']],
  ['passes by a merge queue', { mergeMethod: completeFact('merge_queue') }, 'pass', ['independent_approval']],
  [
    'passes at the exact time of the merge',
    with1({ submittedAt: '2026-07-10T12:00:00.000Z' }),
    'pass',
    ['independent_approval'],
  ],
  [
    'passes if the approval was dismissed after the merge',
    with1({ dismissedAt: completeFact('2026-07-10T12:00:01.000Z') }),
    'pass',
    ['independent_approval'],
  ],
  [
    'passes if one of several approvals counts',
    {
      reviews: completeFact([
        { ...review, id: 'rev_0', by: human('per_author') },
        review,
        { ...review, id: 'rev_2', by: unresolvedActor },
      ]),
    },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes if the reviewer who requested changes approved later',
    {
      reviews: completeFact([
        { ...review, id: 'rev_0', verdict: 'changes_requested', submittedAt: '2026-07-10T10:30:00.000Z' },
        review,
      ]),
    },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes with a review after the last push if the host records no commit of reviews',
    with1(byTime),
    'pass',
    ['independent_approval'],
  ],
  [
    'passes with the required number of approvals by different persons',
    { reviews: completeFact([review, { ...review, id: 'rev_2', by: human('per_second') }]) },
    'pass',
    ['independent_approval'],
    { approvals: 2 },
  ],

  [
    'flags a pass that depends on an approver who joined minutes before',
    with1({ memberSince: completeFact('2026-07-10T10:55:00.000Z') }),
    'pass',
    ['approver_joined_recently:rev_1', 'independent_approval'],
  ],
  [
    'passes without a flag if the approver joined exactly the given days before',
    with1({ memberSince: completeFact('2026-07-03T11:00:00.000Z') }),
    'pass',
    ['independent_approval'],
  ],
  [
    'passes without a flag if another approver joined earlier',
    {
      reviews: completeFact([
        { ...review, memberSince: completeFact('2026-07-10T10:55:00.000Z') },
        { ...review, id: 'rev_2', by: human('per_second') },
      ]),
    },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes without a flag if the parameter is 0',
    with1({ memberSince: completeFact('2026-07-10T10:55:00.000Z') }),
    'pass',
    ['independent_approval'],
    { newMemberDays: 0 },
  ],

  ['fails without a review', { reviews: completeFact([]) }, 'fail', ['no_independent_approval']],
  ['fails with a comment only', with1({ verdict: 'commented' }), 'fail', ['no_independent_approval']],
  ['fails by direct push, approved or not', { mergeMethod: completeFact('direct_push') }, 'fail', ['direct_push']],
  [
    'fails if the code host names a direct push, although it shows the pull request as merged',
    { hostActivity: completeFact('push') },
    'fail',
    ['merged_by_push'],
  ],
  [
    'fails if the code host names a new branch instead of a merge, and the merge method is unknown',
    { hostActivity: completeFact('branch_creation'), mergeMethod: missingFact },
    'fail',
    ['merged_by_push'],
  ],
  [
    'has missing evidence if it is unknown what the code host names the push',
    { hostActivity: missingFact },
    'missing_evidence',
    ['host_activity_unknown'],
  ],
  [
    'passes if the code host does not report activity',
    { hostActivity: completeFact('not_reported') },
    'pass',
    ['independent_approval'],
  ],
  [
    'fails by direct push, even if other facts are missing',
    { mergeMethod: completeFact('direct_push'), reviews: missingFact, authors: missingFact, headSha: missingFact },
    'fail',
    ['direct_push'],
  ],
  [
    'fails if approved for an older commit',
    with1({ commit: completeFact('b'.repeat(40)) }),
    'fail',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'fails if approved before the last push, compared by time',
    { ...with1(byTime), lastPushAt: completeFact('2026-07-10T11:30:00.000Z') },
    'fail',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'fails if approved before the lower bound of the last push',
    { ...with1(byTime), lastPushAt: partialFact('2026-07-10T11:30:00.000Z') },
    'fail',
    lacks('approved_before_last_push:rev_1'),
  ],
  [
    'fails if approved after the merge',
    with1({ submittedAt: '2026-07-10T12:00:01.000Z' }),
    'fail',
    lacks('approved_after_merge:rev_1'),
  ],
  [
    'fails if the approval was dismissed before the merge',
    with1({ dismissedAt: completeFact('2026-07-10T12:00:00.000Z') }),
    'fail',
    lacks('approval_dismissed:rev_1'),
  ],
  [
    'fails if the approver requested changes afterwards',
    {
      reviews: completeFact([
        review,
        { ...review, id: 'rev_2', verdict: 'changes_requested', submittedAt: '2026-07-10T11:30:00.000Z' },
      ]),
    },
    'fail',
    lacks('approval_withdrawn:rev_1'),
  ],
  [
    'fails if approved by an author',
    with1({ by: human('per_author') }),
    'fail',
    lacks('approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'),
  ],
  [
    'fails if approved by one of several authors, even if others are unknown',
    { ...with1({ by: human('per_second') }), authors: partialFact([human('per_second')]) },
    'fail',
    lacks('approved_by_author:rev_1'),
  ],
  [
    'fails if approved by the last pusher',
    { lastPusher: completeFact(human('per_reviewer')) },
    'fail',
    lacks('approved_by_last_pusher:rev_1'),
  ],
  [
    'fails if the approver pushed before the last push, under any author',
    { earlierPushers: completeFact([human('per_author'), human('per_reviewer')]) },
    'fail',
    lacks('approved_by_earlier_pusher:rev_1'),
  ],
  [
    'fails if the approver is a known pusher, even if other pushers are unknown',
    { earlierPushers: partialFact([human('per_reviewer')]) },
    'fail',
    lacks('approved_by_earlier_pusher:rev_1'),
  ],
  [
    'fails if the merged commit has own content, approved or not',
    { unreviewedFiles: completeFact(1) },
    'fail',
    lacks('merge_has_own_content'),
  ],
  [
    'has missing evidence if a program pushed unsigned commits',
    { unattestedCommits: completeFact(2) },
    'missing_evidence',
    ['authors_unattested'],
  ],
  [
    'has missing evidence if the content of the merged commit is unknown',
    { unreviewedFiles: missingFact },
    'missing_evidence',
    ['merge_content_unknown'],
  ],
  [
    'fails if approved by the agent session owner',
    { authors: completeFact([agent('per_agent')]), sessionOwners: completeFact([human('per_reviewer')]) },
    'fail',
    lacks('approved_by_session_owner:rev_1'),
  ],
  ['fails if approved by an agent', with1({ by: agent('per_bot') }), 'fail', lacks('approved_by_agent:rev_1')],
  [
    'fails if approved by a person who was not an active member at that time',
    with1({ byActiveMember: completeFact(false) }),
    'fail',
    lacks('approved_by_non_member:rev_1'),
  ],
  [
    'fails if approved by an erased author, whose ID is permanent',
    { ...with1({ by: erasedActor('per_author') }), authors: completeFact([erasedActor('per_author')]) },
    'fail',
    lacks('approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'),
  ],
  [
    'fails if one person approved twice and two approvals are required',
    { reviews: completeFact([review, { ...review, id: 'rev_2' }]) },
    'fail',
    ['no_independent_approval'],
    { approvals: 2 },
  ],
  [
    'fails without a review, even if merge method, authors and head commit are unknown',
    {
      reviews: completeFact([]),
      mergeMethod: missingFact,
      authors: missingFact,
      headSha: missingFact,
      lastPusher: missingFact,
    },
    'fail',
    ['no_independent_approval'],
  ],

  ['has missing evidence if reviews are unknown', { reviews: missingFact }, 'missing_evidence', ['reviews_missing']],
  [
    'has missing evidence if some reviews are unknown',
    { reviews: partialFact([]) },
    'missing_evidence',
    ['reviews_missing'],
  ],
  [
    'has missing evidence if the merge method is unknown',
    { mergeMethod: missingFact },
    'missing_evidence',
    ['merge_method_unknown'],
  ],
  [
    'has missing evidence if the head commit is unknown',
    { headSha: missingFact },
    'missing_evidence',
    ['head_unknown'],
  ],
  [
    'has missing evidence if the commit of the approval was lost',
    with1({ commit: missingFact }),
    'missing_evidence',
    ['reviewed_commit_unknown'],
  ],
  [
    'has missing evidence if the authors are missing',
    { authors: completeFact([]) },
    'missing_evidence',
    ['authors_missing'],
  ],
  [
    'has missing evidence if some authors are unknown',
    { authors: partialFact([human('per_author')]) },
    'missing_evidence',
    ['authors_missing', 'author_unresolved'],
  ],
  [
    'has missing evidence if an author is unresolved',
    { authors: completeFact([unresolvedActor]) },
    'missing_evidence',
    ['author_unresolved'],
  ],
  [
    'has missing evidence if an author is guessed',
    { authors: completeFact([guessedActor('per_author')]) },
    'missing_evidence',
    ['author_unresolved'],
  ],
  [
    'has missing evidence if an author is erased',
    { authors: completeFact([erasedActor('per_author')]) },
    'missing_evidence',
    ['author_unresolved'],
  ],
  [
    'has missing evidence if the reviewer is unresolved',
    with1({ by: unresolvedActor }),
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
  [
    'has missing evidence if the reviewer is erased',
    with1({ by: erasedActor('per_reviewer') }),
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
  [
    'has missing evidence if the reviewer may be an agent',
    with1({ by: actorOfUnknownKind('per_reviewer') }),
    'missing_evidence',
    ['reviewer_kind_unknown'],
  ],
  [
    'has missing evidence if the membership of the reviewer is unknown',
    with1({ byActiveMember: missingFact }),
    'missing_evidence',
    ['membership_unknown'],
  ],
  [
    'has missing evidence if the time of the dismissal is unknown',
    with1({ dismissedAt: missingFact }),
    'missing_evidence',
    ['dismissal_time_unknown'],
  ],
  [
    'has missing evidence if an unresolved person requested changes after the approval',
    {
      reviews: completeFact([
        review,
        {
          ...review,
          id: 'rev_2',
          by: unresolvedActor,
          verdict: 'changes_requested',
          submittedAt: '2026-07-10T11:30:00.000Z',
        },
      ]),
    },
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
  [
    'has missing evidence if the last pusher is missing',
    { lastPusher: missingFact },
    'missing_evidence',
    ['last_pusher_missing', 'last_pusher_unresolved'],
  ],
  [
    'has missing evidence if the last pusher is guessed',
    { lastPusher: completeFact(guessedActor('per_author')) },
    'missing_evidence',
    ['last_pusher_unresolved'],
  ],
  [
    'has missing evidence if pushers are missing',
    { earlierPushers: missingFact },
    'missing_evidence',
    ['pushers_missing', 'pusher_unresolved'],
  ],
  [
    'has missing evidence if a pusher is guessed',
    { earlierPushers: completeFact([guessedActor('per_author')]) },
    'missing_evidence',
    ['pusher_unresolved'],
  ],
  [
    'has missing evidence if owners of sessions are unknown',
    { sessionOwners: missingFact },
    'missing_evidence',
    ['session_owners_missing', 'session_owner_unresolved'],
  ],
  [
    'has missing evidence if an owner of a session is unresolved',
    { sessionOwners: completeFact([unresolvedActor]) },
    'missing_evidence',
    ['session_owner_unresolved'],
  ],
  [
    'has missing evidence if only a lower bound of the last push is known',
    { ...with1(byTime), lastPushAt: partialFact('2026-07-10T10:00:00.000Z') },
    'missing_evidence',
    ['push_order_unknown'],
  ],
  [
    'has missing evidence if pushed and approved at the same time',
    { ...with1(byTime), lastPushAt: completeFact('2026-07-10T11:00:00.000Z') },
    'missing_evidence',
    ['push_order_unknown'],
  ],
  [
    'has missing evidence if the time of the push is unknown',
    { ...with1(byTime), lastPushAt: missingFact },
    'missing_evidence',
    ['push_order_unknown'],
  ],
]);
