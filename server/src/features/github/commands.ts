import type { AuditAction } from '@sightline/contract/audit-actions.ts';
import { sql, type UpdateObject } from 'kysely';
import { isArchived } from '#core/archived.ts';
import { type AuditEntry, record } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tables, Tx } from '#database/database.ts';
import { type HostRepository, pagesOf } from '#providers/code-host.ts';
import { notingChanges } from './noted-changes.ts';
import { maybeInstallation } from './queries.ts';

/** Has the repositories of an installation listed by a job, once this commits. */
export const requestSync = (
  services: Services,
  tx: Tx,
  orgId: string,
  installationId: string,
  startAfter?: Date,
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'installation.sync',
    { orgId, installationId },
    { key: `${orgId} ${installationId}`, ...(startAfter && { startAfter }) },
  );

/**
 * Makes the repositories we know of an installation those GitHub lists: new ones are added, known ones follow their
 * names, vanished ones are marked. Whether a repository is tracked stays as it is. Throws as CodeHost says. Does nothing
 * in an archived organisation; restoring it asks for this again.
 */
export async function syncRepositories(services: Services, orgId: string, installationId: string): Promise<void> {
  const { codeHosts, database, realtime } = services;
  const installation = await database.withOrg(orgId, async (tx) =>
    (await isArchived(tx, orgId)) ? undefined : maybeInstallation(tx, orgId, installationId),
  );
  const host = await codeHosts.maybe(orgId, 'github', installationId);
  if (!host || !installation || installation.suspendedAt !== null) return;
  const seen: string[] = [];
  for await (const items of pagesOf((page) => host.listRepositories(installationId, page))) {
    await database.withOrg(orgId, (tx) => saveRepositories(services, tx, orgId, installationId, items));
    seen.push(...items.map((item) => item.id));
  }
  await database.withOrg(orgId, async (tx) => {
    await notingChanges(services, tx, orgId, { installationId }, () =>
      tx.db
        .updateTable('repository')
        .set({ removed_at: sql<Date>`now()` })
        .where('org_id', '=', orgId)
        .where('provider', '=', 'github')
        .where('installation_id', '=', installationId)
        .where('removed_at', 'is', null)
        .where(sql<boolean>`provider_repo_id <> all(${seen}::text[])`)
        .execute(),
    );
    tx.afterCommit(() => realtime.tell(orgId, 'orgRepos', {}));
  });
}

/** Adds repositories or brings known ones up to date, in one order, so that two syncs cannot block each other. */
export async function saveRepositories(
  services: Services,
  tx: Tx,
  orgId: string,
  installationId: string,
  repositories: readonly HostRepository[],
): Promise<void> {
  if (repositories.length === 0) return;
  const rows = repositories.map((repository) => ({
    org_id: orgId,
    id: newId(),
    provider: 'github',
    provider_repo_id: repository.id,
    installation_id: installationId,
    ...namesOf(repository),
    pushed_at: repository.pushedAt,
  }));
  const hostIds = repositories.map(({ id }) => id);
  await notingChanges(services, tx, orgId, { hostIds }, () =>
    tx.db
      .insertInto('repository')
      .values(rows.sort((one, other) => (one.provider_repo_id < other.provider_repo_id ? -1 : 1)))
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'provider', 'provider_repo_id']).doUpdateSet(({ ref }) => ({
          installation_id: ref('excluded.installation_id'),
          owner: ref('excluded.owner'),
          name: ref('excluded.name'),
          full_name: ref('excluded.full_name'),
          default_branch: ref('excluded.default_branch'),
          is_private: ref('excluded.is_private'),
          html_url: ref('excluded.html_url'),
          pushed_at: sql<Date>`greatest(repository.pushed_at, excluded.pushed_at)`,
          removed_at: null,
        })),
      )
      .execute(),
  );
}

/** Follows a repository to its new name, owner, visibility or default branch, where we know it. */
export const updateRepository = (
  services: Services,
  tx: Tx,
  orgId: string,
  repository: HostRepository,
): Promise<void> =>
  notingChanges(services, tx, orgId, { hostIds: [repository.id] }, () =>
    tx.db
      .updateTable('repository')
      .set(namesOf(repository))
      .where('org_id', '=', orgId)
      .where('provider', '=', 'github')
      .where('provider_repo_id', '=', repository.id)
      .execute(),
  );

const namesOf = ({ owner, name, fullName, defaultBranch, isPrivate, url }: HostRepository) => ({
  owner,
  name,
  full_name: fullName,
  default_branch: defaultBranch,
  is_private: isPrivate,
  html_url: url,
});

/** Marks repositories GitHub no longer shows us; what was read from them stays. */
export const removeRepositories = (
  services: Services,
  tx: Tx,
  orgId: string,
  hostIds: readonly string[],
): Promise<void> =>
  notingChanges(services, tx, orgId, { hostIds }, () =>
    tx.db
      .updateTable('repository')
      .set({ removed_at: sql<Date>`now()` })
      .where('org_id', '=', orgId)
      .where('provider', '=', 'github')
      .where(sql<boolean>`provider_repo_id = any(${hostIds}::text[])`)
      .where('removed_at', 'is', null)
      .execute(),
  );

/** Somebody paused the app on GitHub. */
export async function suspendInstallation(services: Services, tx: Tx, orgId: string, id: string): Promise<void> {
  const change = { suspended_at: sql<Date>`now()` };
  const data = { before: { suspended: false }, after: { suspended: true } };
  await changeInstallation(services, tx, orgId, id, { action: 'integration.suspended', change, data });
}

/** Somebody let the app go on. */
export async function unsuspendInstallation(services: Services, tx: Tx, orgId: string, id: string): Promise<void> {
  const change = { suspended_at: null };
  const data = { before: { suspended: true }, after: { suspended: false } };
  if (!(await changeInstallation(services, tx, orgId, id, { action: 'integration.resumed', change, data }))) return;
  await requestSync(services, tx, orgId, id);
}

/** An owner on GitHub accepted other permissions. */
export async function grantPermissions(
  services: Services,
  tx: Tx,
  orgId: string,
  id: string,
  granted: Record<string, string>,
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
  await changeInstallation(services, tx, orgId, id, { action: 'integration.permissions_changed', change, data });
}

/** The app was uninstalled on GitHub at `at`; one bound again since then is another, and stays. */
export async function forgetInstallation(
  services: Services,
  tx: Tx,
  orgId: string,
  id: string,
  at: Date,
): Promise<void> {
  const gone = {
    action: 'integration.disconnected',
    change: { deleted_at: sql<Date>`now()` },
    data: { before: { connected: true }, after: { connected: false } },
    boundBefore: at,
  } as const;
  if (!(await changeInstallation(services, tx, orgId, id, gone))) return;
  await tx.db
    .updateTable('repository')
    .set({ removed_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('installation_id', '=', id)
    .where('removed_at', 'is', null)
    .execute();
  tx.afterCommit(() => services.realtime.tell(orgId, 'orgRepos', {}));
}

interface InstallationChange {
  action: Extract<AuditAction, `integration.${string}`>;
  change: UpdateObject<Tables, 'installation'>;
  data: NonNullable<AuditEntry['data']>;
  boundBefore?: Date;
}

/** Writes, records, tells; answers whether there was such an installation. */
async function changeInstallation(
  services: Services,
  tx: Tx,
  orgId: string,
  id: string,
  { action, change, data, boundBefore }: InstallationChange,
): Promise<boolean> {
  const changed = await tx.db
    .updateTable('installation')
    .set(change)
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('installation_id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(boundBefore !== undefined, (query) => query.where('created_at', '<=', boundBefore ?? new Date()))
    .returning('account_login')
    .executeTakeFirst();
  if (!changed) return false;
  await record(
    tx,
    services.people,
    orgId,
    { integration: 'github' },
    {
      action,
      subject: { kind: 'installation', id },
      data: { provider: 'github', account: changed.account_login, ...data },
    },
  );
  tx.afterCommit(() => services.realtime.tell(orgId, 'orgIntegrations', { provider: 'github' }));
  return true;
}
