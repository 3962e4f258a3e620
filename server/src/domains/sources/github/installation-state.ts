import type { Services } from '#core/services.ts';
import { HostRefused } from '#providers/code-host.ts';
import { unbindInstallation } from '../installations/commands.ts';
import { suspendInstallation, unsuspendInstallation } from './commands.ts';

/**
 * Updates the state of an installation from GitHub if a webhook was missed: uninstalled, suspended or resumed. Part of the
 * job `github.recover-missed-webhooks`.
 */
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
