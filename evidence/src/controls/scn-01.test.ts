import { scn01 } from './scn-01.ts';
import { known, missing, partly } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf, scanned } from './testing/variants.ts';

const head = 'a'.repeat(40);
const merged = 'c'.repeat(40);
const scan = (sha: string, finishedAt: string, state: 'ok' | 'failed' = 'ok') => ({
  scans: known([{ sha, finishedAt, state }]),
});
const none = { scans: known([]) };

judges(scn01, goodOf(scanned), [
  ['passes scanned on the head commit before the merge', {}, 'pass', ['scanned']],
  ['passes scanned on the merged commit within a day', scan(merged, '2026-07-11T12:00:00.000Z'), 'pass', ['scanned']],
  ['passes scanned on the head where the merged commit is not known', { mergeSha: missing }, 'pass', ['scanned']],
  ['passes scanned while the scanner fails otherwise', { scanner: known('failing') }, 'pass', ['scanned']],
  ['is an exception with none', none, 'exception', ['not_scanned']],
  ['is an exception scanned later', scan(merged, '2026-07-11T12:00:01.000Z'), 'exception', ['not_scanned']],
  [
    'is an exception scanned on another commit',
    scan('f'.repeat(40), '2026-07-10T11:00:00.000Z'),
    'exception',
    ['not_scanned'],
  ],
  [
    'is an exception scanned later than set',
    scan(merged, '2026-07-10T15:00:00.000Z'),
    'exception',
    ['not_scanned'],
    { within: 2 },
  ],
  ['is a gap where the scanner failed', { ...none, scanner: known('failing') }, 'gap', ['scanner_failing']],
  [
    'is a gap where the scan of the change failed',
    scan(head, '2026-07-10T11:00:00.000Z', 'failed'),
    'gap',
    ['scanner_failing'],
  ],
  ['is a gap without a scanner', { ...none, scanner: known('not_configured') }, 'gap', ['scanner_not_configured']],
  ['is a gap where it is not known how the scanner was', { ...none, scanner: missing }, 'gap', ['scanner_unknown']],
  ['is a gap where its runs are not known', { scans: missing }, 'gap', ['scans_missing']],
  ['is a gap where some runs are not known', { scans: partly([]) }, 'gap', ['scans_missing']],
  ['is a gap where the head is not known', { ...none, headSha: missing }, 'gap', ['head_unknown']],
  ['is a gap where the merged commit is not known', { ...none, mergeSha: missing }, 'gap', ['merge_commit_unknown']],
  ['is a gap while there is time', { ...none, judgedAt: '2026-07-11T11:59:59.999Z' }, 'gap', ['time_not_over']],
]);
