import type { AccessRoute } from '@sightline/contract/sources/host-access.ts';
import { z } from 'zod';
import { partState, readPart } from '#providers/access-parts.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import type { HostRef } from '../host-facts.ts';
import {
  bypassFrom,
  collaboratorFrom,
  type GithubBypass,
  type GithubCollaborator,
  idFrom,
  installationsPage,
  installedAppFrom,
  isOfOrganization,
  keyFrom,
  teamFrom,
} from './access-shapes.ts';
import type { GithubApi } from './client.ts';
import { inRepositoryOf, readPages } from './reads.ts';

const list = z.array(z.unknown());

/** Returns the reader of everything with access to a repository. */
export const createAccess =
  (asInstallation: (id: string) => GithubApi) =>
  async (ref: HostRef, branch: string): Promise<HostAccess> => {
    const ask = inRepositoryOf(asInstallation)(ref);
    const isOrganization = isOfOrganization((await ask('GET /repos/{owner}/{repo}')).data);
    const asOwner = asInstallation(ref.installationId);
    const inOrganization: GithubApi = (route, parameters) => asOwner(route, { org: ref.owner, ...parameters });
    const people = await readPart(() => readPeople(ask));
    const teams = isOrganization
      ? await readPart(() => readAll(ask, 'GET /repos/{owner}/{repo}/teams', teamFrom))
      : undefined;
    const keys = await readPart(() => readAll(ask, 'GET /repos/{owner}/{repo}/keys', keyFrom));
    const owners = isOrganization ? await readPart(() => readOwners(inOrganization)) : undefined;
    const apps = isOrganization ? await readPart(() => readApps(inOrganization)) : undefined;
    const bypass = await readBypass(ask, inOrganization, branch);
    const orgPart = (found: unknown) => (isOrganization ? partState(found) : 'not_offered');
    const parts = {
      people: partState(people),
      teams: orgPart(teams),
      keys: partState(keys),
      apps: orgPart(apps),
      owners: orgPart(owners),
      bypass: bypass === undefined ? 'forbidden' : 'read',
    } as const;
    const logins = new Map(people?.map((one) => [one.user.login.toLowerCase(), one.user]));
    const holders: HostAccessHolder[] = [
      ...(people ?? []).map((one): HostAccessHolder => {
        const isOwner = owners?.has(one.id) === true;
        const { id, user, permission } = one;
        return {
          kind: 'person',
          id,
          name: user.login,
          user,
          permission,
          routes: isOwner ? ['owner', ...one.routes.filter((route) => route !== 'organization')] : one.routes,
          canBypass: bypass?.byPerson(one) ?? null,
        };
      }),
      ...(teams ?? []).map((one): HostAccessHolder => {
        const { id, slug: name, permission } = one;
        const canBypass = bypass?.byTeam(name, permission) ?? null;
        return { kind: 'team', id, name, user: null, permission, routes: ['direct'], canBypass };
      }),
      ...(keys ?? []).map(({ id, title, permission, addedBy }): HostAccessHolder => {
        const user = addedBy === null ? null : (logins.get(addedBy.toLowerCase()) ?? userNamed(addedBy));
        // A deploy key is no user: the rules for users and administrators never exempt it.
        const canBypass = bypass ? bypass.isOpen && permission !== 'read' : null;
        return { kind: 'key', id, name: title, user, permission, routes: ['direct'], canBypass };
      }),
      ...(apps ?? []).map(({ id, slug, permission, hasAllRepositories }): HostAccessHolder => {
        const routes: AccessRoute[] = [hasAllRepositories ? 'organization' : 'selected'];
        return {
          kind: 'app',
          id,
          name: slug,
          user: null,
          permission,
          routes,
          canBypass: bypass?.byApp(id, permission) ?? null,
        };
      }),
    ];
    return { parts, holders };
  };

const userNamed = (login: string) => ({ login, avatarUrl: null, isAgent: login.endsWith('[bot]') });

type Person = GithubCollaborator & { routes: AccessRoute[] };

/** All accounts with access, with their routes. */
async function readPeople(ask: GithubApi): Promise<Person[]> {
  const collaborators = async (affiliation: string) =>
    readAll(ask, 'GET /repos/{owner}/{repo}/collaborators', collaboratorFrom, { affiliation });
  const all = await collaborators('all');
  const direct = new Set((await collaborators('direct')).map(({ id }) => id));
  const outside = new Set((await collaborators('outside')).map(({ id }) => id));
  return all.map((one) => {
    const route = outside.has(one.id) ? 'outside' : direct.has(one.id) ? 'direct' : 'organization';
    return { ...one, routes: [route] };
  });
}

const readOwners = async (ask: GithubApi): Promise<ReadonlySet<string>> =>
  new Set(await readAll(ask, 'GET /orgs/{org}/members', idFrom, { role: 'admin' }));

async function readApps(ask: GithubApi) {
  const apps = [];
  for await (const { data } of readPages(ask, 'GET /orgs/{org}/installations')) {
    apps.push(...installationsPage.parse(data).installations.flatMap((one) => installedAppFrom(one) ?? []));
  }
  return apps;
}

async function readAll<Item>(
  ask: GithubApi,
  route: string,
  from: (json: unknown) => Item | undefined,
  parameters: Record<string, unknown> = {},
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { data } of readPages(ask, route, parameters)) {
    items.push(...list.parse(data).flatMap((one) => from(one) ?? []));
  }
  return items;
}

interface Bypass {
  /** Whether nothing protects the branch. */
  isOpen: boolean;
  byPerson: (person: Person) => boolean | null;
  byTeam: (slug: string, permission: string) => boolean | null;
  byApp: (id: string, permission: string) => boolean | null;
}

/** Undefined if GitHub denied access to the protection of the branch. */
async function readBypass(ask: GithubApi, inOrganization: GithubApi, branch: string): Promise<Bypass | undefined> {
  const rules = await readPart(async () => {
    const { data } = await ask('GET /repos/{owner}/{repo}/rules/branches/{branch}', { branch, per_page: 1 });
    return list.parse(data).length > 0;
  });
  const listed = await readClassicBypass(ask, branch);
  if (rules === undefined || listed === undefined) return undefined;
  // Only callers who may change a ruleset see who can bypass it, which is more than this app asks for.
  const unlessRuled = (canBypass: boolean | null): boolean | null => (rules && canBypass !== false ? null : canBypass);
  if (listed === 'open') {
    const byWriter = ({ permission }: { permission: string }) => unlessRuled(canWrite(permission));
    return {
      isOpen: !rules,
      byPerson: byWriter,
      byTeam: (_slug, permission) => byWriter({ permission }),
      byApp: (_id, permission) => byWriter({ permission }),
    };
  }
  const teamMembers = await readPart(() => readTeamMembers(inOrganization, listed.teams));
  return {
    isOpen: false,
    byPerson: ({ id, permission }) => {
      const isNamed = listed.users.includes(id) || (listed.admins && permission === 'admin');
      const byTeam = teamMembers === undefined ? null : teamMembers.has(id);
      return unlessRuled(isNamed || (listed.teams.length === 0 ? false : byTeam));
    },
    byTeam: (slug, permission) => unlessRuled(listed.teams.includes(slug) || (listed.admins && permission === 'admin')),
    byApp: (id) => unlessRuled(listed.apps.includes(id)),
  };
}

const canWrite = (permission: string): boolean => permission !== 'read' && permission !== 'triage';

/** `open`: the branch has no such protection. Undefined without permission. */
async function readClassicBypass(ask: GithubApi, branch: string): Promise<GithubBypass | 'open' | undefined> {
  try {
    return bypassFrom((await ask('GET /repos/{owner}/{repo}/branches/{branch}/protection', { branch })).data);
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
    return error.status === 404 ? 'open' : undefined;
  }
}

async function readTeamMembers(ask: GithubApi, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const slug of slugs) {
    for (const id of await readAll(ask, 'GET /orgs/{org}/teams/{slug}/members', idFrom, { slug })) ids.add(id);
  }
  return ids;
}
