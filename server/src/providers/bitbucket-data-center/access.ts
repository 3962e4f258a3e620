import type { AccessRoute, HostPermission } from '@sightline/contract/sources/host-access.ts';
import { z } from 'zod';
import { partState, readPart } from '#providers/access-parts.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import type { HostRef, HostUser } from '../host-facts.ts';
import { readEveryItem } from './paging.ts';
import { partPath, repositoryPath } from './paths.ts';
import { readRestrictions } from './protection.ts';
import { bypassOf } from './protection-shapes.ts';
import { hostId, idAt, instanceOf, maybeUser } from './shapes.ts';
import type { DataCenterApi } from './transport.ts';

const permittedUser = z.looseObject({ user: maybeUser });
const permittedGroup = z.looseObject({ group: z.looseObject({ name: z.string() }), permission: z.string() });
const accessKey = z.looseObject({
  key: z.looseObject({ id: hostId, label: z.string().nullish() }),
  permission: z.string(),
});
const accessToken = z.looseObject({
  id: z.coerce.string(),
  name: z.string().default(''),
  permissions: z.array(z.string()).default([]),
});

/** `REPO_WRITE`, `PROJECT_ADMIN`; undefined for permissions without access to code. */
const permissionFrom = (name: string): HostPermission | undefined => {
  const [, level] = /^(?:REPO|PROJECT)_(READ|WRITE|ADMIN)$/.exec(name) ?? [];
  return level === 'ADMIN' ? 'admin' : level === 'WRITE' ? 'write' : level === 'READ' ? 'read' : undefined;
};

const levels: readonly HostPermission[] = ['read', 'write', 'admin'];
const highest = (names: readonly string[]): HostPermission | undefined =>
  levels.findLast((level) => names.some((name) => permissionFrom(name) === level));

/** Returns the reader of everything with access to a repository. IDs contain the instance, as they are unique there only. */
export function createAccess(
  api: DataCenterApi,
  baseURL: string,
): (ref: HostRef, branch: string) => Promise<HostAccess> {
  const instance = instanceOf(baseURL);
  return async (ref, branch) => {
    const owners = await readPart(() => readAdministrators(api));
    const people = await readPart(() => readPeople(api, ref));
    const groups = await readPart(() => readGroups(api, ref));
    const keys = await readPart(async () =>
      (await readEveryItem(api, `${partPath('keys', ref)}/ssh`, { effective: true })).map((json) =>
        accessKey.parse(json),
      ),
    );
    const tokens = await readPart(() => readTokens(api, ref));
    const bypass = await readPart(async () => bypassOf(await readRestrictions(api, ref, branch)));
    const members = new Map<string, ReadonlySet<string>>();
    for (const group of bypass?.groups ?? []) {
      const found = await readPart(() => readMembers(api, group));
      if (found) members.set(group, found);
    }
    const may = (level: HostPermission, bypasses: boolean | null | undefined): boolean | null =>
      level === 'read' ? false : (bypasses ?? null);
    const holders: HostAccessHolder[] = [
      ...(people ?? []).map(
        ({ user, permission, isDirect }): HostAccessHolder => ({
          kind: 'person',
          id: idAt(instance, user.hostId ?? user.login),
          name: user.login,
          user,
          permission,
          routes: routesOf(user, isDirect, owners),
          canBypass: may(
            permission,
            bypass?.byPerson(user.login, (group) => members.get(group)),
          ),
        }),
      ),
      ...(groups ?? []).map(
        ({ name, permission }): HostAccessHolder => ({
          kind: 'team',
          id: idAt(instance, name),
          name,
          user: null,
          permission,
          routes: ['organization'],
          canBypass: may(permission, bypass?.byGroup(name)),
        }),
      ),
      ...(keys ?? []).map(({ key, permission: name }): HostAccessHolder => {
        const permission = permissionFrom(name) ?? 'read';
        return {
          kind: 'key',
          id: idAt(instance, key.id),
          name: key.label ?? '',
          user: null,
          permission,
          routes: ['direct'],
          canBypass: may(permission, bypass?.byKey(key.id)),
        };
      }),
      ...(tokens ?? []).map(
        ({ id, name, permission }): HostAccessHolder => ({
          kind: 'app',
          id: idAt(instance, id),
          name,
          user: null,
          permission,
          routes: ['direct'],
          // Exemptions name accounts, groups and keys, and not tokens.
          canBypass: may(
            permission,
            bypass?.byPerson('', () => new Set()),
          ),
        }),
      ),
    ];
    const parts = {
      people: partState(people),
      teams: partState(groups),
      keys: partState(keys),
      apps: partState(tokens),
      owners: partState(owners),
      bypass: partState(bypass),
    } as const;
    return { parts, holders };
  };
}

function routesOf({ login }: HostUser, isDirect: boolean, owners: ReadonlySet<string> | undefined): AccessRoute[] {
  const routes: AccessRoute[] = [
    ...(owners?.has(login) ? (['owner'] as const) : []),
    ...(isDirect ? (['direct'] as const) : []),
  ];
  return routes.length > 0 ? routes : ['organization'];
}

/** The accounts that may administer the instance, and so every repository. */
async function readAdministrators(api: DataCenterApi): Promise<ReadonlySet<string>> {
  const found = await readEveryItem(api, '/api/latest/users', { permission: 'ADMIN' });
  return new Set(found.flatMap((json) => maybeUser.parse(json)?.login ?? []));
}

/**
 * The accounts with access in effect: by name, by a group, by a default of the project or as an administrator of the
 * instance. `isDirect`: named in the repository or its project.
 */
async function readPeople(api: DataCenterApi, ref: HostRef) {
  const direct = new Set<string>();
  for (const path of [repositoryPath(ref), `/api/latest/projects/${encodeURIComponent(ref.owner)}`]) {
    const named = await readPart(() => readEveryItem(api, `${path}/permissions/users`));
    // A token of a repository may not read those of its project: then it names fewer accounts as direct.
    for (const json of named ?? []) direct.add(permittedUser.parse(json).user?.login ?? '');
  }
  const found = new Map<string, { user: HostUser; permission: HostPermission; isDirect: boolean }>();
  for (const permission of levels) {
    const query = {
      'permission.1': `REPO_${permission.toUpperCase()}`,
      'permission.1.projectKey': ref.owner,
      'permission.1.repositorySlug': ref.name,
    };
    for (const json of await readEveryItem(api, '/api/latest/users', query)) {
      const user = maybeUser.parse(json);
      if (user) found.set(user.login, { user, permission, isDirect: direct.has(user.login) });
    }
  }
  return [...found.values()];
}

/** The groups with access to a repository or its project, with their highest permission. */
async function readGroups(api: DataCenterApi, ref: HostRef) {
  const found = new Map<string, string[]>();
  for (const path of [repositoryPath(ref), `/api/latest/projects/${encodeURIComponent(ref.owner)}`]) {
    for (const json of await readEveryItem(api, `${path}/permissions/groups`)) {
      const { group, permission } = permittedGroup.parse(json);
      found.set(group.name, [...(found.get(group.name) ?? []), permission]);
    }
  }
  return [...found].flatMap(([name, names]) => {
    const permission = highest(names);
    return permission ? [{ name, permission }] : [];
  });
}

/** The tokens of a repository and its project, which belong to no account. */
async function readTokens(api: DataCenterApi, ref: HostRef) {
  const project = `/access-tokens/latest/projects/${encodeURIComponent(ref.owner)}`;
  const listed = [
    ...(await readEveryItem(api, `${partPath('access-tokens', ref)}`)),
    ...(await readEveryItem(api, project)),
  ];
  return listed.flatMap((json) => {
    const { id, name, permissions } = accessToken.parse(json);
    // A version that does not list permissions.
    const permission = permissions.length === 0 ? 'admin' : highest(permissions);
    return permission ? [{ id, name, permission }] : [];
  });
}

/** The members of a group. */
async function readMembers(api: DataCenterApi, group: string): Promise<ReadonlySet<string>> {
  const found = await readEveryItem(api, '/api/latest/admin/groups/more-members', { context: group });
  return new Set(found.flatMap((json) => maybeUser.parse(json)?.login ?? []));
}
