import { expect, test } from 'vitest';
import { trendIntervals } from './trends.ts';

const now = new Date('2026-11-28T17:00:00Z');

test('lists days up to today', () => {
  const days = trendIntervals(now, { days: 30, interval: 'day' });
  expect([days.length, days[0], days.at(-1)]).toEqual([30, '2026-10-30', '2026-11-28']);
});

test.each([
  ['2026-11-28T17:00:00Z', '2026-11-23'],
  ['2026-11-23T00:00:00Z', '2026-11-23'],
  ['2026-11-29T23:59:59Z', '2026-11-23'],
])('the last week at %s begins on Monday, %s', (at, monday) => {
  const weeks = trendIntervals(new Date(at), { days: 90, interval: 'week' });
  expect([weeks.length, weeks[0], weeks.at(-1)]).toEqual([13, '2026-08-31', monday]);
});
