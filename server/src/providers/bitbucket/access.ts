import type { HostPermission } from '@sightline/contract/sources/host-access.ts';
import { z } from 'zod';
import { partState, readPart } from '#providers/access-parts.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import type { HostRef } from '../host-facts.ts';
import { matchesPattern } from './evidence-shapes.ts';
import { readAllPages, repositoryPathOf } from './reads.ts';
import { accountId, user } from './shapes.ts';
import { type BitbucketTransport, pathSegment } from './transport.ts';

const perPage = 100;
const role = z.enum(['read', 'write', 'admin', 'none']);
const userPermission = z.looseObject({ permission: role, user: z.unknown() });
const groupPermission = z.looseObject({
  permission: role,
  group: z.looseObject({ slug: z.string(), name: z.string().default('') }),
});
const ownerPermission = z.looseObject({ user: accountId });
const deployKey = z.looseObject({ id: z.number().int().transform(String), label: z.string().default('') });
const restriction = z.looseObject({
  kind: z.string(),
  branch_match_kind: z.string().nullish(),
  pattern: z.string().nullish(),
  users: z.array(accountId).default([]),
  groups: z.array(z.looseObject({ slug: z.string() })).default([]),
});

/** Returns the reader of everything with access to a repository. */
export const createAccess =
  (transport: BitbucketTransport) =>
  async (ref: HostRef, branch: string): Promise<HostAccess> => {
    const list = async (path: string, query: Record<string, string> = {}) =>
      (await readAllPages(transport, path, { ...query, pagelen: perPage })).values;
    const [repository, workspace] = [repositoryPathOf(ref), `/workspaces/${pathSegment(ref.owner)}`];
    const people = await readPart(async () => {
      const effective = (await list(`${workspace}/permissions/repositories/${pathSegment(ref.name)}`)).map(userFrom);
      const named = (await list(`${repository}/permissions-config/users`)).map(userFrom);
      const direct = new Set(named.map(({ id }) => id));
      return effective.map((one) => ({ ...one, isDirect: direct.has(one.id) }));
    });
    const groups = await readPart(async () =>
      (await list(`${repository}/permissions-config/groups`)).map((json) => groupPermission.parse(json)),
    );
    const keys = await readPart(async () =>
      (await list(`${repository}/deploy-keys`)).map((json) => deployKey.parse(json)),
    );
    const owners = await readPart(async () => {
      const found = await list(`${workspace}/permissions`, { q: 'permission="owner"' });
      return new Set(found.map((json) => ownerPermission.parse(json).user));
    });
    const bypass = await readPart(async () => bypassFrom(await list(`${repository}/branch-restrictions`), branch));
    const holders: HostAccessHolder[] = [
      ...(people ?? []).flatMap(({ id, account, permission, isDirect }): HostAccessHolder[] =>
        permission === undefined || id === null
          ? []
          : [
              {
                kind: 'person',
                id,
                name: account.login,
                user: account,
                permission,
                routes: [
                  ...(owners?.has(id) ? (['owner'] as const) : []),
                  isDirect ? ('direct' as const) : ('organization' as const),
                ],
                canBypass: bypass?.byPerson(id, permission) ?? null,
              },
            ],
      ),
      ...(groups ?? []).flatMap(({ permission, group: { slug, name } }): HostAccessHolder[] =>
        permission === 'none'
          ? []
          : [
              {
                kind: 'team',
                id: `${ref.owner}/${slug}`,
                name: name || slug,
                user: null,
                permission,
                routes: ['direct'],
                canBypass: bypass?.byGroup(slug, permission) ?? null,
              },
            ],
      ),
      // Deploy keys on Bitbucket can only read.
      ...(keys ?? []).map(
        ({ id, label }): HostAccessHolder => ({
          kind: 'key',
          id,
          name: label,
          user: null,
          permission: 'read',
          routes: ['direct'],
          canBypass: false,
        }),
      ),
    ];
    const parts = {
      people: partState(people),
      teams: partState(groups),
      keys: partState(keys),
      apps: 'not_offered',
      owners: partState(owners),
      bypass: partState(bypass),
    } as const;
    return { parts, holders };
  };

function userFrom(json: unknown) {
  const { permission, user: given } = userPermission.parse(json);
  const account = user.parse(given);
  return { id: accountId.parse(given), account, permission: permission === 'none' ? undefined : permission };
}

/** Who may push to a branch without a pull request: those whom a restriction names, else everyone who can write. */
function bypassFrom(values: readonly unknown[], branch: string) {
  const pushes = values.map((json) => restriction.parse(json)).filter(({ kind }) => kind === 'push');
  const isUncertain = pushes.some(({ branch_match_kind: by }) => by === 'branching_model');
  const matching = pushes.filter(
    ({ branch_match_kind: by, pattern }) => by !== 'branching_model' && matchesPattern(pattern ?? '', branch),
  );
  const users = new Set(matching.flatMap((one) => one.users));
  const groups = matching.flatMap((one) => one.groups.map(({ slug }) => slug));
  const certain = (canBypass: boolean | null): boolean | null =>
    isUncertain && canBypass !== false ? null : canBypass;
  const canWrite = (permission: HostPermission): boolean => permission !== 'read';
  return {
    byPerson: (id: string, permission: HostPermission): boolean | null => {
      if (!canWrite(permission)) return false;
      if (matching.length === 0) return certain(true);
      return certain(users.has(id) ? true : groups.length > 0 ? null : false);
    },
    byGroup: (slug: string, permission: HostPermission): boolean | null =>
      certain(canWrite(permission) && (matching.length === 0 || groups.includes(slug))),
  };
}
