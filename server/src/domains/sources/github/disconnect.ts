import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { unbindInstallation } from '../installations/commands.ts';
import { maybeOrgOfInstallation } from './queries.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'github.uninstall': { orgId: string; installationId: string };
  }
}

/** Disconnects a GitHub account and queues the uninstallation of the app. Throws 404 if it is not connected. */
export const disconnectInstallation = (services: Services, actor: Actor, installationId: string): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    const key = { provider: 'github', installationId } as const;
    if (!(await unbindInstallation(services, tx, orgId, { key, actor }))) throw NotFound('Account');
    await services.jobs.enqueue(tx, 'github.uninstall', { orgId, installationId }, { key: installationId });
    return null;
  });

/** Uninstalls the app unless an organization is connected to the installation. */
export async function uninstallApp(services: Services, orgId: string, installationId: string): Promise<void> {
  const github = await services.githubApps.find();
  if (!github) return;
  // This or another organization may have connected it again in the meantime.
  const bound = await services.database.withOrg(orgId, (tx) => maybeOrgOfInstallation(tx, installationId));
  if (bound === undefined) await github.uninstall(installationId);
}
