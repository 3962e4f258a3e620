import { z } from 'zod';
import { everything } from './paging.ts';
import { hostId } from './shapes.ts';
import type { Ask } from './transport.ts';

/** What can be picked: a group with all below it, somebody's own projects, or one project a token is limited to. */
export interface Place {
  /** As an installation keeps it: the id of a group, `user-…` or `project-…`. */
  id: string;
  kind: 'group' | 'user' | 'project';
  /** The whole path, with every group above. */
  path: string;
  name: string;
  url: string;
}

/** Who a token acts for, and what it may do. */
export interface TokenHolder {
  id: string;
  login: string;
  /** Null where the instance does not say. */
  scopes: string[] | null;
}

const holder = z.object({ id: hostId, username: z.string() });
const self = z.object({ scopes: z.array(z.string()) });
const group = z.object({ id: hostId, name: z.string(), full_path: z.string(), web_url: z.string() });
const project = z.object({ id: hostId, name: z.string(), path_with_namespace: z.string(), web_url: z.string() });

/** Maintainers make webhooks; nobody below may. */
const maintainer = 40;

/** Whose token it is. Throws HostRefused 401 for one that is none. */
export async function whoIs(ask: Ask): Promise<TokenHolder> {
  const { id, username } = holder.parse((await ask('/api/v4/user')).data);
  const scopes = await ask('/api/v4/personal_access_tokens/self').then(
    ({ data }) => self.parse(data).scopes,
    // Tokens of OAuth are not told of here, and early instances know no such address.
    () => null,
  );
  return { id, login: username, scopes };
}

/** What the token's holder may pick, by path. A token of a single project sees no group: then its project is offered. */
export async function listPlaces(ask: Ask, { id, login }: TokenHolder): Promise<Place[]> {
  const groups = (await everything(ask, '/api/v4/groups', { min_access_level: maintainer, order_by: 'path' })).map(
    (json): Place => {
      const found = group.parse(json);
      return { id: found.id, kind: 'group', path: found.full_path, name: found.name, url: found.web_url };
    },
  );
  const own = await everything(ask, `/api/v4/users/${id}/projects`, { owned: true }, 1);
  if (own.length > 0) {
    const url = new URL(project.parse(own[0]).web_url);
    groups.push({ id: `user-${id}`, kind: 'user', path: login, name: login, url: `${url.origin}/${login}` });
  }
  if (groups.length > 0) return groups.toSorted((one, other) => one.path.localeCompare(other.path, 'en'));
  const member = await everything(ask, '/api/v4/projects', { membership: true, min_access_level: maintainer }, 1);
  return member.map((json) => {
    const found = project.parse(json);
    const path = found.path_with_namespace;
    return { id: `project-${found.id}`, kind: 'project' as const, path, name: found.name, url: found.web_url };
  });
}

/** Where the projects of a place are listed. */
export function placeOf(id: string): { path: string; query: Record<string, string | boolean> } {
  const [, kind, number] = /^(?:(user|project)-)?(\d+)$/.exec(id) ?? [];
  if (number === undefined) throw new Error('This is no place of GitLab');
  if (kind === 'user') return { path: `/api/v4/users/${number}/projects`, query: {} };
  // Only such a token sees a single project; every other picks groups.
  if (kind === 'project') return { path: '/api/v4/projects', query: { membership: true } };
  return { path: `/api/v4/groups/${number}/projects`, query: { include_subgroups: true, with_shared: false } };
}
