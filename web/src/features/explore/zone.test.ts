import { expect, test } from 'vitest';
import { browserOffset, clockTime, dayName, fullTime, offsets, zoneName } from './zone.ts';

test('offers 25 offsets', () => {
  expect([offsets.length, offsets[0], offsets.at(-1)]).toEqual([25, -12, 12]);
});

test.each([
  [-60, 1],
  [300, -5],
  [0, 0],
  [-330, 0],
  [-840, 0],
])('a browser %i minutes behind UTC gets %i', (minutes, hours) => {
  expect(Object.is(browserOffset(minutes), hours)).toBe(true);
});

test('tells times and days in the zone', () => {
  const at = '2026-11-19T23:30:05Z';
  expect(clockTime(at, 1)).toBe('00:30:05');
  expect(dayName(at, 0)).toContain('19 November 2026');
  expect(dayName(at, 1)).toContain('20 November 2026');
  expect(fullTime(at, -5)).toBe('19 Nov 2026, 18:30:05 UTC−05:00');
  expect(zoneName(0)).toBe('UTC');
});
