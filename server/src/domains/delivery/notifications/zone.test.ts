import { expect, test } from 'vitest';
import { dateRangeIn } from './zone.ts';

const now = Date.parse('2026-11-23T20:00:00Z');
const ends = (zone: string, text: string) => {
  const { from, to } = dateRangeIn(zone, text, now);
  return [from, to].map((at) => new Date(at).toISOString());
};

test.each([
  ['UTC', '2026-11-02', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-02', '2026-11-01T18:30:00.000Z', '2026-11-02T18:30:00.000Z'],
  // A day in daylight saving time, and the day on which it ends, seen from winter.
  ['Europe/Berlin', '2026-07-02', '2026-07-01T22:00:00.000Z', '2026-07-02T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['America/New_York', '2026-11', '2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z'],
  // The next day has already begun there.
  ['Pacific/Auckland', 'today', '2026-11-23T11:00:00.000Z', '2026-11-24T11:00:00.000Z'],
  ['Asia/Kolkata', '-1d', '2026-11-22T20:00:00.000Z', '2026-11-22T20:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-02T10:00:00Z', '2026-11-02T10:00:00.000Z', '2026-11-02T10:00:00.000Z'],
  ['posixrules', '2026-11-02', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
])('time zone %s: %s runs from %s to %s', (zone, text, from, to) => {
  expect(ends(zone, text)).toEqual([from, to]);
});
