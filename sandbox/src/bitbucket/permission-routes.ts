import type { FastifyInstance } from 'fastify';
import { accessTo, type PersonWithAccess, peopleOfAccess } from '../git/access.ts';
import type { AccessRole } from '../git/model.ts';
import { accountNamed } from '../github/access.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { accessOf, findRepository, repositoriesIn } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { timeText, userJson } from './responses/account.ts';

const permissions: Readonly<Record<AccessRole, string>> = {
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
};

type OfWorkspace = { Params: { workspace: string } };

/** Permissions of accounts and groups on repositories, owners of workspaces, and deploy keys. */
export const permissionRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const access = ({ git }: HostedRepository) => accessTo(git, bitbucket.host.users);
  const permissionJson = ({ login, role }: PersonWithAccess) => ({
    type: 'repository_permission',
    permission: permissions[role],
    user: userJson(bitbucket, accountNamed(bitbucket.host, login)),
  });
  const root = '/repositories/:workspace/:slug';
  server.get(`${root}/permissions-config/users`, async (request) => {
    const { people } = access(findRepository(bitbucket, request, 'repository:admin'));
    const items = people.filter(({ via }) => via !== 'organization');
    return paginate(bitbucket, { request, items, toJson: permissionJson });
  });
  server.get(`${root}/permissions-config/groups`, async (request) => {
    const { teams } = access(findRepository(bitbucket, request, 'repository:admin'));
    const toJson = ({ slug, role }: (typeof teams)[number]) => ({
      type: 'repository_group_permission',
      permission: permissions[role],
      group: { type: 'group', name: slug, slug },
    });
    return paginate(bitbucket, { request, items: teams, toJson });
  });
  server.get(`${root}/deploy-keys`, async (request) => {
    const repository = findRepository(bitbucket, request, 'repository:admin');
    const { keys } = access(repository);
    const toJson = ({ id, title }: (typeof keys)[number]) => ({
      type: 'deploy_key',
      id,
      key: `ssh-ed25519 ${Buffer.from(`key ${id}`).toString('base64')}`,
      label: title,
      comment: '',
      added_on: timeText(repository.git.startedAt),
      last_used: null,
    });
    return paginate(bitbucket, { request, items: keys, toJson });
  });
  server.get('/workspaces/:workspace/permissions/repositories/:slug', async (request) => {
    const items = peopleOfAccess(access(findRepository(bitbucket, request, 'repository:admin')));
    return paginate(bitbucket, { request, items, toJson: permissionJson });
  });
  server.get<OfWorkspace>('/workspaces/:workspace/permissions', async (request) => {
    const { token } = accessOf(bitbucket, request, 'account');
    const found = repositoriesIn(bitbucket, token, request.params.workspace);
    if (found.length === 0) throw notFound(`Workspace ${request.params.workspace}`);
    const items = [...new Set(found.flatMap((repository) => access(repository).owners))];
    const toJson = (login: string) => ({
      type: 'workspace_membership',
      permission: 'owner',
      user: userJson(bitbucket, accountNamed(bitbucket.host, login)),
    });
    return paginate(bitbucket, { request, items, toJson });
  });
};
