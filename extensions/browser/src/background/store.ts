import type { Store } from '@sightline/telemetry/store.ts';
import { kept } from '../keep.ts';

/**
 * The queue in the browser's storage. Only the background reads and writes it, and a browser runs one background at a
 * time; within it one change waits for the other.
 */
export function createBrowserStore(): Store {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const read = async () => (await kept.get('queue')) ?? [];

  return {
    list: () => inTurn(read),
    append: (events) =>
      inTurn(async () => {
        const ids = new Set(events.map((event) => event.message_id));
        const others = (await read()).filter((event) => !ids.has(event.message_id));
        await kept.set('queue', [...others, ...events]);
      }),
    remove: (ids) =>
      inTurn(async () =>
        kept.set(
          'queue',
          (await read()).filter((event) => !ids.has(event.message_id)),
        ),
      ),
  };
}
