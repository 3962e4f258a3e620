import { scn01 } from './scn-01.ts';
import { known, missing, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf, scanned } from './testing/variants.ts';

const head = 'a'.repeat(40);
const merged = 'c'.repeat(40);
const scan = (sha: string, finishedAt: string, state: 'ok' | 'failed' = 'ok') => ({
  scans: known([{ sha, finishedAt, state }]),
});
const none = { scans: known([]) };

evaluates(scn01, goodOf(scanned), [
  ['passes scanned on the head commit before the merge', {}, 'pass', ['scanned']],
  ['passes scanned on the merged commit within a day', scan(merged, '2026-07-11T12:00:00.000Z'), 'pass', ['scanned']],
  ['passes scanned on the head where the merged commit is not known', { mergeSha: missing }, 'pass', ['scanned']],
  ['passes scanned while the scanner fails otherwise', { scanner: known('failing') }, 'pass', ['scanned']],
  ['fails with none', none, 'fail', ['not_scanned']],
  ['fails scanned later', scan(merged, '2026-07-11T12:00:01.000Z'), 'fail', ['not_scanned']],
  [
    'is an exception scanned on another commit',
    scan('f'.repeat(40), '2026-07-10T11:00:00.000Z'),
    'fail',
    ['not_scanned'],
  ],
  [
    'is an exception scanned later than set',
    scan(merged, '2026-07-10T15:00:00.000Z'),
    'fail',
    ['not_scanned'],
    { within: 2 },
  ],
  [
    'has missing evidence where the scanner failed',
    { ...none, scanner: known('failing') },
    'missing_evidence',
    ['scanner_failing'],
  ],
  [
    'is a gap where the scan of the change failed',
    scan(head, '2026-07-10T11:00:00.000Z', 'failed'),
    'missing_evidence',
    ['scanner_failing'],
  ],
  [
    'has missing evidence without a scanner',
    { ...none, scanner: known('not_configured') },
    'missing_evidence',
    ['scanner_not_configured'],
  ],
  [
    'has missing evidence where it is not known how the scanner was',
    { ...none, scanner: missing },
    'missing_evidence',
    ['scanner_unknown'],
  ],
  ['has missing evidence where its runs are not known', { scans: missing }, 'missing_evidence', ['scans_missing']],
  ['has missing evidence where some runs are not known', { scans: partly([]) }, 'missing_evidence', ['scans_missing']],
  [
    'has missing evidence where the head is not known',
    { ...none, headSha: missing },
    'missing_evidence',
    ['head_unknown'],
  ],
  [
    'has missing evidence where the merged commit is not known',
    { ...none, mergeSha: missing },
    'missing_evidence',
    ['merge_commit_unknown'],
  ],
  [
    'has missing evidence while there is time',
    { ...none, evaluatedAt: '2026-07-11T11:59:59.999Z' },
    'missing_evidence',
    ['time_not_over'],
  ],
]);
