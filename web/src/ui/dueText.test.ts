import { expect, test } from 'vitest';
import { dueText } from './dueText.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-25T12:00:00Z', '3 days left'],
  ['2026-11-23T13:00:00Z', '1 day left'],
  ['2026-11-22T20:00:00Z', 'Due today'],
  ['2026-11-22T11:00:00Z', '1 day overdue'],
  ['2026-11-12T11:00:00Z', '11 days overdue'],
])('%s is %s', (dueAt, text) => {
  expect(dueText(Date.parse(dueAt), now)).toBe(text);
});
