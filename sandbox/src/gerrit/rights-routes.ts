import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { accessTo, type PersonWithAccess } from '../git/access.ts';
import type { AccessRole, Rules } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import { accountNamed } from '../github/access.ts';
import { fullName } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf, findOwned, sendJson } from './access.ts';
import type { Gerrit } from './instance.ts';
import { labelOf } from './messages.ts';
import { notFound, refuse } from './refusal.ts';
import { accountJson } from './responses.ts';

type AccessGroup = { name: string; members: readonly string[] };

const groupId = ({ owner, name }: HostedRepository, group: string): string =>
  createHash('sha1').update(`gerrit-group:${owner.login}/${name}/${group}`).digest('hex');

/** Labels, submit requirements, access rights and groups. Access belongs to groups only. */
export const rightsRoutes = (server: FastifyInstance, gerrit: Gerrit): void => {
  server.get('/projects/:project/labels/', async (request, reply) => {
    const rules = rulesOf(findOwned(gerrit, request));
    return sendJson(reply, [
      {
        name: 'Code-Review',
        project_name: 'All-Projects',
        function: 'NoBlock',
        values: {
          '-2': 'This shall not be submitted',
          '-1': '',
          ' 0': 'No score',
          '+1': '',
          '+2': 'Looks good to me, approved',
        },
        default_value: 0,
        can_override: true,
        copy_condition:
          rules === null || !rules.dismissesStale
            ? 'is:ANY'
            : 'changekind:NO_CHANGE OR changekind:TRIVIAL_REBASE OR is:MIN',
      },
      ...(rules?.requiredChecks ?? []).map((name) => ({
        name: labelOf(name),
        project_name: 'All-Projects',
        function: 'NoBlock',
        values: { '-1': 'Fails', ' 0': 'No score', '+1': 'Verified' },
        default_value: 0,
      })),
    ]);
  });
  server.get('/projects/:project/submit_requirements/', async (request, reply) => {
    const rules = rulesOf(findOwned(gerrit, request));
    const reviews = rules?.requiredReviews ?? 0;
    const requirement = (name: string, expression: string) => ({
      name,
      submittability_expression: expression,
      allow_override_in_child_projects: true,
    });
    return sendJson(reply, [
      ...(reviews > 0
        ? [requirement('Code-Review', `label:Code-Review=MAX,count>=${reviews} AND -label:Code-Review=MIN`)]
        : []),
      ...(rules?.requiredChecks ?? []).map((name) => requirement(labelOf(name), `label:${labelOf(name)}=MAX`)),
    ]);
  });
  server.get<{ Params: { project: string } }>('/projects/:project/access', async (request, reply) => {
    if (request.params.project === 'All-Projects') {
      callerOf(gerrit, request);
      if (!gerrit.areOwners) throw refuse(403, 'not permitted');
      return sendJson(reply, allProjects);
    }
    return sendJson(reply, accessJson(gerrit, findOwned(gerrit, request)));
  });
  server.get<{ Params: { id: string } }>('/groups/:id/members/', async (request, reply) => {
    const { repositories } = callerOf(gerrit, request);
    const { id } = request.params;
    const found = repositories
      .flatMap((one) => groupsOf(gerrit, one).map((group) => ({ id: groupId(one, group.name), group })))
      .find((one) => one.id === id);
    if (found === undefined) throw notFound(id);
    return sendJson(
      reply,
      found.group.members.map((login) => {
        const user = gerrit.host.users.byLogin.get(login.toLowerCase());
        return accountJson(user ?? accountNamed(gerrit.host, login));
      }),
    );
  });
};

const allow = { action: 'ALLOW', force: false };

/** What every project inherits: everyone reads and uploads for review. */
const allProjects = {
  revision: '0'.repeat(40),
  local: {
    'refs/*': { permissions: { read: { rules: { 'global:Registered-Users': allow } } } },
    'refs/for/refs/*': { permissions: { push: { rules: { 'global:Registered-Users': allow } } } },
    'refs/heads/*': {
      permissions: {
        'label-Code-Review': {
          label: 'Code-Review',
          rules: { 'global:Registered-Users': { ...allow, min: -1, max: 1 } },
        },
      },
    },
  },
  is_owner: true,
  config_visible: true,
  groups: { 'global:Registered-Users': { name: 'Registered Users' } },
};

const rulesOf = ({ git }: HostedRepository): Rules | null =>
  rulesAt(git.planted.protections, git.defaultBranch, Date.now());

const roles: readonly AccessRole[] = ['read', 'triage', 'write', 'maintain', 'admin'];

/** A group for each role, each planted team, and everyone who bypasses reviews. */
const groupsOf = ({ host }: Gerrit, repository: HostedRepository): (AccessGroup & { role: AccessRole })[] => {
  const { people, teams, owners } = accessTo(repository.git, host.users);
  const named = (role: AccessRole): PersonWithAccess[] => people.filter((one) => one.role === role);
  const { bypassUsers = [] } = rulesOf(repository) ?? {};
  const groups: (AccessGroup & { role: AccessRole })[] = [
    { name: 'Administrators', role: 'admin', members: owners },
    ...roles.map((role) => ({ name: `People ${role}`, role, members: named(role).map(({ login }) => login) })),
    ...teams.map(({ slug, role, members }) => ({ name: slug, role, members })),
    { name: 'Bypass', role: 'write', members: bypassUsers },
  ];
  return groups.filter(({ name, members }) => members.length > 0 || name === 'Administrators');
};

/** `ProjectAccessInfo`. Without protection, everyone who submits pushes to the branch too. */
const accessJson = (gerrit: Gerrit, repository: HostedRepository) => {
  const rules = rulesOf(repository);
  const groups = groupsOf(gerrit, repository);
  const of = (...wanted: AccessRole[]) => groups.filter(({ role, name }) => wanted.includes(role) && name !== 'Bypass');
  const rulesFor = (some: readonly AccessGroup[], force = false) =>
    Object.fromEntries(some.map(({ name }) => [groupId(repository, name), { action: 'ALLOW', force }]));
  const writers = of('write', 'maintain', 'admin');
  const admins = of('admin');
  const bypass = groups.filter(({ name }) => name === 'Bypass' || rules?.bypassTeams?.includes(name));
  const pushers = rules === null ? writers : [...bypass, ...(rules.includesAdmins ? [] : admins)];
  const forced = rules === null || rules.allowsForcePush ? (pushers.length > 0 ? pushers : admins) : [];
  const push = { ...rulesFor(pushers), ...rulesFor(forced, true) };
  const permission = (some: Record<string, object>) => ({ rules: some });
  return {
    revision: '0'.repeat(40),
    inherits_from: { id: 'All-Projects', name: 'All-Projects', state: 'ACTIVE' },
    local: {
      'refs/*': { permissions: { owner: permission(rulesFor(admins)), read: permission(rulesFor(of('read'))) } },
      'refs/heads/*': {
        permissions: {
          submit: permission(rulesFor(writers)),
          'label-Code-Review': {
            label: 'Code-Review',
            ...permission(rulesFor(of('triage', 'write', 'maintain', 'admin'))),
          },
          push: permission(push),
          ...((rules === null || rules.allowsDeletion) && { delete: permission(rulesFor(admins)) }),
        },
      },
      ...(!repository.git.planted.protectsTags && {
        'refs/tags/*': { permissions: { push: permission(rulesFor(writers, true)) } },
      }),
    },
    is_owner: true,
    owner_of: ['refs/*'],
    can_upload: true,
    can_add: true,
    config_visible: true,
    groups: Object.fromEntries(
      groups.map(({ name }) => [groupId(repository, name), { name, id: groupId(repository, name) }]),
    ),
    configWebLinks: [],
    name: fullName(repository),
  };
};
