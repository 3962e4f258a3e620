import { known, missing } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf, secret } from './testing/variants.ts';
import { vul02 } from './vul-02.ts';

type Reason = 'rotated' | 'revoked' | 'false_positive' | 'other';
const closed = (at: string, reason: Reason) => ({
  closure: known({ at: `2026-07-${at}T00:00:00.000Z`, reason: known(reason) }),
});

evaluates(vul02, goodOf(secret), [
  ['passes revoked within 3 days', {}, 'pass', ['secret_closed']],
  ['passes rotated after 3 days', closed('04', 'rotated'), 'pass', ['secret_closed']],
  ['passes as a false positive', closed('02', 'false_positive'), 'pass', ['secret_closed']],
  ['passes within the limit set', closed('09', 'revoked'), 'pass', ['secret_closed'], { limit: 14 }],
  ['fails closed later', closed('05', 'revoked'), 'fail', ['secret_over_time_limit']],
  [
    'is an exception closed without a reason that counts',
    closed('02', 'other'),
    'fail',
    ['secret_closed_without_remediation'],
  ],
  [
    'is an exception closed later and for another reason',
    closed('05', 'other'),
    'fail',
    ['secret_over_time_limit', 'secret_closed_without_remediation'],
  ],
  [
    'is an exception closed later, whatever the reason was',
    { closure: known({ at: '2026-07-05T00:00:00.000Z', reason: missing }) },
    'fail',
    ['secret_over_time_limit'],
  ],
  ['fails open over the limit', { closure: known(null) }, 'fail', ['secret_over_time_limit']],
  [
    'has missing evidence where the source tells no resolution',
    { closure: missing },
    'missing_evidence',
    ['closure_unknown'],
  ],
  [
    'is a gap where it does not tell why it was closed',
    { closure: known({ at: '2026-07-02T00:00:00.000Z', reason: missing }) },
    'missing_evidence',
    ['closure_unknown'],
  ],
  [
    'is a gap open while there is time',
    { closure: known(null), evaluatedAt: '2026-07-04T00:00:00.000Z' },
    'missing_evidence',
    ['time_not_over'],
  ],
]);
