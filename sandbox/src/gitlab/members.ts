import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessTo, type PersonWithAccess, peopleOfAccess } from '../git/access.ts';
import type { AccessRole } from '../git/model.ts';
import { stableId } from '../git/users.ts';
import { accountNamed } from '../github/access.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findProject } from './access.ts';
import type { GitlabInstance } from './instance.ts';
import { paginate } from './paging.ts';
import { refuse } from './refusal.ts';
import { userJson } from './responses.ts';

const levels: Readonly<Record<AccessRole, number>> = { read: 10, triage: 20, write: 30, maintain: 40, admin: 50 };

/** Members, deploy keys and deploy tokens of projects. Only maintainers may read keys and tokens. */
export const memberRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  const access = ({ git }: HostedRepository) => accessTo(git, instance.host.users);
  const memberJson = ({ login, role }: PersonWithAccess) => ({
    ...userJson(instance, accountNamed(instance.host, login)),
    access_level: levels[role],
    membership_state: 'active',
    expires_at: null,
  });
  const asMaintainer = (request: FastifyRequest): HostedRepository => {
    const repository = findProject(instance, request);
    if (!instance.areMaintainers) throw refuse(403, '403 Forbidden');
    return repository;
  };
  server.get('/projects/:id/members/all', async (request, reply) => {
    const people = peopleOfAccess(access(findProject(instance, request)));
    return paginate(request, reply, people).map(memberJson);
  });
  server.get('/projects/:id/members', async (request, reply) => {
    const people = access(findProject(instance, request)).people.filter(({ via }) => via !== 'organization');
    return paginate(request, reply, people).map(memberJson);
  });
  server.get('/projects/:id/deploy_keys', async (request, reply) => {
    const { keys } = access(asMaintainer(request));
    return paginate(request, reply, keys).map(({ id, title, isReadOnly }) => ({
      id,
      title,
      key: `ssh-ed25519 ${Buffer.from(`key ${id}`).toString('base64')}`,
      created_at: '2020-01-01T00:00:00.000Z',
      expires_at: null,
      can_push: !isReadOnly,
    }));
  });
  server.get('/projects/:id/deploy_tokens', async (request, reply) => {
    const { apps } = access(asMaintainer(request));
    return paginate(request, reply, apps).map(({ id, slug }) => ({
      id,
      name: slug,
      username: `gitlab+deploy-token-${id}`,
      expires_at: null,
      scopes: ['read_repository'],
      revoked: false,
      expired: false,
    }));
  });
};

/** The groups that a project is shared with, as in the project. */
export const sharedGroupsJson = (instance: GitlabInstance, { git, owner }: HostedRepository) =>
  accessTo(git, instance.host.users).teams.map(({ slug, role }) => ({
    group_id: stableId(`group:${owner.login}/${slug}`),
    group_name: slug,
    group_full_path: `${owner.login}/${slug}`,
    group_access_level: levels[role],
    expires_at: null,
  }));
