import type { enableRepositories, ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { queueHookSync } from '../host-hooks/commands.ts';
import { queueImport } from '../imports/commands.ts';
import { repositoryContextId } from './context.ts';
import { listProviderRepos } from './offered.ts';
import { repositoryEnabled } from './topics.ts';

type RepositoryChoice = z.output<typeof enableRepositories.body>;

/** Enables and disables repositories and skips unchanged ones. Enabling starts the import of the history. */
export function enableRepositories(
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
      services.realtime.tell(actor.orgId, 'orgRepos', {});
      services.realtime.tell(actor.orgId, 'listProjects', {});
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
    doer: actor,
    entry: {
      action: tracked ? 'repository.enabled' : 'repository.disabled',
      subject: { kind: 'repository', id: repository.id },
      data: { fullName: repository.full_name, before: { enabled: !tracked }, after: { enabled: tracked } },
    },
  });
  await raise(services, tx, actor.orgId, {
    doer: actor,
    news: {
      type: tracked ? 'repository.enabled' : 'repository.disabled',
      repository: { id: repository.id, name: repository.full_name },
    },
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
