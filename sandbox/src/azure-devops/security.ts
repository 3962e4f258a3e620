import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessTo } from '../git/access.ts';
import type { AccessRole } from '../git/model.ts';
import { rulesAt } from '../git/planted.ts';
import { stableId, type User } from '../git/users.ts';
import { accountNamed } from '../github/access.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { administratorOf, callerOf } from './access.ts';
import { type AzureDevops, guidOf, projectIdOf, repositoryIdOf } from './collection.ts';
import { listJson } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { identityJson, uniqueNameOf, userIdOf } from './responses.ts';

const gitNamespace = '2e9eb7ed-3c0a-47d4-87c1-0ffdd275fd87';
const bit = { forcePush: 8, bypassWhenPushing: 128, bypassWhenCompleting: 32768 };
const everything = 65535 & ~bit.bypassWhenPushing & ~bit.bypassWhenCompleting;
const writing = 2 | 4 | 16 | 32 | 64 | 16384;
const roles: Readonly<Record<AccessRole, number>> = {
  read: 2,
  triage: 2 | 16384,
  write: writing,
  maintain: writing | 2048,
  admin: everything,
};

type IdentityGroup = { descriptor: string; name: string; members: string[] };
type ControlEntry = { descriptor: string; allow: number; deny?: number };
type ControlList = { token: string; entries: ControlEntry[] };

/** Permissions of Git repositories, and identities. */
export const securityRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  server.get('/_apis/securitynamespaces', async (request) => {
    callerOf(azureDevops, request, 'security');
    return listJson([{ namespaceId: gitNamespace, name: 'Git Repositories', separatorValue: '/' }]);
  });
  server.get<{ Params: { namespace: string }; Querystring: { token?: string } }>(
    '/_apis/accesscontrollists/:namespace',
    async (request) => {
      const { repositories } = administratorOf(azureDevops, request as FastifyRequest, 'security');
      if (request.params.namespace !== gitNamespace) throw notFound('The namespace');
      const found = repositories
        .flatMap((one) => listsOf(azureDevops, one))
        .filter(({ token }) => withoutSlash(token) === withoutSlash(request.query.token ?? ''));
      const entries = new Map(found.flatMap((one) => one.entries).map((entry) => [entry.descriptor, entry]));
      if (found.length === 0) return listJson([]);
      const acesDictionary = Object.fromEntries(
        [...entries].map(([descriptor, { allow, deny = 0 }]) => [descriptor, { descriptor, allow, deny }]),
      );
      return listJson([
        { inheritPermissions: true, token: found[0]?.token, acesDictionary, includeExtendedInfo: false },
      ]);
    },
  );
  server.get('/_apis/identities', async (request) => {
    const { repositories } = callerOf(azureDevops, request, 'identity');
    const query = request.query as Record<string, string | undefined>;
    const users = [...azureDevops.host.users.byLogin.values()];
    if (query.searchFilter !== undefined) {
      if (query.searchFilter !== 'MailAddress')
        throw refuse(400, 'ArgumentException', 'The filter is not supported here.');
      const found = azureDevops.host.users.byEmail.get((query.filterValue ?? '').toLowerCase());
      return listJson(found === undefined ? [] : [userJson(azureDevops, found)]);
    }
    if (query.identityIds !== undefined)
      return listJson(
        users.filter((one) => userIdOf(one) === query.identityIds).map((one) => userJson(azureDevops, one)),
      );
    const groups = repositories.flatMap((one) => groupsOf(azureDevops, one));
    const wanted = (query.descriptors ?? '').split(',');
    const isExpanded = query.queryMembership === 'Expanded' || query.queryMembership === 'Direct';
    return listJson(
      wanted.map((descriptor) => {
        const group = groups.find((one) => one.descriptor === descriptor);
        if (group !== undefined) return groupJson(group, isExpanded);
        const user = users.find((one) => descriptorOf(one) === descriptor);
        return user === undefined ? null : userJson(azureDevops, user);
      }),
    );
  });
};

const withoutSlash = (token: string): string => token.replace(/\/$/, '');

const descriptorOf = (user: User): string =>
  user.type === 'Bot'
    ? `Microsoft.TeamFoundation.ServiceIdentity;${guidOf('collection')}:Build:${userIdOf(user)}`
    : `Microsoft.IdentityModel.Claims.ClaimsIdentity;${guidOf('tenant')}\\${uniqueNameOf(user)}`;

const text = ($value: string) => ({ $type: 'System.String', $value });

const userJson = (azureDevops: AzureDevops, user: User) => ({
  id: userIdOf(user),
  descriptor: descriptorOf(user),
  subjectDescriptor: identityJson(azureDevops, user).descriptor,
  providerDisplayName: user.name,
  isActive: true,
  members: [],
  memberOf: [],
  properties: {
    SchemaClassName: text('User'),
    Account: text(uniqueNameOf(user)),
    Domain: text(guidOf('tenant')),
    Mail: text(user.emails[0] ?? ''),
  },
});

const groupJson = ({ descriptor, name, members }: IdentityGroup, isExpanded: boolean) => ({
  id: guidOf(`group:${descriptor}`),
  descriptor,
  subjectDescriptor: `vssgp.${Buffer.from(descriptor).toString('base64url')}`,
  providerDisplayName: name,
  isActive: true,
  isContainer: true,
  members: isExpanded ? members : [],
  memberOf: [],
  properties: { SchemaClassName: text('Group'), Account: text(name.slice(name.indexOf('\\') + 1)) },
});

const sid = (scope: string, name: string): string =>
  `Microsoft.TeamFoundation.Identity;S-1-9-1551374245-${stableId(scope)}-${name}`;

const collectionAdministrators = sid('collection', '0-0-0-0-1');
const collectionServices = sid('collection', '0-0-0-0-2');
const projectGroup = (repository: HostedRepository, name: string): string =>
  sid(projectIdOf(repository), name === 'Project Administrators' ? '0-0-0-0-1' : `1-${stableId(name)}`);

/** The groups of the project of a repository. Owners administer the collection. */
const groupsOf = (azureDevops: AzureDevops, repository: HostedRepository): IdentityGroup[] => {
  const { people, teams, owners } = accessTo(repository.git, azureDevops.host.users);
  const descriptors = (logins: readonly string[]) =>
    logins.map((login) => descriptorOf(accountNamed(azureDevops.host, login)));
  const project = repository.owner.login;
  const ofOrganization = people.filter(({ via }) => via === 'organization').map(({ login }) => login);
  return [
    {
      descriptor: collectionAdministrators,
      name: '[collection]\\Project Collection Administrators',
      members: descriptors(owners),
    },
    {
      descriptor: projectGroup(repository, 'Project Administrators'),
      name: `[${project}]\\Project Administrators`,
      members: [],
    },
    {
      descriptor: projectGroup(repository, 'Contributors'),
      name: `[${project}]\\Contributors`,
      members: descriptors(ofOrganization),
    },
    ...teams.map(({ slug, members }) => ({
      descriptor: projectGroup(repository, slug),
      name: `[${project}]\\${slug}`,
      members: descriptors(members),
    })),
  ];
};

/** The lists of permissions from the collection down to the default branch and the tags. */
const listsOf = (azureDevops: AzureDevops, repository: HostedRepository): ControlList[] => {
  const { git } = repository;
  const { people, teams } = accessTo(git, azureDevops.host.users);
  const [project, root] = [
    `repoV2/${projectIdOf(repository)}`,
    `repoV2/${projectIdOf(repository)}/${repositoryIdOf(repository)}`,
  ];
  const administrators = projectGroup(repository, 'Project Administrators');
  const contributors = projectGroup(repository, 'Contributors');
  const direct = people.filter(({ via }) => via !== 'organization');
  const segments = git.defaultBranch.split('/').map((name) => Buffer.from(name, 'utf16le').toString('hex'));
  const tagEntries = [collectionAdministrators, administrators].map((descriptor) => ({
    descriptor,
    allow: 0,
    deny: bit.forcePush,
  }));
  return [
    {
      token: 'repoV2',
      entries: [
        { descriptor: collectionAdministrators, allow: everything },
        { descriptor: collectionServices, allow: 65535 },
      ],
    },
    {
      token: project,
      entries: [
        { descriptor: administrators, allow: everything },
        { descriptor: contributors, allow: writing },
      ],
    },
    {
      token: root,
      entries: [
        ...direct.map(({ login, role }) => ({
          descriptor: descriptorOf(accountNamed(azureDevops.host, login)),
          allow: roles[role],
        })),
        ...teams.map(({ slug, role }) => ({ descriptor: projectGroup(repository, slug), allow: roles[role] })),
      ],
    },
    // The vendor documents tokens of refs with a slash at their end.
    { token: `${root}/refs/heads/${segments.join('/')}/`, entries: branchEntries(azureDevops, repository) },
    { token: `${root}/refs/tags/`, entries: git.planted.protectsTags ? tagEntries : [] },
  ].filter(({ entries }) => entries.length > 0);
};

/** Who may bypass the policies of the default branch. */
const branchEntries = (azureDevops: AzureDevops, repository: HostedRepository): ControlEntry[] => {
  const { git } = repository;
  const rules = rulesAt(git.planted.protections, git.defaultBranch, Date.now());
  if (rules === null) return [];
  const bypass = bit.bypassWhenPushing | bit.bypassWhenCompleting;
  return [
    ...(rules.includesAdmins
      ? []
      : [{ descriptor: projectGroup(repository, 'Project Administrators'), allow: bit.bypassWhenCompleting }]),
    ...(rules.allowsForcePush
      ? [{ descriptor: projectGroup(repository, 'Contributors'), allow: bit.bypassWhenPushing | bit.forcePush }]
      : []),
    ...(rules.bypassUsers ?? []).map((login) => ({
      descriptor: descriptorOf(accountNamed(azureDevops.host, login)),
      allow: bypass,
    })),
    ...(rules.bypassTeams ?? []).map((slug) => ({ descriptor: projectGroup(repository, slug), allow: bypass })),
  ];
};
