import { deliveriesKeptDays } from '@sightline/contract/outgoing-webhooks.ts';
import { sql } from 'kysely';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { deliverDue } from './turn.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'outgoing.sweep': Record<string, never>;
    'outgoing.forget': Record<string, never>;
  }
}

export const outgoingWebhookJobs = (services: Services): JobDefinition[] => [
  {
    name: 'outgoing.deliver',
    handle: (data) => deliverDue(services, data as JobData['outgoing.deliver']),
    concurrency: 4,
  },
  // A process that died for good took what it had begun with it.
  { name: 'outgoing.sweep', handle: () => sweep(services), cron: '*/5 * * * *' },
  { name: 'outgoing.forget', handle: () => forget(services), cron: '41 3 * * *', expireMinutes: 120 },
];

async function sweep({ database, jobs }: Services): Promise<void> {
  for (const orgId of await orgsOf(database)) {
    await database.withOrg(orgId, async (tx) => {
      const due = await tx.query<{ id: string }>({
        name: 'outgoing.left',
        text: `select w.id from outgoing_webhook w where w.org_id = $1 and w.enabled and exists (
                 select from outgoing_delivery d
                 where d.org_id = $1 and d.webhook_id = w.id and d.status = 'pending' and d.next_at <= now())`,
        values: [orgId],
      });
      for (const { id } of due) await jobs.enqueue(tx, 'outgoing.deliver', { orgId, webhookId: id }, { key: id });
    });
  }
}

/** Deletes what is older than deliveries are kept. */
async function forget({ database }: Services): Promise<void> {
  for (const orgId of await orgsOf(database)) {
    await database.withOrg(orgId, ({ db }) =>
      db
        .deleteFrom('outgoing_delivery')
        .where('org_id', '=', orgId)
        .where('created_at', '<', sql<Date>`now() - make_interval(days => ${deliveriesKeptDays})`)
        .execute(),
    );
  }
}

async function orgsOf({ pool }: Services['database']): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select orgs_with_outgoing_webhooks() as id');
  return rows.map(({ id }) => id);
}
