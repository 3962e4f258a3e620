import type { AccessPartState, HostPermission } from '@sightline/contract/sources/host-access.ts';
import { z } from 'zod';
import { partState, readPart } from '#providers/access-parts.ts';
import type { HostAccess, HostAccessHolder } from '#providers/host-access.ts';
import type { HostRef, HostUser } from '../host-facts.ts';
import { type AccessRights, bypassesOf, type Grant, grantsOf, readAccessRights } from './access-rights.ts';
import { idAt, instanceOf, user } from './shapes.ts';
import type { GerritApi } from './transport.ts';

const levels: readonly HostPermission[] = ['read', 'triage', 'write', 'maintain', 'admin'];

interface GroupAccess {
  id: string;
  name: string;
  permission: HostPermission;
  canBypass: boolean | null;
  /** Undefined if the host does not list them. */
  members: readonly HostUser[] | undefined;
}

/**
 * Returns the reader of everything with access to a project. Access belongs to groups only. Who votes or uploads patch
 * sets has `triage`, who submits or pushes `write`, and an owner of the project `admin`.
 */
export function createAccess(api: GerritApi, baseURL: string): (ref: HostRef, branch: string) => Promise<HostAccess> {
  const instance = instanceOf(baseURL);
  return async (ref, branch) => {
    const rights = await readPart(() => readAccessRights(api, ref));
    const groups = rights && (await readGroups(api, rights, `refs/heads/${branch}`));
    // Everyone may read and vote in most projects, as on a host with public repositories: these are no members.
    const isListed = groups?.every(
      ({ members, permission }) => members !== undefined || permission === 'read' || permission === 'triage',
    );
    const holders = (groups ?? []).map(
      ({ id, name, permission, canBypass }): HostAccessHolder => ({
        kind: 'team',
        id: idAt(instance, id),
        name,
        user: null,
        permission,
        routes: [permission === 'admin' ? 'owner' : 'organization'],
        canBypass,
      }),
    );
    // Without the members of one group, the list of people would look complete.
    const people: AccessPartState = isListed === false ? 'forbidden' : partState(groups);
    return {
      parts: {
        people,
        teams: partState(groups),
        keys: 'not_offered',
        apps: 'not_offered',
        owners: partState(groups),
        bypass: partState(groups),
      },
      holders: [...holders, ...(people === 'read' ? peopleOf(groups ?? [], instance) : [])],
    };
  };
}

function peopleOf(groups: readonly GroupAccess[], instance: string): HostAccessHolder[] {
  const found = new Map<string, HostAccessHolder>();
  for (const { members, permission, canBypass } of groups) {
    for (const one of members ?? []) {
      const key = one.hostId ?? one.login;
      const id = idAt(instance, key);
      const routes = [permission === 'admin' ? 'owner' : 'organization'] as const;
      const own: HostAccessHolder = { kind: 'person', id, name: one.login, user: one, permission, routes, canBypass };
      const known = found.get(key);
      found.set(key, known === undefined ? own : joined(known, own));
    }
  }
  return [...found.values()];
}

/** The access of an account by two groups. */
function joined(one: HostAccessHolder, other: HostAccessHolder): HostAccessHolder {
  const bypasses = [one.canBypass, other.canBypass];
  return {
    ...one,
    permission: levels.indexOf(other.permission) > levels.indexOf(one.permission) ? other.permission : one.permission,
    routes: [...new Set([...one.routes, ...other.routes])],
    canBypass: bypasses.includes(true) ? true : bypasses.includes(null) ? null : false,
  };
}

/** What gives each level on a branch: the permission and the ref that has it. */
const sourcesOf = (branchRef: string): readonly (readonly [HostPermission, name: string, ref: string])[] => [
  ['read', 'read', branchRef],
  ['triage', 'label-Code-Review', branchRef],
  ['triage', 'addPatchSet', `refs/for/${branchRef}`],
  ['triage', 'push', `refs/for/${branchRef}`],
  ['write', 'submit', branchRef],
  ['write', 'push', branchRef],
  ['write', 'submit', `refs/for/${branchRef}`],
  ['write', 'delete', branchRef],
  ['admin', 'owner', branchRef],
];

/** The same with the owners of the project instead of the role that stands for them. */
function grantsWithOwners(rights: AccessRights, name: string, ref: string): Grant[] | undefined {
  const grants = grantsOf(rights, name, ref);
  if (!grants?.some(({ group }) => group === projectOwners)) return grants;
  const owners = grantsOf(rights, 'owner', ref);
  return owners && [...grants.filter(({ group }) => group !== projectOwners), ...owners];
}

const projectOwners = 'global:Project-Owners';

async function readGroups(api: GerritApi, rights: AccessRights, branchRef: string): Promise<GroupAccess[]> {
  const found = new Map<string, HostPermission>();
  for (const [level, name, ref] of sourcesOf(branchRef)) {
    for (const { group } of grantsWithOwners(rights, name, ref) ?? []) {
      const known = found.get(group);
      if (known === undefined || levels.indexOf(level) > levels.indexOf(known)) found.set(group, level);
    }
  }
  const bypasses = bypassesOf(branchRef).map(([name, ref]) => grantsWithOwners(rights, name, ref));
  const canBypass = (id: string): boolean | null => {
    if (bypasses.some((grants) => grants?.some(({ group }) => group === id))) return true;
    return bypasses.includes(undefined) ? null : false;
  };
  const groups: GroupAccess[] = [];
  for (const [id, permission] of found) {
    groups.push({
      id,
      name: rights.groups.get(id) ?? id,
      permission,
      canBypass: canBypass(id),
      members: await readMembers(api, id),
    });
  }
  return groups;
}

/** The members of a group and of the groups that it includes; undefined for a group that the host does not list. */
async function readMembers(api: GerritApi, id: string): Promise<HostUser[] | undefined> {
  // A role of the change, not of an account.
  if (id === 'global:Change-Owner') return [];
  // Such as all registered users, and groups of a directory.
  if (!/^[0-9a-f]{40}$/.test(id)) return undefined;
  return readPart(async () => {
    const members = await api.json(`/groups/${id}/members/`, { recursive: true });
    return z.array(user).parse(members ?? []);
  });
}
