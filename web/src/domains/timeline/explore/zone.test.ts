import { expect, test } from 'vitest';
import { browserOffset, clockTime, dayName, fullTime, offeredOffsets, zoneName } from './zone.ts';

test('offers 25 offsets from -12 to +12 and that of the browser', () => {
  expect(offeredOffsets(60)).toHaveLength(25);
  expect(offeredOffsets(60).at(0)).toBe(-720);
  expect(offeredOffsets(60).at(-1)).toBe(720);
  expect(offeredOffsets(330)).toHaveLength(26);
  expect(offeredOffsets(330).indexOf(330)).toBe(offeredOffsets(330).indexOf(300) + 1);
});

test('lists every other time zone under "more", sorted and once', () => {
  const all = offeredOffsets(330, true);
  expect(all).toHaveLength(38);
  expect(all.slice(all.indexOf(300), all.indexOf(360) + 1)).toEqual([300, 330, 345, 360]);
  expect(all.at(-1)).toBe(840);
});

test('starts with the offset of the browser', () => {
  expect(browserOffset(-60)).toBe(60);
  expect(browserOffset(300)).toBe(-300);
  expect(browserOffset(-330)).toBe(330);
  expect(browserOffset(0)).toBe(0);
});

test('falls back to UTC if the browser reports no offset', () => {
  expect(browserOffset(Number.NaN)).toBe(0);
});

test('names time zones in words', () => {
  expect(zoneName(0)).toBe('UTC');
  expect(zoneName(60)).toBe('UTC+01:00');
  expect(zoneName(-330)).toBe('UTC−05:30');
});

test('formats times and days in the zone, also across midnight', () => {
  const at = '2026-11-19T23:30:05Z';
  expect(clockTime(at, 0)).toBe('23:30:05');
  expect(clockTime(at, 330)).toBe('05:00:05');
  expect(dayName(at, 0)).toBe('Thursday, 19 November 2026');
  expect(dayName(at, 60)).toBe('Friday, 20 November 2026');
  expect(fullTime(at, 60)).toBe('20 Nov 2026, 00:30:05 UTC+01:00');
});
