import type { AccessRoute, HostPermission } from '@sightline/contract/sources/host-access.ts';
import { z } from 'zod';
import { partState, readPart } from '#providers/access-parts.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import type { HostRef, HostUser } from '../host-facts.ts';
import { readEveryItem } from './paging.ts';
import { readRule } from './protection.ts';
import { bypassOf } from './protection-shapes.ts';
import { repositoryPath } from './reads.ts';
import { hostId, idAt, instanceOf, user } from './shapes.ts';
import type { GiteaApi } from './transport.ts';

const permission = z.looseObject({ permission: z.string() });
const team = z.looseObject({
  id: hostId,
  name: z.string(),
  permission: z.string().nullish(),
  units_map: z.record(z.string(), z.string()).nullish(),
});
const key = z.looseObject({ id: hostId, title: z.string().default(''), read_only: z.boolean().default(true) });
const repositoryOwner = z.looseObject({ owner: z.unknown() });

const levels: readonly HostPermission[] = ['read', 'triage', 'write', 'maintain', 'admin'];
const canWrite = (one: HostPermission): boolean => levels.indexOf(one) >= levels.indexOf('write');

/** Undefined without access to the code. */
const permissionFrom = (name: string | null | undefined): HostPermission | undefined => {
  if (name === 'owner' || name === 'admin') return 'admin';
  return name === 'write' || name === 'read' ? name : undefined;
};

interface Team {
  id: string;
  name: string;
  permission: HostPermission;
  isOwners: boolean;
  members: readonly HostUser[];
}

interface PersonAccess {
  user: HostUser;
  permission: HostPermission;
  routes: AccessRoute[];
  teams: string[];
}

/** Returns the reader of everything with access to a repository. IDs contain the instance, as they are unique there only. */
export function createAccess(api: GiteaApi, baseURL: string): (ref: HostRef, branch: string) => Promise<HostAccess> {
  const instance = instanceOf(baseURL);
  return async (ref, branch) => {
    const path = repositoryPath(ref);
    const teams = await readPart(() => readTeams(api, path));
    const named = await readPart(() => readCollaborators(api, path));
    const owner = await readPart(async () => user.parse(repositoryOwner.parse((await api.json(path)).data).owner));
    const keys = await readPart(async () => (await readEveryItem(api, `${path}/keys`)).map((json) => key.parse(json)));
    const rule = await readPart(() => readRule(api, ref, branch));
    const bypass = rule === undefined ? undefined : rule === null ? bypassWithoutRule : bypassOf(rule);
    const people = joined(named ?? [], teams === 'none' ? [] : (teams ?? []), teams === 'none' ? owner : undefined);
    const holders: HostAccessHolder[] = [
      ...people.map(
        (one): HostAccessHolder => ({
          kind: 'person',
          id: idAt(instance, one.user.hostId ?? one.user.login),
          name: one.user.login,
          user: one.user,
          permission: one.permission,
          routes: one.routes,
          canBypass:
            bypass?.byPerson(one.user.login, canWrite(one.permission), one.permission === 'admin', one.teams) ?? null,
        }),
      ),
      ...(teams === 'none' ? [] : (teams ?? [])).map(
        ({ id, name, permission: level }): HostAccessHolder => ({
          kind: 'team',
          id: idAt(instance, id),
          name,
          user: null,
          permission: level,
          routes: ['organization'],
          canBypass: bypass?.byTeam(name, canWrite(level), level === 'admin') ?? null,
        }),
      ),
      ...(keys ?? []).map(
        ({ id, title, read_only: isReadOnly }): HostAccessHolder => ({
          kind: 'key',
          id: idAt(instance, id),
          name: title,
          user: null,
          permission: isReadOnly ? 'read' : 'write',
          routes: ['direct'],
          canBypass: bypass?.byKey(!isReadOnly) ?? null,
        }),
      ),
    ];
    const parts = {
      // People with access by a team are known only with the teams.
      people: partState(named && teams),
      teams: teams === 'none' ? 'not_offered' : partState(teams),
      keys: partState(keys),
      apps: 'not_offered',
      owners: partState(teams === 'none' ? owner : teams),
      bypass: partState(bypass),
    } as const;
    return { parts, holders };
  };
}

/** Everyone who can write can push to a branch without a rule. */
const bypassWithoutRule: ReturnType<typeof bypassOf> = {
  byPerson: (_login, mayWrite) => mayWrite,
  byTeam: (_name, mayWrite) => mayWrite,
  byKey: (mayWrite) => mayWrite,
};

/** The teams with access to the code; `none` for a repository of a user, who has no teams. */
async function readTeams(api: GiteaApi, path: string): Promise<Team[] | 'none'> {
  const listed = await readEveryItem(api, `${path}/teams`).catch((error: unknown) => {
    if (error instanceof HostRefused && error.status === 405) return undefined;
    throw error;
  });
  if (!listed) return 'none';
  const teams: Team[] = [];
  for (const json of listed) {
    const { id, name, permission: all, units_map: units } = team.parse(json);
    const level = permissionFrom(all === 'owner' || all === 'admin' ? all : (units?.['repo.code'] ?? all));
    if (level === undefined) continue;
    const members = (await readEveryItem(api, `/teams/${encodeURIComponent(id)}/members`)).map((one) =>
      user.parse(one),
    );
    teams.push({ id, name, permission: level, isOwners: all === 'owner', members });
  }
  return teams;
}

/** The collaborators with their permissions, which are a request for each. */
async function readCollaborators(api: GiteaApi, path: string) {
  const found: { user: HostUser; permission: HostPermission }[] = [];
  for (const json of await readEveryItem(api, `${path}/collaborators`)) {
    const account = user.parse(json);
    const { data } = await api.json(`${path}/collaborators/${encodeURIComponent(account.login)}/permission`);
    const level = permissionFrom(permission.parse(data).permission);
    if (level !== undefined) found.push({ user: account, permission: level });
  }
  return found;
}

/** Joins the routes of each account, with its highest permission. `owner`: of a repository without an organization. */
function joined(
  named: readonly { user: HostUser; permission: HostPermission }[],
  teams: readonly Team[],
  owner: HostUser | undefined,
): PersonAccess[] {
  const all: PersonAccess[] = [
    ...named.map((one): PersonAccess => ({ ...one, routes: ['direct'], teams: [] })),
    ...teams.flatMap(({ name, permission: level, isOwners, members }) =>
      members.map(
        (account): PersonAccess => ({
          user: account,
          permission: level,
          routes: [isOwners ? 'owner' : 'organization'],
          teams: [name],
        }),
      ),
    ),
    ...(owner ? [{ user: owner, permission: 'admin', routes: ['owner'], teams: [] } satisfies PersonAccess] : []),
  ];
  const found = new Map<string, PersonAccess>();
  for (const one of all) {
    const id = one.user.hostId ?? one.user.login;
    const known = found.get(id) ?? { ...one, routes: [], teams: [] };
    const isHigher = levels.indexOf(one.permission) > levels.indexOf(known.permission);
    found.set(id, {
      ...known,
      permission: isHigher ? one.permission : known.permission,
      routes: [...new Set([...known.routes, ...one.routes])],
      teams: [...known.teams, ...one.teams],
    });
  }
  return [...found.values()];
}
