import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import { isArchived } from '#core/archived.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';
import { pagesOf } from '#providers/code-host.ts';
import type { HostRepository } from '../../../providers/host-facts.ts';
import { queueMissingHooks } from '../host-hooks/commands.ts';
import { type InstallationKey, maybeInstallation } from '../installations/queries.ts';
import { auditRepositoryChanges } from './audit-repository-changes.ts';

/** Queues the job that lists the repositories of an installation when the transaction commits. */
export const queueRepositorySync = (
  services: Services,
  tx: Tx,
  orgId: string,
  {
    provider,
    installationId,
    startAfter,
  }: { provider: Provider; installationId: string; startAfter?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'installation.sync',
    { orgId, provider, installationId },
    { key: `${orgId} ${provider} ${installationId}`, ...(startAfter && { startAfter }) },
  );

/** Queues the repository listing of every installation of an organization. */
export async function queueAllRepositorySyncs({ services, tx, orgId }: Publication): Promise<void> {
  const installations = await tx.db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .select(['provider', 'installation_id'])
    .execute();
  for (const { provider, installation_id: id } of installations) {
    await queueRepositorySync(services, tx, orgId, { provider: provider as Provider, installationId: id });
  }
}

/**
 * Updates the stored repositories of an installation from the list of its host: adds new ones, renames known ones and
 * marks missing ones as removed. Does not change which are enabled. Throws the errors of CodeHost. Does nothing in an
 * archived organization; restoring it queues this again.
 */
export async function syncRepositories(
  services: Services,
  orgId: string,
  provider: Provider,
  installationId: string,
): Promise<void> {
  const { codeHosts, database, realtime } = services;
  const installation = await database.withOrg(orgId, async (tx) =>
    (await isArchived(tx, orgId)) ? undefined : maybeInstallation(tx, orgId, provider, installationId),
  );
  const host = await codeHosts.maybe(orgId, provider, installationId);
  if (!host || !installation || installation.suspendedAt !== null) return;
  const seen: string[] = [];
  for await (const items of pagesOf((page) => host.listRepositories(installationId, page))) {
    await database.withOrg(orgId, (tx) =>
      saveRepositories(services, tx, orgId, { installationKey: { provider, installationId }, repositories: items }),
    );
    seen.push(...items.map((item) => item.id));
  }
  await database.withOrg(orgId, async (tx) => {
    await auditRepositoryChanges(services, tx, orgId, {
      which: { provider, installationId },
      work: () =>
        markRemoved(tx, orgId, provider)
          .where('installation_id', '=', installationId)
          .where(sql<boolean>`provider_repo_id <> all(${seen}::text[])`)
          .execute(),
    });
    await queueMissingHooks(services, tx, orgId, { provider, installationId });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgRepos', {}));
  });
}

/** Inserts or updates repositories in a fixed order, so that concurrent syncs cannot deadlock. */
export async function saveRepositories(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    installationKey: { provider, installationId },
    repositories,
  }: { installationKey: InstallationKey; repositories: readonly HostRepository[] },
): Promise<void> {
  if (repositories.length === 0) return;
  const rows = repositories.map((repository) => ({
    org_id: orgId,
    id: newId(),
    provider,
    provider_repo_id: repository.id,
    installation_id: installationId,
    ...namesOf(repository),
    pushed_at: repository.pushedAt && sql<Date>`least(${repository.pushedAt}::timestamptz, now())`,
  }));
  const hostIds = repositories.map(({ id }) => id);
  await auditRepositoryChanges(services, tx, orgId, {
    which: { provider, hostIds },
    work: () =>
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
            pushed_at: sql<Date>`greatest(repository.pushed_at, least(excluded.pushed_at, now()))`,
            removed_at: null,
          })),
        )
        .execute(),
  });
}

/** Updates the name, owner, visibility and default branch of a stored repository. */
export const updateRepository = (
  services: Services,
  tx: Tx,
  orgId: string,
  { provider, repository }: { provider: Provider; repository: HostRepository },
): Promise<void> =>
  auditRepositoryChanges(services, tx, orgId, {
    which: { provider, hostIds: [repository.id] },
    work: () =>
      tx.db
        .updateTable('repository')
        .set(namesOf(repository))
        .where('org_id', '=', orgId)
        .where('provider', '=', provider)
        .where('provider_repo_id', '=', repository.id)
        .execute(),
  });

const namesOf = ({ owner, name, fullName, defaultBranch, isPrivate, url }: HostRepository) => ({
  owner,
  name,
  full_name: fullName,
  default_branch: defaultBranch,
  is_private: isPrivate,
  html_url: url,
});

/** The update that marks repositories of a provider as removed. The caller adds a filter. */
const markRemoved = (tx: Tx, orgId: string, provider: Provider) =>
  tx.db
    .updateTable('repository')
    .set({ removed_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('removed_at', 'is', null);

/** Marks repositories that the host no longer lists as removed; their imported data is retained. */
export const removeRepositories = (
  services: Services,
  tx: Tx,
  orgId: string,
  { provider, hostIds }: { provider: Provider; hostIds: readonly string[] },
): Promise<void> =>
  auditRepositoryChanges(services, tx, orgId, {
    which: { provider, hostIds },
    work: () =>
      markRemoved(tx, orgId, provider).where(sql<boolean>`provider_repo_id = any(${hostIds}::text[])`).execute(),
  });
