import { known, missing } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf, secret } from './testing/variants.ts';
import { vul02 } from './vul-02.ts';

type Reason = 'rotated' | 'revoked' | 'false_positive' | 'other';
const closed = (at: string, reason: Reason) => ({
  closing: known({ at: `2026-07-${at}T00:00:00.000Z`, reason: known(reason) }),
});

judges(vul02, goodOf(secret), [
  ['passes revoked within 3 days', {}, 'pass', ['secret_closed']],
  ['passes rotated after 3 days', closed('04', 'rotated'), 'pass', ['secret_closed']],
  ['passes as a false positive', closed('02', 'false_positive'), 'pass', ['secret_closed']],
  ['passes within the limit set', closed('09', 'revoked'), 'pass', ['secret_closed'], { limit: 14 }],
  ['is an exception closed later', closed('05', 'revoked'), 'exception', ['secret_over_time_limit']],
  [
    'is an exception closed without a reason that counts',
    closed('02', 'other'),
    'exception',
    ['secret_closed_otherwise'],
  ],
  [
    'is an exception closed later and for another reason',
    closed('05', 'other'),
    'exception',
    ['secret_over_time_limit', 'secret_closed_otherwise'],
  ],
  [
    'is an exception closed later, whatever the reason was',
    { closing: known({ at: '2026-07-05T00:00:00.000Z', reason: missing }) },
    'exception',
    ['secret_over_time_limit'],
  ],
  ['is an exception open over the limit', { closing: known(null) }, 'exception', ['secret_over_time_limit']],
  ['is a gap where the source tells no resolution', { closing: missing }, 'gap', ['closing_untold']],
  [
    'is a gap where it does not tell why it was closed',
    { closing: known({ at: '2026-07-02T00:00:00.000Z', reason: missing }) },
    'gap',
    ['closing_untold'],
  ],
  [
    'is a gap open while there is time',
    { closing: known(null), judgedAt: '2026-07-04T00:00:00.000Z' },
    'gap',
    ['time_not_over'],
  ],
]);
