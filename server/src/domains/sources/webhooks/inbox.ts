import type { Provider } from '@sightline/contract/core/providers.ts';
import { createBatcher } from '#core/gather.ts';
import type { Database } from '#database/database.ts';
import { packBody } from './body.ts';

export interface InboxEntry {
  provider: Provider;
  /** Our webhook that received it; null for the webhook of an app. */
  hookId: string | null;
  deliveryId: string;
  event: string;
  /** The hash of the signed bytes, for hosts whose events have distinct bodies. */
  sha256: Buffer | null;
  /** See `isRepositoryEvent`. */
  repositoryId: string | null;
  /** The signed body, without the secrets of secret scanning alerts: a text, or its UTF-8. */
  body: string | Buffer;
}

/**
 * Stores a delivery of an organization. Returns false for a duplicate, which changes nothing. The same bytes under
 * another ID are a duplicate, because hosts do not sign the ID.
 */
export type Inbox = (orgId: string, entry: InboxEntry) => Promise<boolean>;

const MAX_BATCH = 16;

/** Stores deliveries that arrive during a write together in the next one, in order of arrival. */
export function createInbox(database: Pick<Database, 'onceWithOrg'>): Inbox {
  return createBatcher<InboxEntry, boolean>({
    runs: 1,
    most: MAX_BATCH,
    weigh: () => 1,
    async run(orgId, entries) {
      const rows = await database.onceWithOrg<{ id: string }>(orgId, {
        name: `webhooks.receive.${entries.length}`,
        text: insertStatementFor(entries.length),
        values: entries.flatMap(({ provider, hookId, deliveryId, event, sha256, repositoryId, ...entry }) => {
          const { body, packed } = packBody(entry.body);
          return [provider, hookId, deliveryId, event, body, packed, sha256, repositoryId];
        }),
      });
      const added = new Set(rows.map((row) => row.id));
      // If a run contains a delivery twice, only the first is new.
      return entries.map(({ provider, deliveryId }) => added.delete(`${provider} ${deliveryId}`));
    },
  });
}

const columnTypes = ['text', 'uuid', 'text', 'text', 'text', 'bytea', 'bytea', 'text'];
const statementCache = new Map<number, string>();

// One microsecond apart, because deliveries are processed by time of arrival.
function insertStatementFor(size: number): string {
  const cached = statementCache.get(size);
  if (cached) return cached;
  const rows = Array.from({ length: size }, (_, row) => {
    const at = row * columnTypes.length + 2;
    return `(${[row, ...columnTypes.map((type, index) => `$${at + index}::${type}`)].join(', ')})`;
  });
  const text = `
    insert into webhook_delivery (org_id, provider, hook_id, delivery_id, event, body, packed, sha256, provider_repo_id, received_at)
    select tenant.org, d.provider, d.hook, d.id, d.event, d.body, d.packed, d.sha256, d.repository,
      now() + d.position * interval '1 microsecond'
    from tenant, (values ${rows.join(', ')}) as d(position, provider, hook, id, event, body, packed, sha256, repository)
    on conflict do nothing
    returning provider || ' ' || delivery_id as id`;
  statementCache.set(size, text);
  return text;
}
