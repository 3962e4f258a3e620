import { completeFact, missingFact } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf, secret } from './testing/variants.ts';
import { vul02 } from './vul-02.ts';

type Reason = 'rotated' | 'revoked' | 'false_positive' | 'other';
const closed = (at: string, reason: Reason) => ({
  closure: completeFact({ at: `2026-07-${at}T00:00:00.000Z`, reason: completeFact(reason) }),
});

testVerdicts(vul02, passingRowOf(secret), [
  ['passes if revoked within 3 days', {}, 'pass', ['secret_closed']],
  ['passes if rotated after 3 days', closed('04', 'rotated'), 'pass', ['secret_closed']],
  ['passes as a false positive', closed('02', 'false_positive'), 'pass', ['secret_closed']],
  ['passes within the limit of the parameter', closed('09', 'revoked'), 'pass', ['secret_closed'], { limit: 14 }],
  ['fails if closed later', closed('05', 'revoked'), 'fail', ['secret_over_time_limit']],
  ['fails if closed without remediation', closed('02', 'other'), 'fail', ['secret_closed_without_remediation']],
  [
    'fails if closed later and for another reason',
    closed('05', 'other'),
    'fail',
    ['secret_over_time_limit', 'secret_closed_without_remediation'],
  ],
  [
    'fails if closed later, for any reason',
    { closure: completeFact({ at: '2026-07-05T00:00:00.000Z', reason: missingFact }) },
    'fail',
    ['secret_over_time_limit'],
  ],
  ['fails if open beyond the limit', { closure: completeFact(null) }, 'fail', ['secret_over_time_limit']],
  [
    'has missing evidence if the source reports no resolution',
    { closure: missingFact },
    'missing_evidence',
    ['closure_unknown'],
  ],
  [
    'has missing evidence if the reason of the closure is unknown',
    { closure: completeFact({ at: '2026-07-02T00:00:00.000Z', reason: missingFact }) },
    'missing_evidence',
    ['closure_unknown'],
  ],
  [
    'has missing evidence if open before the time limit',
    { closure: completeFact(null), evaluatedAt: '2026-07-04T00:00:00.000Z' },
    'missing_evidence',
    ['time_not_over'],
  ],
]);
