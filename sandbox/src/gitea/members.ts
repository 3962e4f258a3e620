import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessTo } from '../git/access.ts';
import type { AccessRole, PlantedAccess } from '../git/model.ts';
import { stableId } from '../git/users.ts';
import { accountNamed } from '../github/access.ts';
import { accountsOf } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf, findAdministered, findRepository } from './access.ts';
import type { Gitea } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { organizationJson, timeText, userJson } from './responses.ts';

/** Neither product has the roles between these. */
const permissions: Readonly<Record<AccessRole, string>> = {
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'admin',
  admin: 'admin',
};

type Team = { name: string; permission: string; members: readonly string[] };

/** Collaborators, teams and deploy keys of repositories. */
export const memberRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  const { host } = gitea;
  server.get('/repos/:owner/:repo/collaborators', async (request, reply) => {
    const found = named(accessTo(findRepository(gitea, request).git, host.users));
    return paginate(gitea, request, reply, found).map(({ login }) => userJson(gitea, accountNamed(host, login)));
  });
  server.get<{ Params: { login: string } }>('/repos/:owner/:repo/collaborators/:login/permission', async (request) => {
    const { login } = request.params;
    const access = accessTo(findRepository(gitea, request as FastifyRequest).git, host.users);
    const one = named(access).find((person) => person.login.toLowerCase() === login.toLowerCase());
    const permission = one === undefined ? 'none' : permissions[one.role];
    return { permission, role_name: permission, user: userJson(gitea, accountNamed(host, login)) };
  });
  server.get('/repos/:owner/:repo/teams', async (request, reply) => {
    const repository = findRepository(gitea, request);
    if (repository.owner.type !== 'Organization') throw refuse(405, 'repo is not owned by an organization');
    return paginate(gitea, request, reply, teamsOf(gitea, repository)).map((team) => teamJson(gitea, repository, team));
  });
  server.get<{ Params: { id: string } }>('/teams/:id/members', async (request, reply) => {
    const { repositories } = callerOf(gitea, request, 'read:organization');
    const all = repositories.flatMap((one) => teamsOf(gitea, one).map((team) => ({ id: teamId(one, team), team })));
    const found = all.find(({ id }) => String(id) === request.params.id);
    if (found === undefined) throw notFound();
    return paginate(gitea, request, reply, [...found.team.members]).map((login) =>
      userJson(gitea, accountNamed(host, login)),
    );
  });
  server.get('/repos/:owner/:repo/keys', async (request, reply) => {
    const { git } = findAdministered(gitea, request);
    return paginate(gitea, request, reply, accessTo(git, host.users).keys).map(({ id, title, isReadOnly }) => ({
      id,
      key_id: id,
      key: `ssh-ed25519 ${Buffer.from(`key ${id}`).toString('base64')}`,
      url: '',
      title,
      fingerprint: '',
      created_at: timeText(git.startedAt),
      read_only: isReadOnly,
    }));
  });
};

/** Who has access by name: those of the organization have it by a team. */
const named = ({ people }: PlantedAccess) => people.filter(({ via }) => via !== 'organization');

/** The teams of a repository. Owners are a team, and so are people with access by the organization, by permission. */
const teamsOf = ({ host }: Gitea, { git }: HostedRepository): Team[] => {
  const { people, teams, owners } = accessTo(git, host.users);
  const byOrganization = people.filter(({ via }) => via === 'organization');
  const others = [...new Set(byOrganization.map(({ role }) => role))].map((role) => ({
    name: `everyone-${role}`,
    permission: permissions[role],
    members: byOrganization.filter((one) => one.role === role).map(({ login }) => login),
  }));
  return [
    { name: 'Owners', permission: 'owner', members: owners },
    ...teams.map(({ slug, role, members }) => ({ name: slug, permission: permissions[role], members })),
    ...others,
  ];
};

const teamId = ({ owner }: HostedRepository, { name }: Team): number => stableId(`gitea-team:${owner.login}/${name}`);

const teamJson = (gitea: Gitea, repository: HostedRepository, team: Team) => {
  const account = accountsOf(gitea.host).find(({ id }) => id === repository.owner.id);
  const { name, permission } = team;
  return {
    id: teamId(repository, team),
    name,
    description: '',
    organization: account === undefined ? null : organizationJson(gitea, account),
    includes_all_repositories: permission === 'owner',
    permission,
    units: ['repo.code', 'repo.pulls'],
    units_map: { 'repo.code': permission, 'repo.pulls': permission },
    can_create_org_repo: permission === 'owner',
  };
};
