/** Hands an item to the next run for its key and answers what that run answers for it. */
export type Gather<Item, Result> = (key: string, item: Item) => Promise<Result>;

export interface GatherOptions<Item, Result> {
  /** Does the work of all items of one key at once; answers in their order. */
  run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Runs under way for one key at a time. With one, items are worked off in the order they came. */
  runs: number;
  /** How much one run takes at most, in what `weigh` counts; an item heavier than that goes alone. */
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
 * Group commit: while earlier items of a key are being written, those that come meanwhile wait and then go together. A
 * burst of small writes costs one round trip and one commit for many; a lone one waits for nobody. A run of several that
 * fails is repeated item by item, so that a bad one fails alone.
 */
export function createGather<Item, Result>(options: GatherOptions<Item, Result>): Gather<Item, Result> {
  const { run, runs, most, weigh } = options;
  const lines = new Map<string, GatherQueue<Item, Result>>();

  async function work(key: string, line: GatherQueue<Item, Result>): Promise<void> {
    line.running += 1;
    while (line.waiting.length > 0) {
      const group = take(line.waiting, most, weigh);
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
      group.forEach(({ done }, place) => {
        done(results[place] as Result);
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
function take<Item, Result>(
  waiting: PendingItem<Item, Result>[],
  most: number,
  weigh: (item: Item) => number,
): PendingItem<Item, Result>[] {
  let weight = 0;
  const end = waiting.findIndex(({ item }, place) => {
    weight += weigh(item);
    return place > 0 && weight > most;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}
