import type { Provider } from '@sightline/contract/core/providers.ts';
import type { Tx } from '#database/database.ts';

/** Counts recovered changes and redelivered webhooks of seven days, and repositories with denied access. */
export async function countRecovered(
  tx: Tx,
  orgId: string,
  provider: Provider,
): Promise<{ healed: number; redelivered: number; refused: number }> {
  const [row] = await tx.query<{ healed: number; redelivered: number; refused: number }>({
    name: 'reconcile.healed',
    text: `select
             (select coalesce(sum(c.healed) filter (where c.healed_at > now() - interval '7 days'), 0)::int
              from repository r join repository_reconcile c on c.org_id = r.org_id and c.repository_id = r.id
              where r.org_id = $1 and r.provider = $2) as healed,
             (select count(*)::int
              from repository r join repository_reconcile c on c.org_id = r.org_id and c.repository_id = r.id
              where r.org_id = $1 and r.provider = $2 and r.tracked and r.removed_at is null and c.failure is not null) as refused,
             (select coalesce(sum(redelivered), 0)::int from installation
              where org_id = $1 and provider = $2 and redelivered_at > now() - interval '7 days') as redelivered`,
    values: [orgId, provider],
  });
  return row ?? { healed: 0, redelivered: 0, refused: 0 };
}

/** The polling of a host without webhooks: when it last succeeded, and the repositories for which the host fails. */
export async function pollingOf(
  tx: Tx,
  orgId: string,
  provider: Provider,
): Promise<{ readAt: Date | null; unanswered: number }> {
  const [row] = await tx.query<{ readAt: Date | null; unanswered: number }>({
    name: 'reconcile.polling',
    text: `select max(c.reconciled_at) filter (where c.failure is null) as "readAt",
             count(*) filter (where c.unanswered_since is not null)::int as unanswered
           from repository r join repository_reconcile c on c.org_id = r.org_id and c.repository_id = r.id
           where r.org_id = $1 and r.provider = $2 and r.tracked and r.removed_at is null`,
    values: [orgId, provider],
  });
  return row ?? { readAt: null, unanswered: 0 };
}
