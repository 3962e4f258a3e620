import { expect, test } from 'vitest';
import { keptFor } from './keptFor.ts';

test.each([
  [
    13,
    30,
    'Commits and pull requests stay, other events are kept for 13 months, what was copied and pasted for 30 days.',
  ],
  [24, 1, 'Commits and pull requests stay, other events are kept for 2 years, what was copied and pasted for 1 day.'],
  [12, 400, 'Commits and pull requests stay, other events are kept for 1 year.'],
  [1, 30, 'Commits and pull requests stay, other events are kept for 1 month.'],
])('shows %s months and %s days', (months, clipboardDays, words) => {
  expect(keptFor({ months, clipboardDays })).toBe(words);
});
