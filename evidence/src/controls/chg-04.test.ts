import { expect, test } from 'vitest';
import { chg04 } from './chg-04.ts';
import { defaultsOf } from './parameters.ts';
import { protection, snapshot } from './testing/change-variants.ts';
import { known, leave, missing, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const noon = { ...snapshot, capturedAt: '2026-07-10T12:00:00.000Z' };
const withNoon = (changed: Partial<typeof snapshot>) => ({ snapshots: known([snapshot, { ...noon, ...changed }]) });
const at = (...times: string[]) => ({ snapshots: known(times.map((capturedAt) => ({ ...snapshot, capturedAt }))) });

evaluates(chg04, goodOf(protection), [
  ['passes a day covered by good snapshots', {}, 'pass', ['protected_all_day']],
  [
    'passes with one snapshot at midnight, which speaks for a day',
    at('2026-07-10T00:00:00.000Z'),
    'pass',
    ['protected_all_day'],
  ],
  [
    'passes where a bad snapshot had been replaced before the day',
    {
      snapshots: known([
        { ...snapshot, capturedAt: '2026-07-09T19:00:00.000Z', allowsForcePush: known(true) },
        snapshot,
        noon,
      ]),
    },
    'pass',
    ['protected_all_day'],
  ],
  [
    'passes without a rule that is not asked for, told or not',
    withNoon({ includesAdmins: known(false), allowsDeletion: missing }),
    'pass',
    ['protected_all_day'],
    { includesAdmins: false, noDeletion: false },
  ],
  [
    'is an exception with too few required reviews',
    withNoon({ requiredReviews: known(0) }),
    'fail',
    ['too_few_required_reviews'],
  ],
  ['is an exception with fewer required reviews than set', {}, 'fail', ['too_few_required_reviews'], { reviews: 2 }],
  [
    'is an exception where approvals stay after a push',
    withNoon({ dismissesStaleReviews: known(false) }),
    'fail',
    ['stale_approvals_kept'],
  ],
  [
    'is an exception where pushes may be forced',
    withNoon({ allowsForcePush: known(true) }),
    'fail',
    ['force_push_allowed'],
  ],
  ['is an exception where it may be deleted', withNoon({ allowsDeletion: known(true) }), 'fail', ['deletion_allowed']],
  [
    'is an exception where administrators are not bound',
    withNoon({ includesAdmins: known(false) }),
    'fail',
    ['admins_exempt'],
  ],
  [
    'is an exception where the day began with less protection',
    { snapshots: known([{ ...snapshot, requiredReviews: known(0) }, noon]) },
    'fail',
    ['too_few_required_reviews'],
  ],
  [
    'is an exception for a minute of too little protection',
    {
      snapshots: known([
        snapshot,
        { ...noon, allowsForcePush: known(true) },
        { ...noon, capturedAt: '2026-07-10T12:01:00.000Z' },
      ]),
    },
    'fail',
    ['force_push_allowed'],
  ],
  [
    'is an exception with one bad snapshot of the day, though others are not known',
    { snapshots: partly([{ ...noon, allowsForcePush: known(true) }]) },
    'fail',
    ['force_push_allowed'],
  ],
  [
    'is a gap where the host does not let us read it',
    { snapshots: missing },
    'missing_evidence',
    ['protection_missing', 'protection_stale'],
  ],
  ['has missing evidence without a snapshot', at(), 'missing_evidence', ['protection_stale']],
  [
    'is a gap where snapshots are too far apart',
    at('2026-07-09T06:00:00.000Z', '2026-07-10T12:00:00.000Z'),
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'is a gap where the last snapshot does not reach the end',
    at('2026-07-09T20:00:00.000Z'),
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'has missing evidence where the day began with no snapshot',
    at('2026-07-10T00:00:00.001Z'),
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'is a gap where a bad snapshot before the day is too old to speak for it',
    { snapshots: known([{ ...snapshot, capturedAt: '2026-07-08T20:00:00.000Z', allowsForcePush: known(true) }, noon]) },
    'missing_evidence',
    ['protection_stale'],
  ],
  [
    'is a gap where some snapshots are not known, and a bad one before the day may have been followed by another',
    { snapshots: partly([{ ...snapshot, allowsForcePush: known(true) }, noon]) },
    'missing_evidence',
    ['protection_missing'],
  ],
  [
    'has missing evidence where a part is not told',
    withNoon({ includesAdmins: missing }),
    'missing_evidence',
    ['protection_incomplete'],
  ],
]);

test('counts leave for the part of the day below the setting', () => {
  const row = { ...goodOf(protection), ...withNoon({ allowsForcePush: known(true) }) };
  const evaluated = (from: string, until: string) =>
    chg04.evaluate({ ...row, waivers: [{ ...leave, from, until }] }, defaultsOf(chg04.parameters)).verdict;
  expect(evaluated('2026-07-10T12:00:00.000Z', '2026-07-11T00:00:00.000Z')).toBe('waived');
  expect(evaluated('2026-07-10T12:00:01.000Z', '2026-07-11T00:00:00.000Z')).toBe('fail');
  expect(evaluated('2026-07-10T00:00:00.000Z', '2026-07-10T23:00:00.000Z')).toBe('fail');
});
