import { MAX_DIRECTORY_USERS } from '@sightline/contract/organization/directory.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { applyAccess, withdrawAccess } from './access.ts';
import { notFound, notUnique, ScimError } from './scim/errors.ts';
import type { PatchOperation } from './scim/patch.ts';
import { addressOf, isSameUser, nameOf, patchUser, type ScimUser } from './scim/user-model.ts';
import type { DirectoryScope, WithheldReason } from './scope.ts';
import { recordDirectoryChange } from './store.ts';

/** Creates a user with the membership that the directory gives them. Throws 409 for a user name that exists. */
export function createUser(services: Services, orgId: string, user: ScimUser): Promise<string> {
  return inScope(services, orgId, async (scope) => {
    await checkCount(scope);
    const id = newId();
    const personId = await personOf(scope, user);
    const rows = await scope.tx.query<{ id: string }>({
      name: 'directory.insert-user',
      text: `insert into directory_user (org_id, id, user_name, external_id, email, is_active, profile, person_id)
             values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (org_id, (lower(user_name))) do nothing returning id`,
      values: [orgId, id, ...valuesOf(user), personId],
    });
    if (rows.length === 0) throw notUnique(`A user with this userName exists already.`);
    await recordPresence(scope, { id, personId, isActive: user.active });
    await applyAccess(scope, [id]);
    return id;
  });
}

/** Replaces the attributes of a user. Writes nothing if none differs. */
export const replaceUser = (services: Services, orgId: string, id: string, user: ScimUser): Promise<void> =>
  changeUser(services, orgId, id, () => user);

/** Applies a PATCH to a user. Writes nothing if it changes nothing. */
export const patchUserOf = (
  services: Services,
  orgId: string,
  id: string,
  operations: readonly PatchOperation[],
): Promise<void> => changeUser(services, orgId, id, (user) => patchUser(user, operations));

async function changeUser(
  services: Services,
  orgId: string,
  id: string,
  change: (user: ScimUser) => ScimUser,
): Promise<void> {
  await inScope(services, orgId, async (scope) => {
    const row = await lockUser(scope, id);
    const after = change(row.user);
    if (isSameUser(row.user, after)) return false;
    const isMoved = addressOf(after) !== addressOf(row.user);
    const personId = isMoved || row.personId === null ? await personOf(scope, after) : row.personId;
    const [taken] = await scope.tx.query<{ id: string }>({
      name: 'directory.user-name-taken',
      text: 'select id from directory_user where org_id = $1 and lower(user_name) = lower($2) and id <> $3',
      values: [orgId, after.userName, id],
    });
    if (taken) throw notUnique('A user with this userName exists already.');
    await scope.tx.query({
      name: 'directory.update-user',
      text: `update directory_user set user_name = $3, external_id = $4, email = $5, is_active = $6, profile = $7,
               person_id = $8, updated_at = now() where org_id = $1 and id = $2`,
      values: [orgId, id, ...valuesOf(after), personId],
    });
    if (after.active !== row.user.active) await recordPresence(scope, { id, personId, isActive: after.active });
    await applyAccess(scope, [id]);
    return true;
  });
}

/** Deletes a user. Their access ends, except that of a last owner, who remains a member. */
export async function deleteUser(services: Services, orgId: string, id: string): Promise<void> {
  await inScope(services, orgId, async (scope) => {
    const { user, personId, accountId, appliedRole, withheld } = await lockUser(scope, id);
    if (user.active) await recordPresence(scope, { id, personId, isActive: false });
    if (appliedRole !== null) await withdrawAccess(scope, { accountId, withheld });
    await scope.tx.query({
      name: 'directory.delete-user',
      text: 'delete from directory_user where org_id = $1 and id = $2',
      values: [orgId, id],
    });
  });
}

/** Runs a change of the directory in one transaction. Records its time unless it returns false. */
export const inScope = <Result>(
  services: Services,
  orgId: string,
  work: (scope: DirectoryScope) => Promise<Result>,
): Promise<Result> =>
  services.database.withOrg(orgId, async (tx) => {
    const result = await work({ services, tx, orgId });
    if (result === false) return result;
    await tx.query({
      name: 'directory.changed',
      text: `update directory set last_change_at = now(), failure = null, failed_at = null
             where org_id = $1 and (failure is not null or last_change_at is null or last_change_at < now() - interval '5 seconds')`,
      values: [orgId],
    });
    return result;
  });

interface LockedUser {
  user: ScimUser;
  personId: string | null;
  accountId: string | null;
  appliedRole: string | null;
  withheld: WithheldReason | null;
}

async function lockUser({ tx, orgId }: DirectoryScope, id: string): Promise<LockedUser> {
  const [row] = await tx.query<
    UserColumns & {
      person_id: string | null;
      account_id: string | null;
      applied_role: string | null;
      withheld: WithheldReason | null;
    }
  >({
    name: 'directory.lock-user',
    text: `select user_name, external_id, is_active, profile, person_id, account_id, applied_role, withheld
           from directory_user where org_id = $1 and id = $2 for no key update`,
    values: [orgId, id],
  });
  if (!row) throw notFound(id);
  const { person_id: personId, account_id: accountId, applied_role: appliedRole, withheld } = row;
  return { user: userOf(row), personId, accountId, appliedRole, withheld };
}

export interface UserColumns {
  user_name: string;
  external_id: string | null;
  is_active: boolean;
  profile: Partial<Pick<ScimUser, 'displayName' | 'name' | 'emails'>>;
}

export const userOf = ({ user_name, external_id, is_active, profile }: UserColumns): ScimUser => ({
  userName: user_name,
  ...(external_id !== null && { externalId: external_id }),
  active: is_active,
  ...(profile.displayName !== undefined && { displayName: profile.displayName }),
  ...(profile.name !== undefined && { name: profile.name }),
  emails: profile.emails ?? [],
});

/** The values of the columns user_name, external_id, email, is_active and profile. */
const valuesOf = (user: ScimUser) => {
  const { userName, externalId = null, active, displayName, name, emails } = user;
  const profile = { display: nameOf(user), displayName, name, emails };
  return [userName, externalId, addressOf(user) ?? null, active, JSON.stringify(profile)] as const;
};

/** The person with the address of a user, created if unknown; null without an address. */
async function personOf({ services, tx, orgId }: DirectoryScope, user: ScimUser): Promise<string | null> {
  const email = addressOf(user);
  if (email === undefined) return null;
  const claim = { names: [{ kind: 'email', value: email } as const], display: nameOf(user), picture: null };
  const [person] = await services.people.resolve(tx, orgId, [{ ...claim, source: 'directory' }]);
  return person ?? null;
}

const recordPresence = (
  scope: DirectoryScope,
  { id, personId, isActive }: { id: string; personId: string | null; isActive: boolean },
): Promise<void> =>
  personId === null ? Promise.resolve() : recordDirectoryChange(scope, { userId: id, personId, isActive });

async function checkCount({ tx, orgId }: DirectoryScope): Promise<void> {
  const [row] = await tx.query<{ n: number }>({
    name: 'directory.count-users',
    text: 'select count(*)::int as n from directory_user where org_id = $1',
    values: [orgId],
  });
  if ((row?.n ?? 0) >= MAX_DIRECTORY_USERS)
    throw new ScimError(413, `A directory has at most ${MAX_DIRECTORY_USERS} users.`, 'tooMany');
}
