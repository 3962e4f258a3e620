import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('creates valid version 7 UUIDs in the order of their time', () => {
  const ids = [1_000, 2_000, 3_000].map((now) => newId(now));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
});

test('orders the IDs of one millisecond by their creation', () => {
  const ids = Array.from({ length: 2_000 }, () => newId(4_000));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(2_000);
});

test('creates no ID twice when the counter of a millisecond wraps', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId(5_000))).size).toBe(10_000);
});
