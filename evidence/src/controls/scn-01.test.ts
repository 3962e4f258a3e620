import { scn01 } from './scn-01.ts';
import { completeFact, missingFact, partialFact } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf, scanned } from './testing/variants.ts';

const head = 'a'.repeat(40);
const merged = 'c'.repeat(40);
const scan = (sha: string, finishedAt: string, state: 'ok' | 'failed' = 'ok') => ({
  scans: completeFact([{ sha, finishedAt, state }]),
});
const none = { scans: completeFact([]) };

testVerdicts(scn01, passingRowOf(scanned), [
  ['passes if scanned on the head commit before the merge', {}, 'pass', ['scanned']],
  [
    'passes if scanned on the merged commit within a day',
    scan(merged, '2026-07-11T12:00:00.000Z'),
    'pass',
    ['scanned'],
  ],
  [
    'passes if scanned on the head commit and the merged commit is unknown',
    { mergeSha: missingFact },
    'pass',
    ['scanned'],
  ],
  ['passes if scanned although the scanner fails otherwise', { scanner: completeFact('failing') }, 'pass', ['scanned']],
  ['fails without a scan', none, 'fail', ['not_scanned']],
  ['fails if scanned later', scan(merged, '2026-07-11T12:00:01.000Z'), 'fail', ['not_scanned']],
  ['fails if scanned on another commit', scan('f'.repeat(40), '2026-07-10T11:00:00.000Z'), 'fail', ['not_scanned']],
  [
    'fails if scanned later than the parameter',
    scan(merged, '2026-07-10T15:00:00.000Z'),
    'fail',
    ['not_scanned'],
    { within: 2 },
  ],
  [
    'has missing evidence if the scanner failed',
    { ...none, scanner: completeFact('failing') },
    'missing_evidence',
    ['scanner_failing'],
  ],
  [
    'has missing evidence if the scan of the change failed',
    scan(head, '2026-07-10T11:00:00.000Z', 'failed'),
    'missing_evidence',
    ['scanner_failing'],
  ],
  [
    'has missing evidence without a scanner',
    { ...none, scanner: completeFact('not_configured') },
    'missing_evidence',
    ['scanner_not_configured'],
  ],
  [
    'has missing evidence if the state of the scanner is unknown',
    { ...none, scanner: missingFact },
    'missing_evidence',
    ['scanner_unknown'],
  ],
  ['has missing evidence if its scans are unknown', { scans: missingFact }, 'missing_evidence', ['scans_missing']],
  ['has missing evidence if some scans are unknown', { scans: partialFact([]) }, 'missing_evidence', ['scans_missing']],
  [
    'has missing evidence if a scan succeeded but some are unknown',
    { scans: partialFact([{ sha: head, finishedAt: '2026-07-10T11:00:00.000Z', state: 'ok' as const }]) },
    'missing_evidence',
    ['scans_missing'],
  ],
  [
    'has missing evidence if the head commit is unknown',
    { ...none, headSha: missingFact },
    'missing_evidence',
    ['head_unknown'],
  ],
  [
    'has missing evidence if the merged commit is unknown',
    { ...none, mergeSha: missingFact },
    'missing_evidence',
    ['merge_commit_unknown'],
  ],
  [
    'has missing evidence before the time limit',
    { ...none, evaluatedAt: '2026-07-11T11:59:59.999Z' },
    'missing_evidence',
    ['time_not_over'],
  ],
]);
