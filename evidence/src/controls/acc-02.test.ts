import { acc02 } from './acc-02.ts';
import { agent, agentOf, completeFact, human, missingFact, unresolvedActor } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf, reviewLine } from './testing/variants.ts';

const line = { reviewer: human('per_owner'), decision: 'kept', signedAt: '2026-09-20T00:00:00.000Z' } as const;
const by = (changed: { [Key in keyof typeof line]?: unknown }) => ({
  line: completeFact({ ...line, ...changed } as typeof line),
});
const running = { evaluatedAt: '2026-09-30T23:59:59.999Z' };

testVerdicts(acc02, passingRowOf(reviewLine), [
  ['passes if confirmed in a review signed in the quarter', {}, 'pass', ['access_reviewed']],
  ['passes if changed', { ...by({ decision: 'changed' }), isInForce: false }, 'pass', ['access_reviewed']],
  [
    'fails if the reviewer wanted a change, and the access is still in force',
    by({ decision: 'changed' }),
    'fail',
    ['access_not_changed'],
  ],
  [
    'fails if the person who added a deploy key reviewed it',
    { person: agentOf('hol_key', 'per_owner') },
    'fail',
    ['access_reviewed_by_member'],
  ],
  ['passes a deploy key that another person reviewed', { person: agent('hol_key') }, 'pass', ['access_reviewed']],
  [
    'fails access of a person who left the directory a day before the end of the quarter, although it was reviewed',
    { leftDirectoryAt: '2026-09-30T00:00:00.000Z' },
    'fail',
    ['access_of_leaver'],
  ],
  [
    'passes a person who left later that day',
    { leftDirectoryAt: '2026-09-30T00:00:00.001Z' },
    'pass',
    ['access_reviewed'],
  ],
  [
    'passes a person who left, and whose access ended',
    { leftDirectoryAt: '2026-07-20T10:00:00.000Z', isInForce: false },
    'pass',
    ['access_reviewed'],
  ],
  ['fails without a review', { line: completeFact(null) }, 'fail', ['access_not_reviewed']],
  ['fails if neither confirmed nor changed', by({ decision: 'none' }), 'fail', ['access_not_reviewed']],
  ['fails in an unsigned review', by({ signedAt: null }), 'fail', ['access_review_unsigned']],
  [
    'fails if signed after the quarter',
    by({ signedAt: '2026-10-01T00:00:00.000Z' }),
    'fail',
    ['access_reviewed_outside_quarter'],
  ],
  [
    'fails if signed before the quarter',
    by({ signedAt: '2026-06-30T00:00:00.000Z' }),
    'fail',
    ['access_reviewed_outside_quarter'],
  ],
  ['fails if reviewed by the member', by({ reviewer: human('per_1') }), 'fail', ['access_reviewed_by_member']],
  [
    'fails if unsigned, even with an unresolved reviewer',
    by({ signedAt: null, reviewer: unresolvedActor }),
    'fail',
    ['access_review_unsigned'],
  ],
  ['has missing evidence while the quarter runs', running, 'missing_evidence', ['quarter_running']],
  [
    'has missing evidence while the quarter runs, reviewed or not',
    { ...running, line: completeFact(null) },
    'missing_evidence',
    ['quarter_running'],
  ],
  ['has missing evidence if reviews are unknown', { line: missingFact }, 'missing_evidence', ['access_review_missing']],
  [
    'has missing evidence if the reviewer is unresolved',
    by({ reviewer: unresolvedActor }),
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
  [
    'has missing evidence if the member is unresolved',
    { person: unresolvedActor },
    'missing_evidence',
    ['reviewer_unresolved'],
  ],
]);
