import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { Store } from './store.ts';

export interface Queue {
  /**
   * Keeps events, each once by its `message_id`. Never throws: what the store cannot take is kept in memory, told to
   * `onTrouble`, and tried again with the next change.
   */
  add(events: readonly IdentifyEvent[]): Promise<void>;
  size(): Promise<number>;
  /** The oldest `most` that `wanted` says yes to. They stay until `done`. */
  peek(most: number, wanted?: (event: IdentifyEvent) => boolean): Promise<IdentifyEvent[]>;
  /** Forgets events that were stored by the server, or that it will never take. */
  done(ids: Iterable<string>): Promise<void>;
  /** Forgets all of them; answers how many. */
  clear(): Promise<number>;
}

export interface QueueOptions {
  store: Store;
  /** Most events kept: past it the oldest are dropped. */
  cap?: number;
  onDropped?: (events: readonly IdentifyEvent[], reason: string) => void;
  onTrouble?: (error: unknown) => void;
}

/** A queue whose events survive their process. All that it does happens in the order it was asked for. */
export function createQueue({
  store,
  cap = 10_000,
  onDropped = () => undefined,
  onTrouble = () => undefined,
}: QueueOptions): Queue {
  let held: Map<string, IdentifyEvent> | undefined;
  /** What the store does not know yet. */
  const unsaved = new Map<string, IdentifyEvent>();
  const unremoved = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: (events: Map<string, IdentifyEvent>) => T | Promise<T>): Promise<T> => {
    const turn = last.then(async () => work(await loaded()));
    last = turn.catch(() => undefined);
    return turn;
  };

  async function loaded() {
    if (held) return held;
    try {
      held = byId([...(await store.list()), ...unsaved.values()]);
      for (const id of unremoved) held.delete(id);
      return held;
    } catch (error) {
      onTrouble(error);
      // Asked again next time; until then the events of this process are all there is.
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
      // Also where appending failed: it may have failed after the writing.
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
    peek: (most, wanted = () => true) => inTurn((events) => firstOf(events.values(), most, wanted)),
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

function firstOf(events: Iterable<IdentifyEvent>, most: number, wanted: (event: IdentifyEvent) => boolean) {
  const found: IdentifyEvent[] = [];
  for (const event of events) {
    if (found.length === most) break;
    if (wanted(event)) found.push(event);
  }
  return found;
}
