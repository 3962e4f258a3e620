import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import { queueMailmap } from '../contributors/commands.ts';
import { recoverCommits } from './commits.ts';
import { recoverPullRequests } from './pull-requests.ts';
import { maybeReconciledRepository, type ReconciledRepository } from './scene.ts';
import { repositoryReconciled } from './topics.ts';

/**
 * Imports the changes of a repository that webhooks may have missed. Idempotent. Throws HostLimited and retryable
 * errors.
 */
export async function reconcileRepository(services: Services, orgId: string, repositoryId: string): Promise<void> {
  const repository = await maybeReconciledRepository(services, orgId, repositoryId);
  if (!repository) return;
  try {
    const commits = await recoverCommits(services, repository);
    const healed = commits + (await recoverPullRequests(services, repository));
    await storeResult(services, repository, { healed, failure: null });
    await services.database.withOrg(orgId, async (tx) => {
      const reconciled = { repositoryId, newCommits: commits };
      await services.topics.publish({ services, tx, orgId }, repositoryReconciled, reconciled);
      if (commits > 0) await queueMailmap(services, tx, orgId, { repositoryId });
    });
  } catch (error) {
    if (error instanceof HostFailed) await storeUnanswered(services, repository);
    if (!(error instanceof HostRefused)) throw error;
    await storeResult(services, repository, { healed: 0, failure: error.message.slice(0, 500) });
  }
}

/** Stores the result. Adds to the number of recovered changes within seven days, then restarts it. */
const storeResult = (
  { database, realtime }: Services,
  { orgId, repositoryId, provider }: ReconciledRepository,
  { healed, failure }: { healed: number; failure: string | null },
): Promise<void> =>
  database.withOrg(orgId, async (tx: Tx) => {
    await tx.query({
      name: 'reconcile.note',
      text: `insert into repository_reconcile as r (org_id, repository_id, reconciled_at, healed, healed_at, failure)
             values ($1, $2, now(), $3, case when $3 > 0 then now() end, $4)
             on conflict (org_id, repository_id) do update set reconciled_at = now(), failure = excluded.failure,
               healed = case when $3 = 0 then r.healed
                 when r.healed_at > now() - interval '7 days' then r.healed + $3 else $3 end,
               healed_at = coalesce(excluded.healed_at, r.healed_at), unanswered_since = null`,
      values: [orgId, repositoryId, healed, failure],
    });
    if (healed > 0 || failure !== null)
      tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider }));
  });

const storeUnanswered = (
  { database, realtime }: Services,
  { orgId, repositoryId, provider }: ReconciledRepository,
): Promise<void> =>
  database.withOrg(orgId, async (tx: Tx) => {
    await tx.query({
      name: 'reconcile.unanswered',
      text: `insert into repository_reconcile as r (org_id, repository_id, unanswered_since) values ($1, $2, now())
             on conflict (org_id, repository_id) do update set unanswered_since = coalesce(r.unanswered_since, now())`,
      values: [orgId, repositoryId],
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider }));
  });
