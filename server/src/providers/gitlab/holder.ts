import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { Holder } from '#providers/connectable.ts';
import { everything } from './paging.ts';
import { hostId } from './shapes.ts';
import type { Ask } from './transport.ts';

const holder = z.object({ id: hostId, username: z.string(), web_url: z.string() });
const self = z.object({ scopes: z.array(z.string()) });
const group = z.object({ id: hostId, name: z.string(), full_path: z.string(), web_url: z.string() });
const project = z.object({ id: hostId, name: z.string(), path_with_namespace: z.string(), web_url: z.string() });

/** Reporters and those above may read code. */
const reporter = 20;

const noHooks =
  'The token cannot create webhooks, so changes appear hours later. Use a token with the scope “api” for immediate updates.';

/** Whose token it is, and what it may pick. Throws HostRefused 401 for one that is none, 403 for one that may read nothing. */
export async function lookAt(ask: Ask): Promise<Holder> {
  const { id, username, web_url } = holder.parse((await ask('/api/v4/user')).data);
  const scopes = await scopesOf(ask);
  if (scopes !== null && !scopes.includes('api') && !scopes.includes('read_api')) {
    throw new HostRefused(403, 'The token needs the scope “api”, or at least “read_api”.');
  }
  return {
    login: username,
    scopes,
    missing: scopes === null || scopes.includes('api') ? [] : [noHooks],
    places: await listPlaces(ask, { id, login: username, url: web_url }),
  };
}

// Tokens of OAuth are not told of here, and early instances know no such address.
const scopesOf = (ask: Ask): Promise<string[] | null> =>
  ask('/api/v4/personal_access_tokens/self').then(
    ({ data }) => self.parse(data).scopes,
    (error: unknown) => {
      if (error instanceof HostRefused || error instanceof z.ZodError) return null;
      throw error;
    },
  );

/** Groups and one's own projects, by path. A token of a single project sees no group: then its project is offered. */
async function listPlaces(
  ask: Ask,
  { id, login, url }: { id: string; login: string; url: string },
): Promise<HostWorkspace[]> {
  const places = (await everything(ask, '/api/v4/groups', { min_access_level: reporter, order_by: 'path' })).map(
    (json): HostWorkspace => {
      const found = group.parse(json);
      return { id: found.id, kind: 'group', path: found.full_path, name: found.name, url: found.web_url };
    },
  );
  const own = await everything(ask, `/api/v4/users/${id}/projects`, {}, 1);
  if (own.length > 0) places.push({ id: `user-${id}`, kind: 'user', path: login, name: login, url });
  if (places.length > 0) return places.toSorted((one, other) => one.path.localeCompare(other.path, 'en'));
  const member = await everything(ask, '/api/v4/projects', { membership: true, min_access_level: reporter }, 1);
  return member.map((json) => {
    const found = project.parse(json);
    return {
      id: `project-${found.id}`,
      kind: 'repository',
      path: found.path_with_namespace,
      name: found.name,
      url: found.web_url,
    };
  });
}

/** Where the projects of a place are listed. */
export function placeOf(id: string): { path: string; query: Record<string, string | boolean> } {
  const [, kind, number] = /^(?:(user|project)-)?(\d+)$/.exec(id) ?? [];
  if (number === undefined) throw new HostRefused(404, 'This is no group of GitLab');
  if (kind === 'user') return { path: `/api/v4/users/${number}/projects`, query: {} };
  // A token that sees a single project sees no other.
  if (kind === 'project') return { path: '/api/v4/projects', query: { membership: true } };
  return { path: `/api/v4/groups/${number}/projects`, query: { include_subgroups: true, with_shared: false } };
}
