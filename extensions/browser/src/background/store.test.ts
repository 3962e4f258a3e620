import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createBrowserStore } from './store.ts';

const event = (id: number): IdentifyEvent => ({
  plugin_id: 'sightline-browser',
  event_type: 'other',
  message_id: String(id),
  identifiers: {},
  original_timestamp: '2026-01-01T00:00:00.000Z',
  tracking_source: 'chrome',
});

it('stores each event once under concurrency', async () => {
  const change = fc.record({ add: fc.boolean(), ids: fc.array(fc.nat(9), { maxLength: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
      fakeBrowser.reset();
      const store = createBrowserStore();
      await Promise.all(
        changes.map(({ add, ids }) =>
          add ? store.append([...new Set(ids)].map(event)) : store.remove(new Set(ids.map(String))),
        ),
      );
      const expected = new Set<string>();
      for (const { add, ids } of changes)
        for (const id of ids) add ? expected.add(String(id)) : expected.delete(String(id));
      // Read by another background instance.
      const found = (await createBrowserStore().list()).map((one) => one.message_id);
      expect(found.sort()).toEqual([...expected].sort());
    }),
  );
});
