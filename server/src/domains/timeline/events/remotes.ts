import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import { listNamed } from '../../organization/repository-access/queries.ts';

export interface RepositoryReference {
  id: string;
  fullName: string;
  url: string;
}

/** The enabled repository behind a remote, host and path, where the actor sees it. */
export type FindRemotes = (
  actor: Actor,
  remotes: ReadonlySet<string>,
) => Promise<ReadonlyMap<string, RepositoryReference>>;

const freshForMs = 30_000;
const most = 20_000;

/** Remembers each for half a minute: editors send the same one over and over. */
export function createRemotes({ database }: Services): FindRemotes {
  const remembered = new Map<string, { at: number; named: Promise<RepositoryReference | undefined> }>();

  function find(actor: Actor, remote: string): Promise<RepositoryReference | undefined> {
    const key = `${actor.orgId} ${actor.accountId} ${remote}`;
    const known = remembered.get(key);
    if (known && Date.now() - known.at < freshForMs) return known.named;
    if (remembered.size >= most) remembered.clear();
    const named = read(actor, remote);
    remembered.set(key, { at: Date.now(), named });
    named.catch(() => remembered.delete(key));
    return named;
  }

  async function read(actor: Actor, remote: string): Promise<RepositoryReference | undefined> {
    const cut = remote.indexOf('/');
    const [host, path] = [remote.slice(0, cut).toLowerCase(), remote.slice(cut + 1)];
    const named = await database.withOrg(actor.orgId, (tx) => listNamed(tx, actor, path));
    const there = named.find(({ url }) => URL.canParse(url) && new URL(url).hostname === host);
    // `git@work:acme/api`: the host is a name that ssh was given on one machine, and says nothing here.
    return there ?? (named.length === 1 && !host.includes('.') ? named[0] : undefined);
  }

  return async (actor, remotes) => {
    const found = await Promise.all([...remotes].map(async (remote) => [remote, await find(actor, remote)] as const));
    return new Map(found.flatMap(([remote, named]) => (named ? [[remote, named] as const] : [])));
  };
}
