import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatcher } from './gather.ts';

function createScene(runs: number, most = 100) {
  const groups: number[][] = [];
  const ends: (() => void)[] = [];
  const add = createBatcher<number, number>({
    runs,
    most,
    weigh: () => 1,
    async run(_, items) {
      groups.push([...items]);
      await new Promise<void>((done) => ends.push(done));
      if (items.includes(-1)) throw new Error('invalid');
      return items.map((item) => item * 2);
    },
  });
  const endAll = async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      for (const end of ends.splice(0)) end();
      await nextTurn();
    }
  };
  return { groups, add, endAll };
}

test('items that arrive in one turn of the event loop share a run', async () => {
  const { groups, add, endAll } = createScene(2);
  const results = Promise.all([1, 2, 3].map((item) => add('a', item)));
  const other = add('b', 4);
  await nextTurn();
  expect(groups).toEqual([[1, 2, 3], [4]]);
  await endAll();
  expect(await results).toEqual([2, 4, 6]);
  expect(await other).toBe(8);
});

test('items that arrive during all runs share the next one, and no run is empty', async () => {
  const { groups, add, endAll } = createScene(2, 3);
  const first = [1, 2, 3, 4, 5].map((item) => add('a', item));
  await nextTurn();
  expect(groups).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  const later = [6, 7].map((item) => add('a', item));
  await nextTurn();
  expect(groups).toHaveLength(2);
  await endAll();
  expect(groups.slice(2)).toEqual([[6, 7]]);
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12, 14]);
});

test('an invalid item fails alone', async () => {
  const { groups, add, endAll } = createScene(1);
  const results = Promise.allSettled([1, -1, 2].map((item) => add('a', item)));
  await endAll();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([[1, -1, 2], [1], [-1], [2]]);
});
