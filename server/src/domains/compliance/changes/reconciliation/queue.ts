import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** Joins queued sessions to changes. */
    'changes.reconcile-agents': { orgId: string };
  }
}

/** Queues sessions whose telemetry arrived, in its transaction. */
export async function queueSessions(
  services: Services,
  tx: Tx,
  orgId: string,
  sessionIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'changes.queue-sessions',
    text: `insert into reconciled_session as r (org_id, session_id, queued_at)
           select $1, id, clock_timestamp() from unnest($2::uuid[]) as id order by id
           on conflict (org_id, session_id) do update set queued_at = excluded.queued_at`,
    values: [orgId, sessionIds],
  });
  await enqueueReconciliation(services, tx, orgId);
}

export const enqueueReconciliation = (services: Services, tx: Tx, orgId: string): Promise<void> =>
  services.jobs.enqueue(tx, 'changes.reconcile-agents', { orgId }, { key: orgId });
