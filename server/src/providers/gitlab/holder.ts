import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { GrantHolder } from '#providers/connectable.ts';
import { readAllItems } from './paging.ts';
import { hostId } from './shapes.ts';
import type { GitlabApi } from './transport.ts';

const holder = z.object({ id: hostId, username: z.string(), web_url: z.string() });
const self = z.object({ scopes: z.array(z.string()) });
const group = z.object({ id: hostId, name: z.string(), full_path: z.string(), web_url: z.string() });
const project = z.object({ id: hostId, name: z.string(), path_with_namespace: z.string(), web_url: z.string() });

/** The lowest access level that may read code. */
const REPORTER_LEVEL = 20;

const noHooks =
  'The token cannot create webhooks, so changes appear hours later. Use a token with the scope “api” for immediate updates.';

/** Reads the owner and the host scopes of a token. Throws HostRefused 401 if invalid, 403 without read access. */
export async function readTokenHolder(ask: GitlabApi): Promise<GrantHolder> {
  const { id, username, web_url } = holder.parse((await ask('/api/v4/user')).data);
  const scopes = await scopesOf(ask);
  if (scopes !== null && !scopes.includes('api') && !scopes.includes('read_api')) {
    throw new HostRefused(403, 'The token needs the scope “api”, or at least “read_api”.');
  }
  return {
    login: username,
    scopes,
    missing: scopes === null || scopes.includes('api') ? [] : [noHooks],
    places: await listScopes(ask, { id, login: username, url: web_url }),
  };
}

// Not available for OAuth tokens and on old instances.
const scopesOf = (ask: GitlabApi): Promise<string[] | null> =>
  ask('/api/v4/personal_access_tokens/self').then(
    ({ data }) => self.parse(data).scopes,
    (error: unknown) => {
      if (error instanceof HostRefused || error instanceof z.ZodError) return null;
      throw error;
    },
  );

/** Lists groups and the own namespace by path, or the project of a project token, which has access to no group. */
async function listScopes(
  ask: GitlabApi,
  { id, login, url }: { id: string; login: string; url: string },
): Promise<HostWorkspace[]> {
  const scopes = (
    await readAllItems(ask, '/api/v4/groups', { min_access_level: REPORTER_LEVEL, order_by: 'path' })
  ).map((json): HostWorkspace => {
    const found = group.parse(json);
    return { id: found.id, kind: 'group', path: found.full_path, name: found.name, url: found.web_url };
  });
  const own = await readAllItems(ask, `/api/v4/users/${id}/projects`, {}, 1);
  if (own.length > 0) scopes.push({ id: `user-${id}`, kind: 'user', path: login, name: login, url });
  if (scopes.length > 0) return scopes.toSorted((one, other) => one.path.localeCompare(other.path, 'en'));
  const member = await readAllItems(ask, '/api/v4/projects', { membership: true, min_access_level: REPORTER_LEVEL }, 1);
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

/** The API path that lists the projects of a host scope. */
export function scopeProjectsPath(id: string): { path: string; query: Record<string, string | boolean> } {
  const [, kind, number] = /^(?:(user|project)-)?(\d+)$/.exec(id) ?? [];
  if (number === undefined) throw new HostRefused(404, 'This is no group of GitLab');
  if (kind === 'user') return { path: `/api/v4/users/${number}/projects`, query: {} };
  // A project token has access to no other projects.
  if (kind === 'project') return { path: '/api/v4/projects', query: { membership: true } };
  return { path: `/api/v4/groups/${number}/projects`, query: { include_subgroups: true, with_shared: false } };
}
