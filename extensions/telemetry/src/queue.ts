import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { Store } from './store.ts';

export interface Queue {
  /**
   * Queues events, without duplicates by `message_id`. Never throws: events that the store cannot save stay in memory,
   * are reported to `onTrouble`, and saved with the next change.
   */
  add(events: readonly IdentifyEvent[]): Promise<void>;
  size(): Promise<number>;
  /** Returns the oldest `most` events that match `wanted`. They remain queued until `done`. */
  peek(maxCount: number, matches?: (event: IdentifyEvent) => boolean): Promise<IdentifyEvent[]>;
  /** Removes events that the server stored or permanently rejected. */
  done(ids: Iterable<string>): Promise<void>;
  /** Removes all events and returns their number. */
  clear(): Promise<number>;
}

export interface QueueOptions {
  store: Store;
  /** Maximum number of events. The oldest are dropped beyond it. */
  cap?: number;
  onDropped?: (events: readonly IdentifyEvent[], reason: string) => void;
  onTrouble?: (error: unknown) => void;
}

/** A persistent queue. Operations run in the order of their calls. */
export function createQueue({
  store,
  cap = 10_000,
  onDropped = () => undefined,
  onTrouble = () => undefined,
}: QueueOptions): Queue {
  let cache: Map<string, IdentifyEvent> | undefined;
  /** Events that the store has not saved yet. */
  const unsaved = new Map<string, IdentifyEvent>();
  const unremoved = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: (events: Map<string, IdentifyEvent>) => T | Promise<T>): Promise<T> => {
    const turn = last.then(async () => work(await loaded()));
    last = turn.catch(() => undefined);
    return turn;
  };

  async function loaded() {
    if (cache) return cache;
    try {
      cache = byId([...(await store.list()), ...unsaved.values()]);
      for (const id of unremoved) cache.delete(id);
      return cache;
    } catch (error) {
      onTrouble(error);
      // The next operation retries. Until then only the events of this process are known.
      return new Map(unsaved);
    }
  }

  async function save() {
    try {
      if (unremoved.size > 0) await store.remove(new Set(unremoved));
      unremoved.clear();
      if (unsaved.size > 0) await store.append([...unsaved.values()]);
      unsaved.clear();
    } catch (error) {
      onTrouble(error);
    }
  }

  function forget(events: Map<string, IdentifyEvent>, ids: Iterable<string>) {
    for (const id of ids) {
      events.delete(id);
      unsaved.delete(id);
      // Also after a failed append, which may have failed after writing.
      unremoved.add(id);
    }
  }

  return {
    add: (added) =>
      inTurn(async (events) => {
        for (const event of added) {
          if (events.has(event.message_id)) continue;
          events.set(event.message_id, event);
          unsaved.set(event.message_id, event);
          unremoved.delete(event.message_id);
        }
        const over = [...events.values()].slice(0, Math.max(0, events.size - cap));
        if (over.length > 0) {
          forget(events, idsOf(over));
          onDropped(over, 'the queue is full');
        }
        await save();
      }),
    size: () => inTurn((events) => events.size),
    peek: (maxCount, matches = () => true) => inTurn((events) => firstOf(events.values(), maxCount, matches)),
    done: (ids) =>
      inTurn(async (events) => {
        forget(events, ids);
        await save();
      }),
    clear: () =>
      inTurn(async (events) => {
        const count = events.size;
        forget(events, [...events.keys()]);
        await save();
        return count;
      }),
  };
}

const byId = (events: readonly IdentifyEvent[]) => new Map(events.map((event) => [event.message_id, event]));
const idsOf = (events: readonly IdentifyEvent[]) => events.map((event) => event.message_id);

function firstOf(events: Iterable<IdentifyEvent>, maxCount: number, matches: (event: IdentifyEvent) => boolean) {
  const found: IdentifyEvent[] = [];
  for (const event of events) {
    if (found.length === maxCount) break;
    if (matches(event)) found.push(event);
  }
  return found;
}
