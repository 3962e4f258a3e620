import type { Provider } from '@sightline/contract/core/providers.ts';
import { createGather } from '#core/gather.ts';
import type { Database } from '#database/database.ts';
import { keep } from './body.ts';

export interface InboxEntry {
  provider: Provider;
  /** Our own webhook it came by; null where it came by an app. */
  hookId: string | null;
  deliveryId: string;
  event: string;
  /** Of the bytes that were signed, where no other event of the host has the same. */
  sha256: Buffer | null;
  /** As it was signed, but for secrets that secret scanning found. */
  body: string;
}

/**
 * Stores deliveries of an organization; answers false for one that is here already, which stays as it is. Bytes that came
 * before under another id are here already: hosts do not sign their ids.
 */
export type Inbox = (orgId: string, entry: InboxEntry) => Promise<boolean>;

const mostAtOnce = 16;

/** Deliveries that come while others are being written go together, in the order they came. */
export function createInbox(database: Pick<Database, 'onceWithOrg'>): Inbox {
  return createGather<InboxEntry, boolean>({
    runs: 1,
    most: mostAtOnce,
    weigh: () => 1,
    async run(orgId, entries) {
      const rows = await database.onceWithOrg<{ id: string }>(orgId, {
        name: `webhooks.receive.${entries.length}`,
        text: textFor(entries.length),
        values: entries.flatMap(({ provider, hookId, deliveryId, event, sha256, ...entry }) => {
          const { body, packed } = keep(entry.body);
          return [provider, hookId, deliveryId, event, body, packed, sha256];
        }),
      });
      const added = new Set(rows.map((row) => row.id));
      // Of the same delivery twice in one run, the first was new.
      return entries.map(({ provider, deliveryId }) => added.delete(`${provider} ${deliveryId}`));
    },
  });
}

const texts = new Map<number, string>();

// A microsecond apart, since the time of arrival is the order of work.
function textFor(size: number): string {
  const known = texts.get(size);
  if (known) return known;
  const rows = Array.from({ length: size }, (_, row) => {
    const at = row * 7 + 2;
    const [provider, hook, id, event, body, packed, sha256] = [0, 1, 2, 3, 4, 5, 6].map((place) => `$${at + place}`);
    const texts = `${provider}::text, ${hook}::uuid, ${id}::text, ${event}::text, ${body}::text`;
    return `(${row}, ${texts}, ${packed}::bytea, ${sha256}::bytea)`;
  });
  const text = `
    insert into webhook_delivery (org_id, provider, hook_id, delivery_id, event, body, packed, sha256, received_at)
    select tenant.org, d.provider, d.hook, d.id, d.event, d.body, d.packed, d.sha256, now() + d.place * interval '1 microsecond'
    from tenant, (values ${rows.join(', ')}) as d(place, provider, hook, id, event, body, packed, sha256)
    on conflict do nothing
    returning provider || ' ' || delivery_id as id`;
  texts.set(size, text);
  return text;
}
