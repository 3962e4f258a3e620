import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import type { FailedDelivery } from '#providers/github/failed-deliveries.ts';
import type { Github } from '#providers/github/github.ts';
import { maybeOrgOfInstallation } from './queries.ts';

/** GitHub keeps deliveries for three days. */
const githubRetentionMs = 3 * 86_400_000;
// Allows for clock skew, and for deliveries that GitHub dates at the start of the request.
const overlapMs = 10 * 60_000;
const MAX_REDELIVERIES = 3;

/**
 * Requests redelivery of failed webhooks of connected installations from GitHub, except of those that have
 * arrived meanwhile. Part of the job `github.recover-missed-webhooks`. Throws HostLimited and retryable errors.
 */
export async function requestRedeliveries(services: Services): Promise<void> {
  const { githubApps, database } = services;
  const github = await githubApps.find();
  if (!github) return;
  const started = new Date();
  const appId = String(github.config.appId);
  const checked = await database.global(async ({ db }) =>
    db.selectFrom('github_app').where('app_id', '=', appId).select('deliveries_checked_until').executeTakeFirst(),
  );
  const oldest = Date.now() - githubRetentionMs;
  const since = new Date(Math.max(oldest, (checked?.deliveries_checked_until?.getTime() ?? 0) - overlapMs));
  const attempts = new Map<string, FailedDelivery[]>();
  for await (const page of github.listFailedDeliveries(since)) {
    for (const one of page) attempts.set(one.deliveryId, [...(attempts.get(one.deliveryId) ?? []), one]);
  }
  let failure: unknown;
  for (const [latest, ...earlier] of attempts.values()) {
    if (!latest || earlier.length >= MAX_REDELIVERIES) continue;
    try {
      await redeliver(services, github, latest);
    } catch (error) {
      if (error instanceof HostLimited) throw error;
      failure = error;
      services.log.warn({ err: error, installationId: latest.installationId }, 'webhook not redelivered');
    }
  }
  // The next run then checks the same period again.
  if (failure !== undefined) throw failure;
  await database.global(({ db }) =>
    db
      .insertInto('github_app')
      .values({ app_id: appId, deliveries_checked_until: started })
      .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ deliveries_checked_until: started }))
      .execute(),
  );
}

async function redeliver(services: Services, github: Github, failed: FailedDelivery): Promise<void> {
  const { database, realtime } = services;
  const { id, deliveryId, installationId } = failed;
  if (installationId === null) return;
  const orgId = await database.global((tx) => maybeOrgOfInstallation(tx, installationId));
  if (orgId === undefined || (await database.withOrg(orgId, (tx) => hasArrived(tx, orgId, deliveryId)))) return;
  try {
    await github.redeliver(id);
  } catch (error) {
    // GitHub no longer redelivers it; the reconciliation finds the change.
    if (error instanceof HostRefused) return;
    throw error;
  }
  await database.withOrg(orgId, async (tx) => {
    await tx.query({
      name: 'github.redelivered',
      text: `update installation set redelivered_at = now(),
               redelivered = case when redelivered_at > now() - interval '7 days' then redelivered + 1 else 1 end
             where org_id = $1 and provider = 'github' and installation_id = $2`,
      values: [orgId, installationId],
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: 'github' }));
  });
}

const hasArrived = async (tx: Tx, orgId: string, deliveryId: string): Promise<boolean> => {
  const rows = await tx.query<{ id: string }>({
    name: 'github.delivery',
    text: `select delivery_id as id from webhook_delivery where org_id = $1 and provider = 'github' and delivery_id = $2`,
    values: [orgId, deliveryId],
  });
  return rows.length > 0;
};
