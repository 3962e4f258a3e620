import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueRepositorySync } from '../code-hosts/commands.ts';
import { changeInstallation } from '../installations/commands.ts';

/** Records that the app was suspended on GitHub. */
export async function suspendInstallation(services: Services, tx: Tx, orgId: string, id: string): Promise<void> {
  const change = { suspended_at: sql<Date>`now()` };
  const data = { before: { suspended: false }, after: { suspended: true } };
  await changeInstallation(services, tx, orgId, {
    installationKey: keyOf(id),
    installationChange: { action: 'integration.suspended', change, data },
  });
}

/** Records that the app was resumed on GitHub, and queues a repository listing. */
export async function unsuspendInstallation(services: Services, tx: Tx, orgId: string, id: string): Promise<void> {
  const change = { suspended_at: null };
  const data = { before: { suspended: true }, after: { suspended: false } };
  if (
    !(await changeInstallation(services, tx, orgId, {
      installationKey: keyOf(id),
      installationChange: { action: 'integration.resumed', change, data },
    }))
  )
    return;
  await queueRepositorySync(services, tx, orgId, { provider: 'github', installationId: id });
}

/** Stores the permissions that an owner on GitHub granted to the app. */
export async function grantPermissions(
  services: Services,
  tx: Tx,
  orgId: string,
  { id, granted }: { id: string; granted: Record<string, string> },
): Promise<void> {
  const row = await tx.db
    .selectFrom('installation')
    .select('permissions')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('installation_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const change = { permissions: JSON.stringify(granted) };
  const data = {
    before: { permissions: (row?.permissions ?? {}) as Record<string, string> },
    after: { permissions: granted },
  };
  await changeInstallation(services, tx, orgId, {
    installationKey: keyOf(id),
    installationChange: { action: 'integration.permissions_changed', change, data },
  });
}

const keyOf = (installationId: string) => ({ provider: 'github', installationId }) as const;
