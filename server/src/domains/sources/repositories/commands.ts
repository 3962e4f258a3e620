import type { Provider } from '@sightline/contract/core/providers.ts';
import type { enableRepositories, ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { listedKind, unlistedKind } from '@sightline/evidence/bundle/repositories.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import { commitToRepositoryNames } from '#core/repository-names.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { queueHookSync } from '../host-hooks/commands.ts';
import { queueImport } from '../imports/commands.ts';
import { repositoryContextId } from './context.ts';
import { listProviderRepos } from './provider-repositories.ts';
import { repositoryEnabled } from './topics.ts';

type RepositoryChoice = z.output<typeof enableRepositories.body>;

/** Enables and disables repositories and skips unchanged ones. Enabling starts the import of the history. */
export function updateEnabledRepositories(
  services: Services,
  actor: Actor,
  choice: RepositoryChoice,
): Promise<{ providerRepos: ProviderRepos }> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    const requested = new Map(
      Object.values(choice.providerRepos).flatMap((owners) =>
        Object.values(owners ?? {})
          .flat()
          .map((one) => [one.id, one.tracked]),
      ),
    );
    const known = await lockSelectable(tx, actor.orgId, [...requested.keys()]);
    const unknown = [...requested.keys()].find((id) => !known.has(id));
    if (unknown !== undefined)
      throw Invalid('providerRepos', `contains a repository that is not available (${unknown})`);
    for (const repository of known.values()) {
      const tracked = requested.get(repository.id);
      if (tracked === undefined || tracked === repository.tracked) continue;
      await setTracked(services, tx, actor, { repository, tracked });
    }
    tx.afterCommit(() => {
      services.realtime.notifyOrganization(actor.orgId, 'orgRepos', {});
      services.realtime.notifyOrganization(actor.orgId, 'listProjects', {});
    });
    return listProviderRepos(tx, actor);
  });
}

interface SelectableRepository {
  id: string;
  provider: string;
  tracked: boolean;
  full_name: string;
}

async function lockSelectable(tx: Tx, orgId: string, ids: string[]): Promise<Map<string, SelectableRepository>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .where('removed_at', 'is', null)
    .select(['id', 'provider', 'tracked', 'full_name'])
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function setTracked(
  services: Services,
  tx: Tx,
  actor: Actor,
  { repository, tracked }: { repository: SelectableRepository; tracked: boolean },
): Promise<void> {
  await tx.db
    .updateTable('repository')
    .set({ tracked })
    .where('org_id', '=', actor.orgId)
    .where('id', '=', repository.id)
    .execute();
  await recordAuditEntry(tx, {
    people: services.people,
    orgId: actor.orgId,
    actor,
    entry: {
      action: tracked ? 'repository.enabled' : 'repository.disabled',
      subject: { kind: 'repository', id: repository.id },
      data: { before: { enabled: !tracked }, after: { enabled: tracked } },
      repositoryName: repository.full_name,
    },
  });
  await raiseNotifications(services, tx, actor.orgId, {
    actor,
    notifications: [
      {
        type: tracked ? 'repository.enabled' : 'repository.disabled',
        repository: { id: repository.id, name: repository.full_name },
      },
    ],
  });
  if (repository.provider !== 'github') await queueHookSync(services, tx, actor.orgId, { repositoryId: repository.id });
  if (!tracked) return;
  const filters = [{ within: 'repository', field: 'fullName', predicate: 'is', arguments: [repository.full_name] }];
  await tx.db
    .insertInto('context')
    .values({ org_id: actor.orgId, id: repositoryContextId(repository.id), filters: JSON.stringify(filters) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await queueImport(services, tx, actor.orgId, repository.id);
  const enabled = { repositoryId: repository.id };
  await services.topics.publish({ services, tx, orgId: actor.orgId }, repositoryEnabled, enabled);
}

/** The repositories of a host that may change: some, or all of an installation. */
export type RepositoryFilter = { provider: Provider } & ({ hostIds: readonly string[] } | { installationId: string });

type NamesById = ReadonlyMap<string, string>;

/** Repositories per ledger entry, which has a limited size. */
const REPOSITORIES_PER_ENTRY = 100;

/**
 * Runs `work` and records in the ledger which repositories the host now lists or names differently, and which it no
 * longer lists.
 */
export async function recordListedRepositories(
  tx: Tx,
  orgId: string,
  { which, work }: { which: RepositoryFilter; work: () => Promise<unknown> },
): Promise<void> {
  const listedBefore = await listedNames(tx, orgId, which);
  await work();
  const listed = await listedNames(tx, orgId, which);
  const appeared = [...listed].filter(([id, name]) => listedBefore.get(id) !== name);
  const disappeared = [...listedBefore].filter(([id]) => !listed.has(id));
  const now = new Date().toISOString();
  for (const { kind, repositories } of [
    { kind: listedKind, repositories: appeared },
    { kind: unlistedKind, repositories: disappeared },
  ]) {
    for (let begun = 0; begun < repositories.length; begun += REPOSITORIES_PER_ENTRY) {
      const some = repositories.slice(begun, begun + REPOSITORIES_PER_ENTRY);
      const fact = {
        id: newId(),
        org: orgId,
        kind,
        asOf: now,
        receivedAt: now,
        person: null,
        source: which.provider,
        subject: { repositories: some.map(([id]) => id) },
        personal: {},
      };
      const named = some.map(([id, name]) => ({ id, name }));
      const names = await commitToRepositoryNames(tx, orgId, fact.id, named);
      await appendEntries(tx, orgId, [createLedgerEntry(fact, undefined, names)]);
    }
  }
}

/** The names of the repositories that the host lists, by ID. */
async function listedNames(tx: Tx, orgId: string, which: RepositoryFilter): Promise<NamesById> {
  const rows = await repositoriesOf(tx, orgId, which)
    .where('removed_at', 'is', null)
    .select(['id', 'full_name'])
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ id, full_name }) => [id, full_name]));
}

/** The repositories of an organization that match a filter, enabled or not. */
export const repositoriesOf = ({ db }: Tx, orgId: string, which: RepositoryFilter) =>
  db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('provider', '=', which.provider)
    .$if('hostIds' in which, (query) =>
      query.where(sql<boolean>`provider_repo_id = any(${'hostIds' in which ? which.hostIds : []}::text[])`),
    )
    .$if('installationId' in which, (query) =>
      query.where('installation_id', '=', 'installationId' in which ? which.installationId : ''),
    );
