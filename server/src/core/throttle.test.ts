import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '#core/log.ts';
import { createThrottle } from './throttle.ts';

const log = createLog('silent');
const pauseMs = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs at once for the first item of a key and batches the other items of a pause', () => {
  const runs: [string, readonly string[]][] = [];
  const throttle = createThrottle<string>(pauseMs, (key, items) => void runs.push([key, items]), log);
  throttle.add('acme', 'ada');
  for (const item of ['bob', 'cleo', 'bob']) throttle.add('acme', item);
  throttle.add('other', 'dan');
  expect(runs).toEqual([
    ['acme', ['ada']],
    ['other', ['dan']],
  ]);
  vi.advanceTimersByTime(pauseMs);
  expect(runs.slice(2)).toEqual([['acme', ['bob', 'cleo', 'bob']]]);
  throttle.add('acme', 'eve');
  expect(runs).toHaveLength(3);
  vi.advanceTimersByTime(pauseMs);
  expect(runs.slice(3)).toEqual([['acme', ['eve']]]);
  vi.advanceTimersByTime(10 * pauseMs);
  throttle.add('acme', 'ada');
  expect(runs.slice(4)).toEqual([['acme', ['ada']]]);
});

test('runs waiting items on a flush and waits for them', async () => {
  const runs: (readonly number[])[] = [];
  const throttle = createThrottle<number>(
    pauseMs,
    async (_, items) => {
      await Promise.resolve();
      runs.push(items);
    },
    log,
  );
  for (const item of [1, 2, 3]) throttle.add('acme', item);
  await throttle.flush();
  expect(runs).toEqual([[1], [2, 3]]);
});

test('continues after a failed run', async () => {
  const run = vi.fn().mockRejectedValueOnce(new Error('no connection')).mockResolvedValue(undefined);
  const throttle = createThrottle<number>(pauseMs, run, log);
  throttle.add('acme', 1);
  throttle.add('acme', 2);
  await throttle.flush();
  expect(run).toHaveBeenCalledTimes(2);
});
