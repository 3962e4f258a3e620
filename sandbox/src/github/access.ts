import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessTo, includedRoles, type PersonWithAccess, peopleOfAccess } from '../git/access.ts';
import type { AccessRole, PlantedAccess } from '../git/model.ts';
import { freeUserId, stableId, type User } from '../git/users.ts';
import { fullName, type Host } from './host.ts';
import type { GithubAccount, HostedRepository } from './hosted-repository.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { accountJson, nodeId, timeText } from './responses/account.ts';
import { findRepository, requireInstallation } from './tokens.ts';

type Team = PlantedAccess['teams'][number];
type OfOrganization = { Params: { org: string } };

/** Collaborators, teams and deploy keys of repositories; members, teams and apps of organizations. */
export const accessRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Querystring: { affiliation?: string } }>('/repos/:owner/:repo/collaborators', async (request, reply) => {
    const repository = findRepository(host, request);
    const { affiliation = 'all' } = request.query;
    const routes: Readonly<Record<string, readonly string[]>> = { outside: ['outside'], direct: ['direct', 'outside'] };
    const found = peopleWithAccess(host, repository).filter(({ via }) => routes[affiliation]?.includes(via) ?? true);
    return paginate(request, reply, found).map(({ user, role }) => ({
      ...accountJson(host, user),
      permissions: permissionsJson(role),
      role_name: role,
    }));
  });
  server.get('/repos/:owner/:repo/teams', async (request, reply) => {
    const repository = findRepository(host, request);
    const { teams } = accessTo(repository.git, host.users);
    return paginate(request, reply, teams).map((team) => teamJson(host, repository, team));
  });
  server.get('/repos/:owner/:repo/keys', async (request, reply) => {
    const repository = findRepository(host, request);
    const { keys } = accessTo(repository.git, host.users);
    return paginate(request, reply, keys).map(({ id, title, isReadOnly, addedBy }) => ({
      id,
      key: `ssh-ed25519 ${Buffer.from(`key ${id}`).toString('base64')}`,
      url: `${host.api}/repos/${fullName(repository)}/keys/${id}`,
      title,
      verified: true,
      created_at: timeText(repository.git.startedAt),
      read_only: isReadOnly,
      added_by: addedBy,
      last_used: null,
      enabled: true,
    }));
  });
  server.get<OfOrganization & { Querystring: { role?: string } }>('/orgs/:org/members', async (request, reply) => {
    const found = repositoriesOfOrganization(host, request);
    const logins = found.flatMap(({ git }) => {
      const access = accessTo(git, host.users);
      const members = peopleOfAccess(access).filter(({ via }) => via !== 'outside');
      return request.query.role === 'admin' ? access.owners : members.map(({ login }) => login);
    });
    const users = [...new Set(logins.map((login) => accountNamed(host, login)))];
    return paginate(request, reply, users).map((user) => accountJson(host, user));
  });
  server.get<{ Params: { org: string; slug: string } }>('/orgs/:org/teams/:slug/members', async (request, reply) => {
    const found = repositoriesOfOrganization(host, request);
    const team = found
      .flatMap(({ git }) => accessTo(git, host.users).teams)
      .find(({ slug }) => slug === request.params.slug);
    if (team === undefined) throw notFound();
    const users = team.members.map((login) => accountNamed(host, login));
    return paginate(request, reply, users).map((user) => accountJson(host, user));
  });
  server.get<OfOrganization>('/orgs/:org/installations', async (request, reply) => {
    const found = repositoriesOfOrganization(host, request).flatMap(({ git }) => accessTo(git, host.users).apps);
    const apps = [...new Map(found.map((app) => [app.id, app])).values()];
    return {
      total_count: apps.length,
      installations: paginate(request, reply, apps).map(({ id, slug, permissions, hasAllRepositories }) => ({
        id: stableId(`installation:${request.params.org}:${id}`),
        app_id: id,
        app_slug: slug,
        target_type: 'Organization',
        repository_selection: hasAllRepositories ? 'all' : 'selected',
        permissions,
        suspended_at: null,
      })),
    };
  });
};

/** Every account with access to a repository. */
export const peopleWithAccess = (
  host: Host,
  { git }: HostedRepository,
): (Omit<PersonWithAccess, 'login'> & { user: User })[] =>
  peopleOfAccess(accessTo(git, host.users)).map(({ login, ...one }) => ({ ...one, user: accountNamed(host, login) }));

/** The account with a login, which is created if it does not exist. */
export const accountNamed = ({ users }: Host, login: string): User => {
  const known = users.byLogin.get(login.toLowerCase());
  const user = known ?? { id: freeUserId(users, login), login, name: login, type: 'User' as const, emails: [] };
  users.byLogin.set(login.toLowerCase(), user);
  return user;
};

/** The teams with access to any repository of an account. */
export const teamsOf = (host: Host, account: GithubAccount): Team[] =>
  host.repositories
    .filter(({ owner }) => owner.id === account.id)
    .flatMap(({ git }) => accessTo(git, host.users).teams);

export const teamJson = (host: Host, { owner }: HostedRepository, { slug, role }: Team) => {
  const id = stableId(`team:${owner.login}:${slug}`);
  return {
    id,
    node_id: nodeId('Team', id),
    url: `${host.api}/organizations/${owner.id}/team/${id}`,
    html_url: `${host.url}/orgs/${owner.login}/teams/${slug}`,
    name: slug,
    slug,
    description: '',
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: githubRoles[role],
    permissions: permissionsJson(role),
    members_url: `${host.api}/organizations/${owner.id}/team/${id}/members{/member}`,
    repositories_url: `${host.api}/organizations/${owner.id}/team/${id}/repos`,
    parent: null,
  };
};

const githubRoles = { read: 'pull', triage: 'triage', write: 'push', maintain: 'maintain', admin: 'admin' } as const;

const permissionsJson = (role: AccessRole) => {
  const included = new Set(includedRoles(role));
  return Object.fromEntries(Object.entries(githubRoles).map(([one, name]) => [name, included.has(one as AccessRole)]));
};

/** The repositories of the organization in a path. Throws 404 for one that the caller cannot see. */
const repositoriesOfOrganization = (host: Host, request: FastifyRequest): HostedRepository[] => {
  const { org } = request.params as { org: string };
  const { account } = requireInstallation(host, request).installation;
  if (account.type !== 'Organization' || account.login.toLowerCase() !== org.toLowerCase()) throw notFound();
  return host.repositories.filter(({ owner }) => owner.id === account.id);
};
