import type { Store } from '@sightline/telemetry/store.ts';
import { kept } from '../storage.ts';
import { turns } from '../turns.ts';

/**
 * The queue in the browser's storage. Only the background accesses it, browsers run one background at a time, and
 * changes are serialized.
 */
export function createBrowserStore(): Store {
  const inTurn = turns();
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
