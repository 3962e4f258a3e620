import { afterEach, expect, test, vi } from 'vitest';
import { retryDelaySeconds } from './retry-delay.ts';

afterEach(() => vi.restoreAllMocks());
const withoutJitter = () => vi.spyOn(Math, 'random').mockReturnValue(0);

test('follows the schedule and ends after its last attempt', () => {
  withoutJitter();
  expect([1, 2, 3].map((failed) => retryDelaySeconds([5, 30], failed))).toEqual([5, 30, undefined]);
});

test('repeats the last delay of a schedule without an end', () => {
  withoutJitter();
  expect([1, 2, 3, 50].map((failed) => retryDelaySeconds([5, 30], failed, { repeatsLast: true }))).toEqual([
    5, 30, 30, 30,
  ]);
});

test('honors Retry-After up to the longest delay', () => {
  withoutJitter();
  const delay = (retryAfterSeconds: number) => retryDelaySeconds([5, 30], 1, { retryAfterSeconds });
  expect([0, 20, 3_600].map(delay)).toEqual([5, 20, 30]);
  expect(retryDelaySeconds([5], 1, { retryAfterSeconds: 3_600, maxRetryAfterSeconds: 600 })).toBe(600);
});

test('adds up to 20 % of jitter', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  expect(retryDelaySeconds([100], 1)).toBeCloseTo(110);
});
