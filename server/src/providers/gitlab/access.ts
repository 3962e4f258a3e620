import type { HostPermission } from '@sightline/contract/sources/host-access.ts';
import { z } from 'zod';
import { partState, readPart } from '#providers/access-parts.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import type { HostPage, HostRef } from '../host-facts.ts';
import { readPage } from './paging.ts';
import { projectOf } from './reads.ts';
import { hostId, user } from './shapes.ts';
import type { GitlabApi } from './transport.ts';

const member = z.looseObject({ id: hostId, access_level: z.number().int(), state: z.string().default('active') });
const project = z.looseObject({
  shared_with_groups: z
    .array(z.looseObject({ group_id: hostId, group_full_path: z.string(), group_access_level: z.number().int() }))
    .default([]),
});
const deployKey = z.looseObject({ id: hostId, title: z.string().default(''), can_push: z.boolean().default(false) });
const deployToken = z.looseObject({
  id: hostId,
  name: z.string().default(''),
  scopes: z.array(z.string()).default([]),
  revoked: z.boolean().default(false),
  expired: z.boolean().default(false),
});
const level = z.looseObject({
  access_level: z.number().nullish(),
  user_id: hostId.nullish(),
  group_id: hostId.nullish(),
  deploy_key_id: hostId.nullish(),
});
const protectedBranch = z.looseObject({ push_access_levels: z.array(level).nullish() });

const [GUEST, REPORTER, DEVELOPER, MAINTAINER] = [10, 20, 30, 40];

/** Maintainers change the branch protection and members of a project, so that they administer it. */
const permissionOf = (accessLevel: number): HostPermission =>
  accessLevel >= MAINTAINER
    ? 'admin'
    : accessLevel >= DEVELOPER
      ? 'write'
      : accessLevel >= REPORTER
        ? 'triage'
        : 'read';

/**
 * Returns the reader of everything with access to a project. Deploy tokens are listed as deploy keys. IDs are only
 * unique per instance: except for gitlab.com, they contain the host.
 */
export function createAccess(ask: GitlabApi, baseURL: string): (ref: HostRef, branch: string) => Promise<HostAccess> {
  const { host } = new URL(baseURL);
  const idOf = (id: string): string => (host === 'gitlab.com' ? id : `${id}@${host}`);
  return async (ref, branch) => {
    const path = projectOf(ref);
    const people = await readPart(() => readMembers(ask, path));
    const groups = await readPart(async () => project.parse((await ask(path)).data).shared_with_groups);
    const keys = await readPart(() => readKeys(ask, path));
    const bypass = await readPart(() => readBypass(ask, path, branch));
    const holders: HostAccessHolder[] = [
      ...(people ?? []).map(
        ({ id, account, accessLevel, isDirect }): HostAccessHolder => ({
          kind: 'person',
          id: idOf(id),
          name: account.login,
          user: account,
          permission: permissionOf(accessLevel),
          routes: [isDirect ? 'direct' : 'organization'],
          canBypass: bypass?.byMember(id, accessLevel) ?? null,
        }),
      ),
      ...(groups ?? []).map(
        ({ group_id: id, group_full_path: name, group_access_level: accessLevel }): HostAccessHolder => ({
          kind: 'team',
          id: idOf(id),
          name,
          user: null,
          permission: permissionOf(accessLevel),
          routes: ['direct'],
          canBypass: bypass?.byGroup(id, accessLevel) ?? null,
        }),
      ),
      ...(keys ?? []).map(
        ({ id, key, title, canPush }): HostAccessHolder => ({
          kind: 'key',
          id: idOf(id),
          name: title,
          user: null,
          permission: canPush ? 'write' : 'read',
          routes: ['direct'],
          canBypass: bypass ? canPush && bypass.byKey(key) : null,
        }),
      ),
    ];
    const parts = {
      people: partState(people),
      teams: partState(groups),
      keys: partState(keys),
      apps: 'not_offered',
      owners: 'not_offered',
      bypass: partState(bypass),
    } as const;
    return { parts, holders };
  };
}

/** The members with access to the code, without blocked ones and those that only requested it. */
async function readMembers(ask: GitlabApi, path: string) {
  const parsed = (json: unknown) => ({ ...member.parse(json), account: user.parse(json) });
  const all = (await readEvery(ask, `${path}/members/all`)).map(parsed);
  const direct = new Set((await readEvery(ask, `${path}/members`)).map((json) => member.parse(json).id));
  return all
    .filter(({ state, access_level }) => state === 'active' && access_level >= GUEST)
    .map(({ id, account, access_level: accessLevel }) => ({ id, account, accessLevel, isDirect: direct.has(id) }));
}

interface GitlabKey {
  id: string;
  /** ID of the deploy key; null for a deploy token. */
  key: string | null;
  title: string;
  canPush: boolean;
}

async function readKeys(ask: GitlabApi, path: string): Promise<GitlabKey[]> {
  const keys = (await readEvery(ask, `${path}/deploy_keys`)).map((json) => deployKey.parse(json));
  const tokens = (await readEvery(ask, `${path}/deploy_tokens`)).map((json) => deployToken.parse(json));
  return [
    ...keys.map(({ id, title, can_push: canPush }) => ({ id, key: id, title, canPush })),
    ...tokens
      .filter(({ revoked, expired, scopes }) => !revoked && !expired && scopes.includes('read_repository'))
      .map(({ id, name: title }) => ({ id: `token ${id}`, key: null, title, canPush: false })),
  ];
}

/** Who may push to a branch without a merge request. Everyone who can write may, if it is not protected. */
async function readBypass(ask: GitlabApi, path: string, branch: string) {
  const levels = await readPushLevels(ask, path, branch);
  if (levels === 'open') {
    const byLevel = (_id: string, accessLevel: number) => accessLevel >= DEVELOPER;
    return { byMember: byLevel, byGroup: byLevel, byKey: (key: string | null) => key !== null };
  }
  const named = levels.filter((one) => one.user_id || one.group_id || one.deploy_key_id);
  const required = levels.filter((one) => !named.includes(one)).map((one) => one.access_level ?? 0);
  const byRole = (accessLevel: number) => required.some((needed) => needed > 0 && accessLevel >= needed);
  const groups = named.flatMap(({ group_id: id }) => id ?? []);
  return {
    byMember: (id: string, accessLevel: number) =>
      byRole(accessLevel) || named.some((one) => one.user_id === id) || (groups.length > 0 ? null : false),
    byGroup: (id: string, accessLevel: number) => byRole(accessLevel) || groups.includes(id),
    byKey: (key: string | null) => named.some((one) => one.deploy_key_id === key && key !== null),
  };
}

async function readPushLevels(ask: GitlabApi, path: string, branch: string) {
  try {
    const { data } = await ask(`${path}/protected_branches/${encodeURIComponent(branch)}`);
    return protectedBranch.parse(data).push_access_levels ?? [];
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404) return 'open';
    throw error;
  }
}

/** Reads all items of a list, however long: a missing one would seem to have no access. */
async function readEvery(ask: GitlabApi, path: string): Promise<unknown[]> {
  const items: unknown[] = [];
  let page: string | null = null;
  do {
    const found: HostPage<unknown> = await readPage(ask, path, {}, page);
    items.push(...found.items);
    page = found.next;
  } while (page !== null);
  return items;
}
