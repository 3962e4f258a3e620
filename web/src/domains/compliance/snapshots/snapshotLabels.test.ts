import { expect, test } from 'vitest';
import { scopeDifferenceText } from './snapshotLabels.ts';

const quarter = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
const year = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };

test('compares two snapshots of one period and the same repositories regardless of order', () => {
  expect(
    scopeDifferenceText({ period: quarter, repositories: null }, { period: quarter, repositories: null }),
  ).toBeUndefined();
  const [one, other] = [
    { period: quarter, repositories: ['a', 'b'] },
    { period: quarter, repositories: ['b', 'a'] },
  ];
  expect(scopeDifferenceText(one, other)).toBeUndefined();
});

test('names how two snapshots differ in scope', () => {
  const all = { period: quarter, repositories: null };
  expect(scopeDifferenceText(all, { period: year, repositories: null })).toContain('different periods.');
  expect(scopeDifferenceText(all, { period: quarter, repositories: ['a'] })).toContain('different repositories.');
  expect(scopeDifferenceText(all, { period: year, repositories: [] })).toContain('different periods and repositories.');
});
