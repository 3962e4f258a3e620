import { log01 } from './log-01.ts';
import { known, missing } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf, ledgerDay } from './testing/variants.ts';

judges(log01, goodOf(ledgerDay), [
  ['passes a day that was whole', {}, 'pass', ['ledger_whole']],
  [
    'passes anchored within 24 hours of the day’s end',
    { lastAnchoredAt: known('2026-07-10T00:00:00.000Z') },
    'pass',
    ['ledger_whole'],
  ],
  ['is an exception with a failed self-check', { selfCheck: known('failed') }, 'exception', ['self_check_failed']],
  [
    'is an exception with an entry that waited 5 minutes',
    { longestPendingSeconds: known(300) },
    'exception',
    ['entries_waited'],
  ],
  ['is an exception never anchored outside', { lastAnchoredAt: known(null) }, 'exception', ['never_anchored']],
  [
    'is an exception anchored too long ago',
    { lastAnchoredAt: known('2026-07-09T23:59:59.999Z') },
    'exception',
    ['anchor_too_old'],
  ],
  ['is an exception with a broken epoch', { epochBreaks: known(1) }, 'exception', ['epoch_broken']],
  [
    'is an exception never anchored outside, whatever else is not known',
    { lastAnchoredAt: known(null), selfCheck: missing, longestPendingSeconds: missing, epochBreaks: missing },
    'exception',
    ['never_anchored'],
  ],
  ['is a gap without a self-check that anybody told of', { selfCheck: missing }, 'gap', ['ledger_facts_missing']],
  [
    'is a gap where it is not known how long entries waited',
    { longestPendingSeconds: missing },
    'gap',
    ['ledger_facts_missing'],
  ],
  ['is a gap where anchors are not known', { lastAnchoredAt: missing }, 'gap', ['ledger_facts_missing']],
  ['is a gap where epochs are not known', { epochBreaks: missing }, 'gap', ['ledger_facts_missing']],
]);
