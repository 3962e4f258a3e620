import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import type { FailedDelivery } from '#providers/github/failed-deliveries.ts';
import type { Github } from '#providers/github/github.ts';
import { unbindInstallation } from '../installations/commands.ts';
import { suspendInstallation, unsuspendInstallation } from './commands.ts';
import { maybeOrgOfInstallation } from './queries.ts';

const threeDays = 3 * 86_400_000;
// Allows for clock skew, and for deliveries dated at their start.
const overlap = 10 * 60_000;
const MAX_REDELIVERIES = 3;

/**
 * Requests redelivery of failed webhooks from GitHub, for connected installations and unless they have arrived since.
 * Throws HostLimited and retryable errors.
 */
export async function requestRedeliveries(services: Services): Promise<void> {
  const { githubApps, database } = services;
  const github = await githubApps.find();
  if (!github) return;
  const started = new Date();
  const appId = String(github.config.appId);
  const checked = await database.global(async ({ db }) =>
    db.selectFrom('github_app').where('app_id', '=', appId).select('heard_until').executeTakeFirst(),
  );
  const oldest = Date.now() - threeDays;
  const since = new Date(Math.max(oldest, (checked?.heard_until?.getTime() ?? 0) - overlap));
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
      .values({ app_id: appId, heard_until: started })
      .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ heard_until: started }))
      .execute(),
  );
}

async function redeliver(services: Services, github: Github, failed: FailedDelivery): Promise<void> {
  const { database, realtime } = services;
  const { id, deliveryId, installationId } = failed;
  if (installationId === null) return;
  const orgId = await database.global((tx) => maybeOrgOfInstallation(tx, installationId));
  if (orgId === undefined || (await database.withOrg(orgId, (tx) => isHere(tx, orgId, deliveryId)))) return;
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

const isHere = async (tx: Tx, orgId: string, deliveryId: string): Promise<boolean> => {
  const rows = await tx.query<{ id: string }>({
    name: 'github.delivery',
    text: `select delivery_id as id from webhook_delivery where org_id = $1 and provider = 'github' and delivery_id = $2`,
    values: [orgId, deliveryId],
  });
  return rows.length > 0;
};

/** Updates the state of an installation from GitHub if a webhook was missed: uninstalled, suspended or resumed. */
export async function refreshInstallationState(
  services: Services,
  orgId: string,
  installationId: string,
): Promise<void> {
  const { githubApps, database } = services;
  const github = await githubApps.find();
  if (!github) return;
  const key = { provider: 'github', installationId } as const;
  const at = new Date();
  const found = await github.getInstallation(installationId).catch((error: unknown) => {
    if (error instanceof HostRefused && error.status === 404) return undefined;
    throw error;
  });
  await database.withOrg(orgId, async (tx) => {
    if (!found) {
      await unbindInstallation(services, tx, orgId, { key, at });
      return;
    }
    const row = await tx.db
      .selectFrom('installation')
      .where('org_id', '=', orgId)
      .where('provider', '=', 'github')
      .where('installation_id', '=', installationId)
      .where('deleted_at', 'is', null)
      .select('suspended_at')
      .forUpdate()
      .executeTakeFirst();
    if (!row || (row.suspended_at === null) === (found.suspendedAt === null)) return;
    if (found.suspendedAt === null) await unsuspendInstallation(services, tx, orgId, installationId);
    else await suspendInstallation(services, tx, orgId, installationId);
  });
}
