import { expect, test } from 'vitest';
import { chg04 } from './chg-04.ts';
import { defaultsOf } from './parameters.ts';
import { PROTECTION_VALID_MINUTES } from './protection-polling.ts';
import { hourlySnapshots, protection, snapshot } from './testing/change-variants.ts';
import { completeFact, missingFact, partialFact, validWaiver } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

const noon = { ...snapshot, capturedAt: '2026-07-10T12:00:00.000Z' };
const hourly = hourlySnapshots('2026-07-10');
const withNoon = (changed: Partial<typeof snapshot>) => ({
  snapshots: completeFact([...hourly, { ...noon, ...changed }]),
});
/** Snapshots every `minutes` from midnight. */
const every = (minutes: number) =>
  at(
    ...Array.from({ length: Math.ceil(1440 / minutes) }, (_, index) =>
      new Date(Date.parse('2026-07-10T00:00:00.000Z') + index * minutes * 60_000).toISOString(),
    ),
  );
const at = (...times: string[]) => ({
  snapshots: completeFact(times.map((capturedAt) => ({ ...snapshot, capturedAt }))),
});

const disabled = [{ from: '2026-07-10T18:00:00.000Z', to: '2026-07-10T18:00:30.000Z' }];

testVerdicts(chg04, passingRowOf(protection), [
  ['passes a day covered by compliant snapshots', {}, 'pass', ['protected_all_day']],
  ['passes if every reading is as late as tolerated', every(PROTECTION_VALID_MINUTES), 'pass', ['protected_all_day']],
  [
    'passes if a non-compliant snapshot was replaced before the day',
    {
      snapshots: completeFact([
        { ...snapshot, capturedAt: '2026-07-09T23:00:00.000Z', allowsForcePush: completeFact(true) },
        ...hourly,
      ]),
    },
    'pass',
    ['protected_all_day'],
  ],
  [
    'passes without a setting that is not required, known or not',
    withNoon({ includesAdmins: completeFact(false), allowsDeletion: missingFact }),
    'pass',
    ['protected_all_day'],
    { includesAdmins: false, noDeletion: false },
  ],
  [
    'fails with too few required reviews',
    withNoon({ requiredReviews: completeFact(0) }),
    'fail',
    ['too_few_required_reviews'],
  ],
  ['fails with fewer required reviews than the parameter', {}, 'fail', ['too_few_required_reviews'], { reviews: 2 }],
  [
    'fails if approvals remain after a push',
    withNoon({ dismissesStaleReviews: completeFact(false) }),
    'fail',
    ['stale_approvals_kept'],
  ],
  [
    'fails if force pushes are allowed',
    withNoon({ allowsForcePush: completeFact(true) }),
    'fail',
    ['force_push_allowed'],
  ],
  ['fails if deletion is allowed', withNoon({ allowsDeletion: completeFact(true) }), 'fail', ['deletion_allowed']],
  [
    'fails if administrators are not bound',
    withNoon({ includesAdmins: completeFact(false) }),
    'fail',
    ['admins_exempt'],
  ],
  [
    'fails without a required check',
    withNoon({ requiredCheckCount: completeFact(0) }),
    'fail',
    ['too_few_required_checks'],
  ],
  [
    'passes without a required check if the parameter requires none',
    withNoon({ requiredCheckCount: missingFact }),
    'pass',
    ['protected_all_day'],
    { checks: 0 },
  ],
  [
    'fails if any app may report a required check, if the parameter forbids it',
    {},
    'fail',
    ['required_checks_unbound'],
    { bindsChecks: true },
  ],
  [
    'has missing evidence if the number of required checks is unknown',
    withNoon({ requiredCheckCount: missingFact }),
    'missing_evidence',
    ['protection_incomplete'],
  ],
  [
    'fails if the day started with insufficient protection',
    {
      snapshots: completeFact([
        ...hourly,
        { ...snapshot, capturedAt: '2026-07-09T23:45:00.000Z', requiredReviews: completeFact(0) },
      ]),
    },
    'fail',
    ['too_few_required_reviews'],
  ],
  [
    'fails with a minute of insufficient protection',
    {
      snapshots: completeFact([
        ...hourly,
        { ...noon, allowsForcePush: completeFact(true) },
        { ...noon, capturedAt: '2026-07-10T12:01:00.000Z' },
      ]),
    },
    'fail',
    ['force_push_allowed'],
  ],
  [
    'fails with one non-compliant snapshot of the day, even if others are unknown',
    { snapshots: partialFact([{ ...noon, allowsForcePush: completeFact(true) }]) },
    'fail',
    ['force_push_allowed'],
  ],
  [
    'has missing evidence without permission to read it',
    { snapshots: missingFact },
    'missing_evidence',
    ['protection_missing', 'protection_stale'],
  ],
  ['has missing evidence without a snapshot', at(), 'missing_evidence', ['protection_stale']],
  [
    'has missing evidence if one reading of the day failed',
    { snapshots: completeFact(hourly.toSpliced(12, 1)) },
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'has missing evidence if a reading is later than tolerated',
    every(PROTECTION_VALID_MINUTES + 1),
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'has missing evidence if the last snapshot does not reach the end',
    { snapshots: completeFact(hourly.slice(0, -1)) },
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'has missing evidence if the day started without a snapshot',
    { snapshots: completeFact(hourly.slice(1)) },
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'has missing evidence if a non-compliant snapshot before the day is too old',
    {
      snapshots: completeFact([
        { ...snapshot, capturedAt: '2026-07-09T22:00:00.000Z', allowsForcePush: completeFact(true) },
        ...hourly.slice(1),
      ]),
    },
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'has missing evidence if some snapshots are unknown, and a non-compliant one before the day may have been replaced',
    {
      snapshots: partialFact(
        hourly.map((one, index) => (index === 0 ? { ...one, allowsForcePush: completeFact(true) } : one)),
      ),
    },
    'missing_evidence',
    ['protection_missing'],
  ],
  [
    'has missing evidence if the repository was disabled for 30 seconds',
    { disabled },
    'missing_evidence',
    ['repository_disabled'],
  ],
  [
    'fails although the repository was disabled after the branch had been unprotected',
    { ...withNoon({ allowsForcePush: completeFact(true) }), disabled },
    'fail',
    ['force_push_allowed'],
  ],
  [
    'passes the part of the day until the repository was disabled for good',
    { ...at('2026-07-10T00:00:00.000Z'), until: '2026-07-10T00:30:00.000Z' },
    'pass',
    ['protected_all_day'],
  ],
  [
    'ignores snapshots after the repository was disabled for good',
    { ...withNoon({ allowsForcePush: completeFact(true) }), until: '2026-07-10T12:00:00.000Z' },
    'pass',
    ['protected_all_day'],
  ],
  [
    'has missing evidence if a setting is unknown',
    withNoon({ includesAdmins: missingFact }),
    'missing_evidence',
    ['protection_incomplete'],
  ],
]);

test('accepts waivers for the part of the day below the setting', () => {
  const row = { ...passingRowOf(protection), ...withNoon({ allowsForcePush: completeFact(true) }) };
  const evaluated = (from: string, until: string) =>
    chg04.evaluate({ ...row, waivers: [{ ...validWaiver, from, until }] }, defaultsOf(chg04.parameters)).verdict;
  expect(evaluated('2026-07-10T12:00:00.000Z', '2026-07-10T12:30:00.000Z')).toBe('waived');
  expect(evaluated('2026-07-10T12:00:01.000Z', '2026-07-11T00:00:00.000Z')).toBe('fail');
  expect(evaluated('2026-07-10T00:00:00.000Z', '2026-07-10T12:29:00.000Z')).toBe('fail');
});
