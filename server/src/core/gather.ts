import { setImmediate as nextTurn } from 'node:timers/promises';

/** Adds an item to the next run for its key and returns its result. */
export type Batcher<Item, Result> = (key: string, item: Item) => Promise<Result>;

export interface BatcherOptions<Item, Result> {
  /** Processes all items of one key together and returns the results in their order. */
  run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Concurrent runs per key. With one, items are processed in the order they arrive. */
  runs: number;
  /** The maximum total weight of one run, as `weigh` computes it. A heavier item runs alone. */
  most: number;
  weigh: (item: Item) => number;
}

interface PendingItem<Item, Result> {
  item: Item;
  done: (result: Result) => void;
  fail: (error: unknown) => void;
}

interface GatherQueue<Item, Result> {
  waiting: PendingItem<Item, Result>[];
  running: number;
}

/**
 * Group commit: items that arrive while earlier items of a key are written wait and are then written together. A burst
 * of small writes costs one round trip and one commit; a single item waits for one turn of the event loop. A failed run
 * with several items is repeated item by item, so that an invalid item fails alone.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { run, runs, most, weigh } = options;
  const lines = new Map<string, GatherQueue<Item, Result>>();

  async function work(key: string, line: GatherQueue<Item, Result>): Promise<void> {
    line.running += 1;
    while (line.waiting.length > 0) {
      // Requests that have arrived are read in this turn of the event loop; their items join the run.
      await nextTurn();
      const group = takeBatch(line.waiting, most, weigh);
      if (group.length === 0) break;
      if (await isDone(key, group)) continue;
      for (const one of group) await isDone(key, [one]);
    }
    line.running -= 1;
    if (line.running === 0) lines.delete(key);
  }

  async function isDone(key: string, group: readonly PendingItem<Item, Result>[]): Promise<boolean> {
    try {
      const items = group.map(({ item }) => item);
      const results = await run(key, items);
      group.forEach(({ done }, index) => {
        done(results[index] as Result);
      });
      return true;
    } catch (error) {
      if (group.length > 1) return false;
      for (const { fail } of group) fail(error);
      return true;
    }
  }

  return (key, item) =>
    new Promise((done, fail) => {
      const line = lines.get(key) ?? { waiting: [], running: 0 };
      lines.set(key, line);
      line.waiting.push({ item, done, fail });
      if (line.running < runs) void work(key, line);
    });
}

/** The first items that fit into one run, at least one. */
function takeBatch<Item, Result>(
  waiting: PendingItem<Item, Result>[],
  most: number,
  weigh: (item: Item) => number,
): PendingItem<Item, Result>[] {
  let weight = 0;
  const end = waiting.findIndex(({ item }, index) => {
    weight += weigh(item);
    return index > 0 && weight > most;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}
