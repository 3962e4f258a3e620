import { expect, test } from 'vitest';
import { cursor, eventKinds, specifiedEventKind } from './events.ts';

test('maps every kind of event to a kind of the specification', () => {
  expect(Object.fromEntries(eventKinds.map((kind) => [kind, specifiedEventKind(kind)]))).toEqual({
    ...Object.fromEntries(eventKinds.map((kind) => [kind, 'other'])),
    commit: 'commit',
    pull_request: 'pullRequest',
    vulnerability: 'vulnerability',
    web_page_view: 'webPageView',
  });
});

const id = '0195f3a0-0000-7000-8000-000000000001';
test.each([
  [`2026-03-15T12:00:00.000Z_${id}`, true],
  [`2026-03-15T12:00:00.000Z_${id}_more`, false],
  ['2026-03-15T12:00:00.000Z', false],
  [`yesterday_${id}`, false],
  ['2026-03-15T12:00:00.000Z_first', false],
])('accepts %s as a cursor: %s', (value, isCursor) => {
  expect(cursor.safeParse(value).success).toBe(isCursor);
});
