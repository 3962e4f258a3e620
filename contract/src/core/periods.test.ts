import { expect, test } from 'vitest';
import { formatPeriod, parsePeriod, period, quarterOf } from './periods.ts';

test.each([
  ['2026', '2026-01-01', '2027-01-01'],
  ['2026-Q1', '2026-01-01', '2026-04-01'],
  ['2026-Q4', '2026-10-01', '2027-01-01'],
  ['2028-02', '2028-02-01', '2028-03-01'],
  ['2026-12', '2026-12-01', '2027-01-01'],
  ['2026-10-05..2026-10-18', '2026-10-05', '2026-10-19'],
  ['2026-10-05..2026-10-05', '2026-10-05', '2026-10-06'],
])('reads %s from %s until %s, with its name', (text, from, to) => {
  const ends = { from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z` };
  expect(parsePeriod(text)).toEqual(ends);
  expect(formatPeriod(ends)).toBe(text);
});

test.each([
  '',
  '1999',
  '2101-01',
  '26',
  '2026-Q5',
  '2026-Q0',
  '2026-13',
  '2026-00',
  '2026-02-30..2026-03-01',
  '2026-03-02..2026-03-01',
  '2026-01-01..2027-03-01',
  '2026-10-05',
  ' 2026',
])('rejects %j as a period', (text) => {
  expect(parsePeriod(text)).toBeUndefined();
  expect(period.safeParse(text).success).toBe(false);
});

test('finds the quarter of a time', () => {
  expect(quarterOf(new Date('2026-09-30T23:59:59.999Z'))).toBe('2026-Q3');
  expect(quarterOf(new Date('2026-10-01T00:00:00.000Z'))).toBe('2026-Q4');
});
