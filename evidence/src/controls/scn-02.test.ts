import { scn02 } from './scn-02.ts';
import { completeFact, missingFact, partialFact } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { freshness, passingRowOf } from './testing/variants.ts';

const scan = (finishedAt: string, state: 'ok' | 'failed' = 'ok') => ({
  scans: completeFact([{ sha: 'a'.repeat(40), finishedAt, state }]),
});
const none = { scans: completeFact([]) };

testVerdicts(scn02, passingRowOf(freshness), [
  ['passes with a scan within 7 days of the week’s end', {}, 'pass', ['scan_fresh']],
  ['passes with a scan 7 days before', scan('2026-07-06T00:00:00.000Z'), 'pass', ['scan_fresh']],
  [
    'passes with a scan within the days of the parameter',
    scan('2026-07-01T00:00:00.000Z'),
    'pass',
    ['scan_fresh'],
    { freshness: 14 },
  ],
  ['passes with a scan, recently enabled or not', { enabledAt: '2026-07-10T00:00:00.000Z' }, 'pass', ['scan_fresh']],
  ['fails without a scan', none, 'fail', ['scan_too_old']],
  ['fails with a scan too long before', scan('2026-07-05T23:59:59.999Z'), 'fail', ['scan_too_old']],
  ['fails with a scan after the week', scan('2026-07-13T00:00:00.001Z'), 'fail', ['scan_too_old']],
  ['fails if every scan failed', scan('2026-07-10T00:00:00.000Z', 'failed'), 'fail', ['scan_too_old']],
  [
    'has missing evidence if enabled for less than 7 days',
    { ...none, enabledAt: '2026-07-06T00:00:00.001Z' },
    'missing_evidence',
    ['enabled_recently'],
  ],
  [
    'has missing evidence if the repository was disabled within 7 days of the week’s end',
    { ...none, disabled: [{ from: '2026-07-08T00:00:00.000Z', to: '2026-07-08T00:00:30.000Z' }] },
    'missing_evidence',
    ['repository_disabled'],
  ],
  [
    'fails if the repository was disabled only before',
    { ...none, disabled: [{ from: '2026-07-05T00:00:00.000Z', to: '2026-07-06T00:00:00.000Z' }] },
    'fail',
    ['scan_too_old'],
  ],
  [
    'has missing evidence if the integration was inactive',
    { ...none, integration: completeFact('inactive') },
    'missing_evidence',
    ['scanner_not_configured'],
  ],
  [
    'has missing evidence if the state of the integration is unknown',
    { ...none, integration: missingFact },
    'missing_evidence',
    ['scanner_unknown'],
  ],
  ['has missing evidence if scans are unknown', { scans: missingFact }, 'missing_evidence', ['scans_missing']],
  ['has missing evidence if some are unknown', { scans: partialFact([]) }, 'missing_evidence', ['scans_missing']],
  [
    'has missing evidence if a scan succeeded but some are unknown',
    { scans: partialFact([{ sha: 'a'.repeat(40), finishedAt: '2026-07-10T00:00:00.000Z', state: 'ok' as const }]) },
    'missing_evidence',
    ['scans_missing'],
  ],
]);
