import { MAX_DIRECTORY_GROUPS } from '@sightline/contract/organization/directory.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { applyAccess, lockUsers } from './access.ts';
import { invalidValue, notFound, notUnique, ScimError } from './scim/errors.ts';
import { type GroupBody, type MemberChange, patchGroup, type ScimGroup } from './scim/group-model.ts';
import type { PatchOperation } from './scim/patch.ts';
import type { DirectoryScope } from './scope.ts';
import { inScope } from './users.ts';

/** Memberships that one request changes at once. A job changes those of larger groups, within seconds. */
const MAX_APPLIED_AT_ONCE = 50;

/** Creates a group. Throws 409 for a name that exists. */
export const createGroup = (services: Services, orgId: string, { members, ...group }: GroupBody): Promise<string> =>
  inScope(services, orgId, async (scope) => {
    await checkCount(scope);
    const id = newId();
    const rows = await scope.tx.query<{ id: string }>({
      name: 'directory.insert-group',
      text: `insert into directory_group (org_id, id, display_name, external_id) values ($1, $2, $3, $4)
             on conflict (org_id, (lower(display_name))) do nothing returning id`,
      values: [orgId, id, group.displayName, group.externalId ?? null],
    });
    if (rows.length === 0) throw notUnique('A group with this displayName exists already.');
    const changed = await changeMembers(scope, id, [{ did: 'add', users: members ?? [] }]);
    if (await hasRole(scope, group.displayName)) await applyToUsers(scope, changed);
    return id;
  });

/** Replaces a group. Writes nothing if neither attributes nor members differ. */
export const replaceGroup = (services: Services, orgId: string, id: string, body: GroupBody): Promise<void> =>
  changeGroup(services, orgId, id, () => {
    const { members = [], ...group } = body;
    return { group, changes: [{ did: 'clear' }, { did: 'add', users: members }] };
  });

/** Applies a PATCH to a group. Writes nothing if it changes nothing. */
export const patchGroupOf = (
  services: Services,
  orgId: string,
  id: string,
  operations: readonly PatchOperation[],
): Promise<void> => changeGroup(services, orgId, id, (group) => patchGroup(group, operations));

/** Deletes a group. Users lose the role that only this group gave. */
export async function deleteGroup(services: Services, orgId: string, id: string): Promise<void> {
  await inScope(services, orgId, async (scope) => {
    const { displayName } = await lockGroup(scope, id);
    const members = await changeMembers(scope, id, [{ did: 'clear' }]);
    await scope.tx.query({
      name: 'directory.delete-group',
      text: 'delete from directory_group where org_id = $1 and id = $2',
      values: [orgId, id],
    });
    if (await hasRole(scope, displayName)) await applyToUsers(scope, members);
  });
}

async function changeGroup(
  services: Services,
  orgId: string,
  id: string,
  change: (group: ScimGroup) => { group: ScimGroup; changes: readonly MemberChange[] },
): Promise<void> {
  await inScope(services, orgId, async (scope) => {
    const before = await lockGroup(scope, id);
    const { group, changes } = change(before);
    const isRenamed = group.displayName !== before.displayName;
    const isChanged = isRenamed || (group.externalId ?? null) !== (before.externalId ?? null);
    if (isChanged) await saveGroup(scope, id, group);
    const changed = await changeMembers(scope, id, changes);
    if (isRenamed && ((await hasRole(scope, before.displayName)) || (await hasRole(scope, group.displayName)))) {
      await applyToUsers(scope, [...changed, ...(await listMembers(scope, id))]);
    } else if (await hasRole(scope, group.displayName)) await applyToUsers(scope, changed);
    return isChanged || changed.length > 0;
  });
}

async function lockGroup({ tx, orgId }: DirectoryScope, id: string): Promise<ScimGroup> {
  const [row] = await tx.query<{ display_name: string; external_id: string | null }>({
    name: 'directory.lock-group',
    text: 'select display_name, external_id from directory_group where org_id = $1 and id = $2 for update',
    values: [orgId, id],
  });
  if (!row) throw notFound(id);
  return { displayName: row.display_name, ...(row.external_id !== null && { externalId: row.external_id }) };
}

async function saveGroup({ tx, orgId }: DirectoryScope, id: string, group: ScimGroup): Promise<void> {
  const [taken] = await tx.query<{ id: string }>({
    name: 'directory.group-name-taken',
    text: 'select id from directory_group where org_id = $1 and lower(display_name) = lower($2) and id <> $3',
    values: [orgId, group.displayName, id],
  });
  if (taken) throw notUnique('A group with this displayName exists already.');
  await tx.query({
    name: 'directory.update-group',
    text: `update directory_group set display_name = $3, external_id = $4, updated_at = now() where org_id = $1 and id = $2`,
    values: [orgId, id, group.displayName, group.externalId ?? null],
  });
}

/** Applies changes of members in order. Returns the users who joined or left. Throws 400 for an unknown user. */
async function changeMembers(
  scope: DirectoryScope,
  groupId: string,
  changes: readonly MemberChange[],
): Promise<string[]> {
  // Only after a `clear` do the present members matter: a list that equals them then changes nothing.
  if (changes.some(({ did }) => did === 'clear')) {
    const present = await listMembers(scope, groupId);
    const wanted = membersAfter(new Set(present), changes);
    const kept = new Set(present);
    const [joining, leaving] = [[...wanted].filter((id) => !kept.has(id)), present.filter((id) => !wanted.has(id))];
    return [...(await removeMembers(scope, groupId, leaving)), ...(await addMembers(scope, groupId, joining))];
  }
  const changed: string[] = [];
  for (const change of changes) {
    if (change.did === 'add') changed.push(...(await addMembers(scope, groupId, change.users)));
    else if (change.did === 'remove') changed.push(...(await removeMembers(scope, groupId, change.users)));
  }
  return changed;
}

function membersAfter(members: Set<string>, changes: readonly MemberChange[]): Set<string> {
  for (const change of changes) {
    if (change.did === 'clear') members.clear();
    else for (const user of change.users) change.did === 'add' ? members.add(user) : members.delete(user);
  }
  return members;
}

async function addMembers({ tx, orgId }: DirectoryScope, groupId: string, users: readonly string[]): Promise<string[]> {
  if (users.length === 0) return [];
  const [row] = await tx.query<{ known: number; added: string[] | null }>({
    name: 'directory.add-members',
    text: `with known as (select id from directory_user where org_id = $1 and id = any($3::uuid[])),
             added as (insert into directory_group_member (org_id, group_id, user_id)
               select $1, $2, id from known on conflict do nothing returning user_id)
           select (select count(*)::int from known) as known, (select array_agg(user_id) from added) as added`,
    values: [orgId, groupId, users],
  });
  if ((row?.known ?? 0) < new Set(users).size) throw invalidValue('A member is no user of this directory.');
  return row?.added ?? [];
}

async function removeMembers(
  { tx, orgId }: DirectoryScope,
  groupId: string,
  users: readonly string[],
): Promise<string[]> {
  if (users.length === 0) return [];
  const rows = await tx.query<{ user_id: string }>({
    name: 'directory.remove-members',
    text: `delete from directory_group_member where org_id = $1 and group_id = $2 and user_id = any($3::uuid[])
           returning user_id`,
    values: [orgId, groupId, users],
  });
  return rows.map(({ user_id }) => user_id);
}

async function listMembers({ tx, orgId }: DirectoryScope, groupId: string): Promise<string[]> {
  const rows = await tx.query<{ user_id: string }>({
    name: 'directory.members',
    text: 'select user_id from directory_group_member where org_id = $1 and group_id = $2',
    values: [orgId, groupId],
  });
  return rows.map(({ user_id }) => user_id);
}

async function hasRole({ tx, orgId }: DirectoryScope, displayName: string): Promise<boolean> {
  const rows = await tx.query<{ role_id: string }>({
    name: 'directory.group-role',
    text: 'select role_id from group_role where org_id = $1 and group_name = lower($2)',
    values: [orgId, displayName],
  });
  return rows.length > 0;
}

async function applyToUsers(scope: DirectoryScope, users: readonly string[]): Promise<void> {
  const distinct = [...new Set(users)];
  if (distinct.length <= MAX_APPLIED_AT_ONCE) return applyAccess(scope, distinct);
  const { services, tx, orgId } = scope;
  await lockUsers(tx, orgId, distinct);
  await tx.query({
    name: 'directory.mark-due',
    text: 'update directory_user set is_due = true where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, distinct],
  });
  await services.jobs.enqueue(tx, 'directory.apply', { orgId }, { key: orgId });
}

async function checkCount({ tx, orgId }: DirectoryScope): Promise<void> {
  const [row] = await tx.query<{ n: number }>({
    name: 'directory.count-groups',
    text: 'select count(*)::int as n from directory_group where org_id = $1',
    values: [orgId],
  });
  if ((row?.n ?? 0) >= MAX_DIRECTORY_GROUPS)
    throw new ScimError(413, `A directory has at most ${MAX_DIRECTORY_GROUPS} groups.`, 'tooMany');
}
