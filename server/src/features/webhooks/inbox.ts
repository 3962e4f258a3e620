import type { Database } from '#database/database.ts';

export interface Entry {
  deliveryId: string;
  event: string;
  /** As it was signed. */
  body: string;
}

/** Stores deliveries of an organisation; answers false for one that is here already, which stays as it is. */
export type Inbox = (orgId: string, entry: Entry) => Promise<boolean>;

interface Waiting {
  entry: Entry;
  done: (added: boolean) => void;
  fail: (error: unknown) => void;
}

const mostAtOnce = 16;

/**
 * One statement is under way for an organisation at a time; what comes meanwhile goes together in the next. So a burst
 * costs one round trip and one commit for many, a lone delivery waits for nobody, and the order is kept.
 */
export function createInbox({ pool }: Pick<Database, 'pool'>): Inbox {
  const queues = new Map<string, Waiting[]>();

  async function write(orgId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const { rows } = await pool.query<{ id: string }>({
        name: `webhooks.receive.${batch.length}`,
        text: textFor(batch.length),
        values: [orgId, ...batch.flatMap(({ entry }) => [entry.deliveryId, entry.event, entry.body])],
      });
      const added = new Set(rows.map((row) => row.id));
      // Of the same delivery twice in one batch, the first was new.
      for (const { entry, done } of batch) done(added.delete(entry.deliveryId));
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  async function drain(orgId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await write(orgId, queue.splice(0, mostAtOnce));
    queues.delete(orgId);
  }

  return (orgId, entry) =>
    new Promise((done, fail) => {
      const waiting = { entry, done, fail };
      const queue = queues.get(orgId);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const fresh = [waiting];
      queues.set(orgId, fresh);
      void drain(orgId, fresh);
    });
}

const texts = new Map<number, string>();

// One statement and so one round trip, committed when it answers. The rows come through the expression that sets the
// organisation, which is therefore set, for this statement's transaction only, before row-level security looks.
// A microsecond apart, since the time of arrival is the order of work.
function textFor(size: number): string {
  const known = texts.get(size);
  if (known) return known;
  const rows = Array.from({ length: size }, (_, row) => {
    const at = row * 3 + 2;
    return `(${row}, $${at}::text, $${at + 1}::text, $${at + 2}::text)`;
  });
  const text = `
    with tenant as materialized (select set_config('app.org', $1, true) as org)
    insert into webhook_delivery (org_id, provider, delivery_id, event, body, received_at)
    select org::uuid, 'github', d.id, d.event, d.body, now() + d.place * interval '1 microsecond'
    from tenant, (values ${rows.join(', ')}) as d(place, id, event, body)
    on conflict do nothing
    returning delivery_id as id`;
  texts.set(size, text);
  return text;
}
