import { expect, test } from 'vitest';
import { retentionText } from './keptFor.ts';

test.each([
  [13, 30, 'Retention: commits and pull requests unlimited, other events 13 months, clipboard events for 30 days.'],
  [24, 1, 'Retention: commits and pull requests unlimited, other events 2 years, clipboard events for 1 day.'],
  [12, 400, 'Retention: commits and pull requests unlimited, other events 1 year.'],
  [1, 30, 'Retention: commits and pull requests unlimited, other events 1 month.'],
])('shows %s months and %s days', (months, clipboardDays, words) => {
  expect(retentionText({ months, clipboardDays })).toBe(words);
});
