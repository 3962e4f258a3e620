import { expect, test } from 'vitest';
import { absoluteTime, pullRequestRelativeDays, relativeDays, timeAgo } from './time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
// Noon, so that no case crosses midnight in any time zone.
const now = new Date(2026, 10, 21, 12).getTime();

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [minute, '1 minute ago'],
  [hour - 1, '59 minutes ago'],
  [hour, '1 hour ago'],
  [day - 1, '23 hours ago'],
  [day, 'yesterday'],
  [7 * day, '7 days ago'],
  [7 * day + 1, '14 Nov 2026'],
])('shows %i ms ago as %s', (age, text) => {
  expect(timeAgo(now - age, now, relativeDays)).toBe(text);
});

test('calls 47 hours ago two days and not yesterday', () => {
  const morning = new Date(2026, 10, 21, 9).getTime();
  expect(timeAgo(morning - 47 * hour, morning, relativeDays)).toBe('2 days ago');
});

test('shows dates of pull requests relative for about six months', () => {
  expect(timeAgo(now - 40 * day, now, pullRequestRelativeDays)).toBe('last month');
  expect(timeAgo(now - 183 * day, now, pullRequestRelativeDays)).toBe('6 months ago');
  expect(timeAgo(now - 184 * day, now, pullRequestRelativeDays)).toBe('21 May 2026');
});

test('formats future times', () => {
  expect(timeAgo(now + 6 * day, now, relativeDays)).toBe('in 6 days');
});

test('names the zone of an absolute time', () => {
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value;
  expect(absoluteTime(now)).toBe(`21 November 2026 at 12:00:00 ${zone}`);
});
