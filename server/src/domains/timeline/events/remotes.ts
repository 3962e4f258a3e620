import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import { listRepositoriesByName } from '../../organization/repository-access/queries.ts';

export interface RepositoryReference {
  id: string;
  fullName: string;
  url: string;
}

/** Finds the visible enabled repositories of remotes (host and path). */
export type FindRepositoriesOfRemotes = (
  actor: Actor,
  remotes: ReadonlySet<string>,
) => Promise<ReadonlyMap<string, RepositoryReference>>;

const freshForMs = 30_000;
const maxCached = 20_000;

/** Caches each remote for half a minute, since editors send the same ones repeatedly. */
export function createRemoteFinder({ database }: Services): FindRepositoriesOfRemotes {
  const cache = new Map<string, { at: number; named: Promise<RepositoryReference | undefined> }>();

  function find(actor: Actor, remote: string): Promise<RepositoryReference | undefined> {
    const key = `${actor.orgId} ${actor.accountId} ${remote}`;
    const known = cache.get(key);
    if (known && Date.now() - known.at < freshForMs) return known.named;
    if (cache.size >= maxCached) cache.clear();
    const named = read(actor, remote);
    cache.set(key, { at: Date.now(), named });
    named.catch(() => cache.delete(key));
    return named;
  }

  async function read(actor: Actor, remote: string): Promise<RepositoryReference | undefined> {
    const cut = remote.indexOf('/');
    const [host, path] = [remote.slice(0, cut).toLowerCase(), remote.slice(cut + 1)];
    const named = await database.withOrg(actor.orgId, (tx) => listRepositoriesByName(tx, actor, path));
    const onHost = named.find(({ url }) => URL.canParse(url) && new URL(url).hostname === host);
    // `git@work:acme/api`: the host is a local SSH alias of one machine, unknown here.
    return onHost ?? (named.length === 1 && !host.includes('.') ? named[0] : undefined);
  }

  return async (actor, remotes) => {
    const found = await Promise.all([...remotes].map(async (remote) => [remote, await find(actor, remote)] as const));
    return new Map(found.flatMap(([remote, named]) => (named ? [[remote, named] as const] : [])));
  };
}
