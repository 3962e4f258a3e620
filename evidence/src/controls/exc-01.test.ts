import { exc01 } from './exc-01.ts';
import { erased, guessed, human, known, missing, nobody } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { decision, goodOf } from './testing/variants.ts';

evaluates(exc01, goodOf(decision), [
  ['passes decided by another who held the right', {}, 'pass', ['independent_decision']],
  ['passes with a reason of 10 characters', { reasonLength: 10 }, 'pass', ['independent_decision']],
  ['passes ending after 180 days', { until: '2026-12-28T00:00:00.000Z' }, 'pass', ['independent_decision']],
  ['fails decided by who asked', { decidedBy: human('per_asks') }, 'fail', ['decided_by_requester']],
  [
    'is an exception decided by who asked, also once they are erased',
    { requestedBy: erased('per_asks'), decidedBy: erased('per_asks') },
    'fail',
    ['decided_by_requester'],
  ],
  ['fails decided without the right', { hadPermission: known(false) }, 'fail', ['decided_without_permission']],
  ['fails with too short a reason', { reasonLength: 9 }, 'fail', ['reason_too_short']],
  ['fails for too long', { until: '2026-12-28T00:00:00.001Z' }, 'fail', ['waiver_too_long']],
  [
    'is an exception with too short a reason, even if the decider is unresolved',
    { reasonLength: 0, decidedBy: nobody, hadPermission: missing },
    'fail',
    ['reason_too_short'],
  ],
  [
    'has missing evidence where who asked is erased',
    { requestedBy: erased('per_asks') },
    'missing_evidence',
    ['actor_unresolved'],
  ],
  [
    'has missing evidence where who decided is unresolved',
    { decidedBy: nobody },
    'missing_evidence',
    ['actor_unresolved'],
  ],
  [
    'is a gap where who decided is guessed, as who asked or not',
    { decidedBy: guessed('per_asks') },
    'missing_evidence',
    ['actor_unresolved'],
  ],
  [
    'has missing evidence where the right is not known',
    { hadPermission: missing },
    'missing_evidence',
    ['permission_unknown'],
  ],
]);
