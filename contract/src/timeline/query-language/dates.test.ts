import { expect, test } from 'vitest';
import { dateRangeOf, isDate } from './dates.ts';

// Noon in UTC on a Wednesday; 14:00 at the offset of two hours.
const clock = { now: Date.parse('2026-03-04T12:00:00Z'), offset: 120 };
const read = (text: string) => {
  const { from, to } = dateRangeOf(text, clock);
  return [new Date(from).toISOString(), new Date(to).toISOString()];
};

test.each([
  ['2026-01-31', '2026-01-30T22:00:00.000Z', '2026-01-31T22:00:00.000Z'],
  ['2026-02', '2026-01-31T22:00:00.000Z', '2026-02-28T22:00:00.000Z'],
  ['2024-02-29', '2024-02-28T22:00:00.000Z', '2024-02-29T22:00:00.000Z'],
  ['today', '2026-03-03T22:00:00.000Z', '2026-03-04T22:00:00.000Z'],
  ['Yesterday', '2026-03-02T22:00:00.000Z', '2026-03-03T22:00:00.000Z'],
  ['now', '2026-03-04T12:00:00.000Z', '2026-03-04T12:00:00.000Z'],
  ['-7d', '2026-02-25T12:00:00.000Z', '2026-02-25T12:00:00.000Z'],
  ['-90m', '2026-03-04T10:30:00.000Z', '2026-03-04T10:30:00.000Z'],
  ['2026-01-01T10:00:00+05:30', '2026-01-01T04:30:00.000Z', '2026-01-01T04:30:00.000Z'],
])('reads %s as from %s to %s at UTC+2', (text, from, to) => {
  expect(read(text)).toEqual([from, to]);
});

test.each([
  '',
  'soon',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '1969-01-01',
  '2101-05-01',
  '-7',
  '7d',
  '-999999d',
  '2026-01-01T25:00:00Z',
])('rejects %s as a date', (text) => {
  expect(isDate(text)).toBe(false);
});
