import { expect, test } from 'vitest';
import { freshnessOf } from './freshnessOf.ts';

const day = 24 * 3_600_000;

// Spec 2.10.
test.each([
  [0, 'green'],
  [2 * day, 'green'],
  [2 * day + 1, 'orange'],
  [7 * day, 'orange'],
  [7 * day + 1, 'red'],
])('shows %i ms ago as %s', (age, tone) => {
  expect(freshnessOf(1e12 - age, 1e12).tone).toBe(tone);
});
