import { exc01 } from './exc-01.ts';
import { erased, guessed, human, known, missing, nobody } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { decision, goodOf } from './testing/variants.ts';

judges(exc01, goodOf(decision), [
  ['passes decided by another who held the right', {}, 'pass', ['four_eyes']],
  ['passes with a reason of 10 characters', { reasonLength: 10 }, 'pass', ['four_eyes']],
  ['passes ending after 180 days', { until: '2026-12-28T00:00:00.000Z' }, 'pass', ['four_eyes']],
  ['is an exception decided by who asked', { decidedBy: human('per_asks') }, 'exception', ['decided_by_requester']],
  [
    'is an exception decided by who asked, also once they are erased',
    { requestedBy: erased('per_asks'), decidedBy: erased('per_asks') },
    'exception',
    ['decided_by_requester'],
  ],
  ['is an exception decided without the right', { heldRight: known(false) }, 'exception', ['decided_without_right']],
  ['is an exception with too short a reason', { reasonLength: 9 }, 'exception', ['reason_too_short']],
  ['is an exception for too long', { until: '2026-12-28T00:00:00.001Z' }, 'exception', ['exception_too_long']],
  [
    'is an exception with too short a reason, even if the decider is unresolved',
    { reasonLength: 0, decidedBy: nobody, heldRight: missing },
    'exception',
    ['reason_too_short'],
  ],
  ['is a gap where who asked is erased', { requestedBy: erased('per_asks') }, 'gap', ['actor_unresolved']],
  ['is a gap where who decided is unresolved', { decidedBy: nobody }, 'gap', ['actor_unresolved']],
  [
    'is a gap where who decided is guessed, as who asked or not',
    { decidedBy: guessed('per_asks') },
    'gap',
    ['actor_unresolved'],
  ],
  ['is a gap where the right is not known', { heldRight: missing }, 'gap', ['right_unknown']],
]);
