import { log01 } from './log-01.ts';
import { known, missing } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf, ledgerDay } from './testing/variants.ts';

evaluates(log01, goodOf(ledgerDay), [
  ['passes a day that was whole', {}, 'pass', ['ledger_intact']],
  [
    'passes anchored within 24 hours of the day’s end',
    { lastAnchoredAt: known('2026-07-10T00:00:00.000Z') },
    'pass',
    ['ledger_intact'],
  ],
  ['fails with a failed self-check', { selfCheck: known('failed') }, 'fail', ['self_check_failed']],
  [
    'is an exception with an entry that waited 5 minutes',
    { longestPendingSeconds: known(300) },
    'fail',
    ['entries_delayed'],
  ],
  ['fails never anchored outside', { lastAnchoredAt: known(null) }, 'fail', ['never_anchored']],
  [
    'is an exception anchored too long ago',
    { lastAnchoredAt: known('2026-07-09T23:59:59.999Z') },
    'fail',
    ['anchor_too_old'],
  ],
  ['fails with a broken epoch', { epochBreaks: known(1) }, 'fail', ['epoch_broken']],
  [
    'is an exception never anchored outside, whatever else is not known',
    { lastAnchoredAt: known(null), selfCheck: missing, longestPendingSeconds: missing, epochBreaks: missing },
    'fail',
    ['never_anchored'],
  ],
  [
    'has missing evidence without a self-check that anybody told of',
    { selfCheck: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'is a gap where it is not known how long entries waited',
    { longestPendingSeconds: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence where anchors are not known',
    { lastAnchoredAt: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence where epochs are not known',
    { epochBreaks: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
]);
