import type { FastifyInstance } from 'fastify';
import { accessTo, peopleOfAccess } from '../git/access.ts';
import type { AccessRole, PlantedAccess } from '../git/model.ts';
import { accountNamed } from '../github/access.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf, findAdministered } from './access.ts';
import { type DataCenter, projectKeyOf, slugOf } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound, refuse, unauthorized } from './refusal.ts';
import { projectJson, repositoryJson, userJson } from './responses.ts';

const levels = ['READ', 'WRITE', 'ADMIN'] as const;
type Level = (typeof levels)[number];

/** The vendor has no roles between these. */
const permissions: Readonly<Record<AccessRole, Level>> = {
  read: 'READ',
  triage: 'READ',
  write: 'WRITE',
  maintain: 'WRITE',
  admin: 'ADMIN',
};

type Users = { Querystring: Record<string, string | undefined> };
type OfProject = { Params: { key: string } };

/** Users, permissions of users and groups, members of groups, access keys and tokens. */
export const memberRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  const { host } = dataCenter;
  const shown = (logins: readonly string[]) => logins.map((login) => userJson(dataCenter, accountNamed(host, login)));
  const accessOf = (repository: HostedRepository): PlantedAccess => accessTo(repository.git, host.users);

  server.get<Users>('/api/latest/users', async (request) => {
    const { repositories } = callerOf(dataCenter, request);
    const {
      permission,
      'permission.1': first,
      'permission.1.projectKey': key,
      'permission.1.repositorySlug': slug,
    } = request.query;
    if (permission !== undefined) {
      const owners = permission === 'ADMIN' ? repositories.flatMap((one) => accessOf(one).owners) : [];
      return paginate(dataCenter, request, shown([...new Set(owners)]));
    }
    const [, level] = /^REPO_(READ|WRITE|ADMIN)$/.exec(first ?? '') ?? [];
    if (level === undefined) throw refuse(400, `Invalid permission ${first}`, 'ArgumentValidationException');
    const repository = repositories.find((one) => projectKeyOf(one.owner) === key && slugOf(one) === slug);
    if (repository === undefined) throw refuse(400, 'No such repository', 'ArgumentValidationException');
    const least = levels.indexOf(level as Level);
    const found = peopleOfAccess(accessOf(repository)).filter(({ role }) => levels.indexOf(permissions[role]) >= least);
    return paginate(dataCenter, request, shown(found.map(({ login }) => login)));
  });
  server.get('/api/latest/projects/:key/repos/:slug/permissions/users', async (request) => {
    const named = accessOf(findAdministered(dataCenter, request)).people.filter(({ via }) => via !== 'organization');
    const found = named.map(({ login, role }) => ({
      user: userJson(dataCenter, accountNamed(host, login)),
      permission: `REPO_${permissions[role]}`,
    }));
    return paginate(dataCenter, request, found);
  });
  server.get('/api/latest/projects/:key/repos/:slug/permissions/groups', async (request) => {
    const { teams } = accessOf(findAdministered(dataCenter, request));
    const found = teams.map(({ slug, role }) => ({ group: { name: slug }, permission: `REPO_${permissions[role]}` }));
    return paginate(dataCenter, request, found);
  });
  server.get<OfProject>('/api/latest/projects/:key/permissions/users', async (request) => {
    findProject(dataCenter, request);
    return paginate(dataCenter, request, []);
  });
  server.get<OfProject>('/api/latest/projects/:key/permissions/groups', async (request) => {
    const roles = new Set(
      findProject(dataCenter, request).flatMap((one) => byProject(accessOf(one)).map(({ role }) => role)),
    );
    const found = [...roles].map((role) => ({
      group: { name: `everyone-${role}` },
      permission: `PROJECT_${permissions[role]}`,
    }));
    return paginate(dataCenter, request, found);
  });
  server.get<Users>('/api/latest/admin/groups/more-members', async (request) => {
    const { repositories } = callerOf(dataCenter, request);
    const { context } = request.query;
    const members = repositories.flatMap((one) => [
      ...accessOf(one)
        .teams.filter(({ slug }) => slug === context)
        .flatMap((team) => team.members),
      ...byProject(accessOf(one))
        .filter(({ role }) => `everyone-${role}` === context)
        .map(({ login }) => login),
    ]);
    return paginate(dataCenter, request, shown([...new Set(members)]));
  });
  server.get('/keys/latest/projects/:key/repos/:slug/ssh', async (request) => {
    const repository = findAdministered(dataCenter, request);
    const found = accessOf(repository).keys.map(({ id, title, isReadOnly }) => ({
      key: { id, text: `ssh-ed25519 ${Buffer.from(`key ${id}`).toString('base64')}`, label: title },
      repository: repositoryJson(dataCenter, repository),
      permission: isReadOnly ? 'REPO_READ' : 'REPO_WRITE',
    }));
    return paginate(dataCenter, request, found);
  });
  server.get('/access-tokens/latest/projects/:key/repos/:slug', async (request) => {
    const { apps } = accessOf(findAdministered(dataCenter, request));
    const found = apps.map(({ id, slug, permissions: granted }) => ({
      id: String(id),
      createdDate: 0,
      name: slug,
      permissions: [granted.contents === 'write' ? 'REPO_WRITE' : 'REPO_READ'],
    }));
    return paginate(dataCenter, request, found);
  });
  server.get<OfProject>('/access-tokens/latest/projects/:key', async (request) => {
    findProject(dataCenter, request);
    return paginate(dataCenter, request, []);
  });
};

/** Those with access by the project, who are in a group. */
const byProject = ({ people }: PlantedAccess) => people.filter(({ via }) => via === 'organization');

/** The repositories of a project that the caller may administer. */
const findProject = (dataCenter: DataCenter, request: Parameters<typeof callerOf>[1]): HostedRepository[] => {
  const { repositories, permission } = callerOf(dataCenter, request);
  const { key } = request.params as { key: string };
  const found = repositories.filter(
    ({ owner }) => projectJson(dataCenter, owner).key.toLowerCase() === key.toLowerCase(),
  );
  if (found.length === 0) throw notFound(`Project ${key} does not exist.`);
  if (!dataCenter.areAdministrators || permission !== 'REPO_ADMIN') throw unauthorized();
  return found;
};
