import type { Store } from '@sightline/telemetry/store.ts';
import { localState } from '../storage.ts';
import { createSerializer } from '../turns.ts';

/**
 * The queue in the browser's storage. Only the background accesses it, browsers run one background at a time, and
 * changes are serialized.
 */
export function createBrowserStore(): Store {
  const inTurn = createSerializer();
  const read = async () => (await localState.get('queue')) ?? [];

  return {
    list: () => inTurn(read),
    append: (events) =>
      inTurn(async () => {
        const ids = new Set(events.map((event) => event.message_id));
        const others = (await read()).filter((event) => !ids.has(event.message_id));
        await localState.set('queue', [...others, ...events]);
      }),
    remove: (ids) =>
      inTurn(async () =>
        localState.set(
          'queue',
          (await read()).filter((event) => !ids.has(event.message_id)),
        ),
      ),
  };
}
