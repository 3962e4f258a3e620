import type { ContextFilter } from '@sightline/contract/timeline/contexts.ts';
import type { EditorContext, OpenedContext } from '@sightline/contract/tools/presence.ts';
import type { Actor } from '#core/actor.ts';
import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { listRepositoriesByName } from '../../organization/repository-access/queries.ts';
import { exploreContextOf } from '../../sources/repositories/queries.ts';
import { storeContext } from '../../timeline/events/commands.ts';
import { parseGitRemote } from './remote.ts';

/**
 * Returns the repository of a remote within the actor's scope, and the context that opens Explore for it or for one of
 * its files. Both are null for a repository that is not enabled, since other work of members is private.
 */
export function openEditorContext(services: Services, actor: Actor, given: EditorContext): Promise<OpenedContext> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    const repository = await repositoryOf(tx, actor, given.repo);
    if (!repository) return { contextId: null, repository: null };
    const { id, fullName } = repository;
    if (given.file === null || given.file === '') return { ...exploreContextOf(id), repository: { id, fullName } };
    const contextId = factId('context', id, 'file', given.file);
    await storeContext(tx, actor.orgId, contextId, [
      isFilter('repository', 'fullName', fullName),
      isFilter('file', 'path', given.file),
    ]);
    return { contextId, repository: { id, fullName } };
  });
}

async function repositoryOf(tx: Tx, actor: Actor, address: string | null) {
  const remote = address === null ? undefined : parseGitRemote(address);
  if (!remote) return undefined;
  const named = await listRepositoriesByName(tx, actor, remote.path);
  const sameHost = named.find(({ url }) => URL.canParse(url) && new URL(url).hostname === remote.host);
  // `git@work:acme/api`: the host is an SSH alias of one machine.
  return sameHost ?? (named.length === 1 && !remote.host.includes('.') ? named[0] : undefined);
}

const isFilter = (within: ContextFilter['within'], field: string, value: string): ContextFilter => ({
  within,
  field,
  predicate: 'is',
  arguments: [value],
});
