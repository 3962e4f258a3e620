import { acc02 } from './acc-02.ts';
import { human, known, missing, nobody } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf, reviewLine } from './testing/variants.ts';

const line = { reviewer: human('per_owner'), decision: 'kept', signedAt: '2026-09-20T00:00:00.000Z' } as const;
const by = (changed: { [Key in keyof typeof line]?: unknown }) => ({
  line: known({ ...line, ...changed } as typeof line),
});
const running = { judgedAt: '2026-09-30T23:59:59.999Z' };

judges(acc02, goodOf(reviewLine), [
  ['passes kept in a review signed in the quarter', {}, 'pass', ['access_reviewed']],
  ['passes changed', by({ decision: 'changed' }), 'pass', ['access_reviewed']],
  ['is an exception in no review', { line: known(null) }, 'exception', ['access_not_reviewed']],
  ['is an exception neither kept nor changed', by({ decision: 'none' }), 'exception', ['access_not_reviewed']],
  ['is an exception in an unsigned review', by({ signedAt: null }), 'exception', ['access_review_unsigned']],
  [
    'is an exception signed after the quarter',
    by({ signedAt: '2026-10-01T00:00:00.000Z' }),
    'exception',
    ['access_reviewed_outside_quarter'],
  ],
  [
    'is an exception signed before it',
    by({ signedAt: '2026-06-30T00:00:00.000Z' }),
    'exception',
    ['access_reviewed_outside_quarter'],
  ],
  [
    'is an exception reviewed by the member',
    by({ reviewer: human('per_1') }),
    'exception',
    ['access_reviewed_by_member'],
  ],
  [
    'is an exception unsigned, even with an unresolved reviewer',
    by({ signedAt: null, reviewer: nobody }),
    'exception',
    ['access_review_unsigned'],
  ],
  ['is a gap while the quarter runs', running, 'gap', ['quarter_running']],
  ['is a gap while the quarter runs, reviewed or not', { ...running, line: known(null) }, 'gap', ['quarter_running']],
  ['is a gap where reviews are not known', { line: missing }, 'gap', ['access_review_missing']],
  ['is a gap where the reviewer is unresolved', by({ reviewer: nobody }), 'gap', ['reviewer_unresolved']],
  ['is a gap where the member is unresolved', { person: nobody }, 'gap', ['reviewer_unresolved']],
]);
