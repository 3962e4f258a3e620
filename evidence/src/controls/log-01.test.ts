import { log01 } from './log-01.ts';
import { known, missing } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf, ledgerDay } from './testing/variants.ts';

evaluates(log01, goodOf(ledgerDay), [
  ['passes a day without problems', {}, 'pass', ['ledger_intact']],
  [
    'passes if anchored within 24 hours of the day’s end',
    { lastAnchoredAt: known('2026-07-10T00:00:00.000Z') },
    'pass',
    ['ledger_intact'],
  ],
  ['fails with a failed self-check', { selfCheck: known('failed') }, 'fail', ['self_check_failed']],
  [
    'fails with an entry that was pending for 5 minutes',
    { longestPendingSeconds: known(300) },
    'fail',
    ['entries_delayed'],
  ],
  ['fails if never anchored', { lastAnchoredAt: known(null) }, 'fail', ['never_anchored']],
  ['fails if anchored too long ago', { lastAnchoredAt: known('2026-07-09T23:59:59.999Z') }, 'fail', ['anchor_too_old']],
  ['fails with a broken epoch', { epochBreaks: known(1) }, 'fail', ['epoch_broken']],
  [
    'fails if never anchored, even if other facts are missing',
    { lastAnchoredAt: known(null), selfCheck: missing, longestPendingSeconds: missing, epochBreaks: missing },
    'fail',
    ['never_anchored'],
  ],
  [
    'has missing evidence without a reported self-check',
    { selfCheck: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence if the pending time of entries is unknown',
    { longestPendingSeconds: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence if anchors are unknown',
    { lastAnchoredAt: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence if epochs are unknown',
    { epochBreaks: missing },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
]);
