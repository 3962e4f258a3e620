import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    failedJobId: string;
    waitingJobId: string;
    failedWebhookId: string;
  }
}

export const failedJobQueue = 'snapshots.make';
export const waitingJobQueue = 'tools.scan';

/** A failed job, a waiting job and a failed webhook of the organization. Its owner is an operator, except for the second organization. */
export const seededItems: SeededItems = {
  create: () => ({ failedJobId: newId(), waitingJobId: newId(), failedWebhookId: newId() }),
  restore: async (_services, { db }, { orgId, org, failedJobId, waitingJobId, failedWebhookId }) => {
    await db
      .updateTable('account')
      .set({ is_operator: org.name !== 'wombat' })
      .where('id', '=', org.owner.id)
      .execute();
    const failed = { body: '{}', error: 'The host refused', processed_at: new Date() };
    await db
      .insertInto('webhook_delivery')
      .values({ org_id: orgId, provider: 'github', delivery_id: failedWebhookId, event: 'push', ...failed })
      .onConflict((conflict) => conflict.columns(['org_id', 'provider', 'delivery_id']).doUpdateSet(failed))
      .execute();
    await sql`delete from pgboss.job where id in (${failedJobId}::uuid, ${waitingJobId}::uuid)`.execute(db);
    // The recorder of changes observes inserts of jobs, and this is none of the request.
    await sql`insert into pgboss.job (id, name, data, state, policy, retry_limit, retry_count, singleton_key, start_after, started_on, completed_on, output)
      values (${failedJobId}, ${failedJobQueue}, ${{ orgId, snapshotId: newId(), name: org.name }}, 'failed', 'short', 5, 5, ${failedJobId}, now(), now(), now(),
          ${{ message: `The disk of ${JSON.stringify(org.name)} is full` }}),
        (${waitingJobId}, ${waitingJobQueue}, ${{ orgId, repositoryId: newId() }}, 'created', 'short', 5, 0, ${waitingJobId}, now() + interval '1 day', null, null, null)`.execute(
      db,
    );
  },
};
