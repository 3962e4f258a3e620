import type { FastifyBaseLogger } from 'fastify';

/** Batches frequent items by key, such as changes that pages display, by organization. */
export interface Throttle<Item> {
  /** Runs at once for the first item of a key, then at most once per pause with all items added meanwhile. */
  add: (key: string, item: Item) => void;
  /** Runs now for all waiting items, and resolves when that has ended. */
  flush: () => Promise<void>;
}

export function createThrottle<Item>(
  pauseMs: number,
  run: (key: string, items: readonly Item[]) => Promise<void> | void,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Throttle<Item> {
  const waiting = new Map<string, { items: Item[]; timer: NodeJS.Timeout }>();
  const running = new Set<Promise<void>>();

  function start(key: string, items: readonly Item[]): void {
    const done = (async () => run(key, items))().catch((error: unknown) =>
      log.warn({ key, err: error }, 'a throttled task failed'),
    );
    running.add(done);
    void done.finally(() => running.delete(done));
  }

  function pause(key: string): void {
    const timer = setTimeout(() => {
      const { items = [] } = waiting.get(key) ?? {};
      waiting.delete(key);
      if (items.length === 0) return;
      start(key, items);
      pause(key);
    }, pauseMs);
    timer.unref();
    waiting.set(key, { items: [], timer });
  }

  return {
    add(key, item) {
      const pending = waiting.get(key);
      if (pending) {
        pending.items.push(item);
        return;
      }
      start(key, [item]);
      pause(key);
    },
    async flush() {
      for (const [key, { items, timer }] of waiting) {
        clearTimeout(timer);
        if (items.length > 0) start(key, items);
      }
      waiting.clear();
      await Promise.all(running);
    },
  };
}
