import { exc01 } from './exc-01.ts';
import { completeFact, erasedActor, guessedActor, human, missingFact, unresolvedActor } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { decision, passingRowOf } from './testing/variants.ts';

testVerdicts(exc01, passingRowOf(decision), [
  ['passes if decided by another person with the permission', {}, 'pass', ['independent_decision']],
  ['passes with a reason of 10 characters', { reasonLength: 10 }, 'pass', ['independent_decision']],
  ['passes if it ends after 180 days', { until: '2026-12-28T00:00:00.000Z' }, 'pass', ['independent_decision']],
  ['fails if decided by the requester', { decidedBy: human('per_asks') }, 'fail', ['decided_by_requester']],
  [
    'fails if decided by the requester, even if erased',
    { requestedBy: erasedActor('per_asks'), decidedBy: erasedActor('per_asks') },
    'fail',
    ['decided_by_requester'],
  ],
  [
    'fails if decided without the permission',
    { hadPermission: completeFact(false) },
    'fail',
    ['decided_without_permission'],
  ],
  ['fails with too short a reason', { reasonLength: 9 }, 'fail', ['reason_too_short']],
  ['fails with too long a duration', { until: '2026-12-28T00:00:00.001Z' }, 'fail', ['waiver_too_long']],
  [
    'fails with too short a reason, even if the decider is unresolved',
    { reasonLength: 0, decidedBy: unresolvedActor, hadPermission: missingFact },
    'fail',
    ['reason_too_short'],
  ],
  [
    'has missing evidence if the requester is erased',
    { requestedBy: erasedActor('per_asks') },
    'missing_evidence',
    ['actor_unresolved'],
  ],
  [
    'has missing evidence if the decider is unresolved',
    { decidedBy: unresolvedActor },
    'missing_evidence',
    ['actor_unresolved'],
  ],
  [
    'has missing evidence if the decider is guessed, as the requester or not',
    { decidedBy: guessedActor('per_asks') },
    'missing_evidence',
    ['actor_unresolved'],
  ],
  [
    'has missing evidence if the permission is unknown',
    { hadPermission: missingFact },
    'missing_evidence',
    ['permission_unknown'],
  ],
]);
