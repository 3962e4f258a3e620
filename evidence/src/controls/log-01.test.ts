import { log01 } from './log-01.ts';
import { completeFact, missingFact } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { ledgerDay, passingRowOf } from './testing/variants.ts';

testVerdicts(log01, passingRowOf(ledgerDay), [
  ['passes a day without problems', {}, 'pass', ['ledger_intact']],
  [
    'passes if anchored within 24 hours of the day’s end',
    { lastAnchoredAt: completeFact('2026-07-10T00:00:00.000Z') },
    'pass',
    ['ledger_intact'],
  ],
  ['fails with a failed self-check', { selfCheck: completeFact('failed') }, 'fail', ['self_check_failed']],
  [
    'fails with an entry that was pending for 5 minutes',
    { longestPendingSeconds: completeFact(300) },
    'fail',
    ['entries_delayed'],
  ],
  ['fails if never anchored', { lastAnchoredAt: completeFact(null) }, 'fail', ['never_anchored']],
  [
    'fails if anchored too long ago',
    { lastAnchoredAt: completeFact('2026-07-09T23:59:59.999Z') },
    'fail',
    ['anchor_too_old'],
  ],
  ['fails with a broken epoch', { epochBreaks: completeFact(1) }, 'fail', ['epoch_broken']],
  [
    'fails if never anchored, even if other facts are missing',
    {
      lastAnchoredAt: completeFact(null),
      selfCheck: missingFact,
      longestPendingSeconds: missingFact,
      epochBreaks: missingFact,
    },
    'fail',
    ['never_anchored'],
  ],
  [
    'has missing evidence without a reported self-check',
    { selfCheck: missingFact },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence if the pending time of entries is unknown',
    { longestPendingSeconds: missingFact },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence if anchors are unknown',
    { lastAnchoredAt: missingFact },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
  [
    'has missing evidence if epochs are unknown',
    { epochBreaks: missingFact },
    'missing_evidence',
    ['ledger_facts_missing'],
  ],
]);
