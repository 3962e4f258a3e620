import { expect, test, vi } from 'vitest';
import { createLog } from '#core/log.ts';
import { createBell } from './bell.ts';

const log = createLog('silent');

test('runs at once on the first call and batches calls during the pause', async () => {
  const acts: [string, number][] = [];
  const bell = createBell(async (orgId, count) => void acts.push([orgId, count]), log);
  bell.ring('one');
  expect(acts).toEqual([['one', 1]]);
  for (let ring = 0; ring < 5; ring += 1) bell.ring('one', 2);
  bell.ring('two');
  expect(acts).toEqual([
    ['one', 1],
    ['two', 1],
  ]);
  await vi.waitFor(() => expect(acts.at(-1)).toEqual(['one', 10]), 20_000);
});

test('runs pending calls on shutdown and waits for them', async () => {
  const acts: number[] = [];
  const bell = createBell(async (_, count) => {
    await Promise.resolve();
    acts.push(count);
  }, log);
  for (let ring = 0; ring < 5; ring += 1) bell.ring('one');
  await bell.settle();
  expect(acts).toEqual([1, 4]);
});

test('continues after a failed run', async () => {
  const act = vi.fn().mockRejectedValueOnce(new Error('no connection')).mockResolvedValue(undefined);
  const bell = createBell(act, log);
  bell.ring('one');
  bell.ring('one');
  await bell.settle();
  expect(act).toHaveBeenCalledTimes(2);
});
