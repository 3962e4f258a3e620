import {
  type Permission,
  type PermissionScope,
  permissionScopeOf,
  type RoleId,
} from '@sightline/contract/core/permissions.ts';
import type { Database } from '#database/database.ts';
import { Forbidden, Unauthenticated } from './errors.ts';
import {
  breakGlassSql,
  createSessionChecks,
  type PolicyRow,
  type SessionChecks,
  type SessionPolicy,
  sessionPolicyOf,
} from './session-policy.ts';
import type { Claims } from './tokens.ts';

/** A signed-in account, with or without a selected organization. */
export interface AccountActor {
  accountId: string;
  email: string;
  requestId: string;
  address: string | undefined;
  /** The session of the identity provider that the token belongs to. */
  sessionId?: string | undefined;
  /** The grant of the calling extension, if the caller is one. */
  grantId?: string | undefined;
}

/** A member who acts in an organization. Role and status come from the database, not from the token. */
export interface Actor extends AccountActor {
  orgId: string;
  roleId: RoleId;
  /** The opaque person of this account in the organization. */
  personId: string;
  /** Persons merged into this one. Earlier events still contain their IDs. */
  formerIds: readonly string[];
  /** The organization is archived, so that the actor may only read. */
  archived: boolean;
  reach: (permission: Permission) => PermissionScope | undefined;
}

export interface Membership {
  roleId: RoleId;
  personId: string;
  formerIds: readonly string[];
  /** The organization is archived and read-only. */
  archived: boolean;
  /** The session policy of the organization; undefined if it has none. */
  sessionPolicy: SessionPolicy | undefined;
}

/**
 * Finds memberships and caches each for at most 5 seconds: a demotion or deactivation takes effect within that time.
 */
export interface Memberships extends Pick<SessionChecks, 'check'> {
  find: (orgId: string, accountId: string) => Promise<Membership | undefined>;
  /** Removes an account from the cache, so that a change takes effect at once. */
  forget: (accountId: string) => void;
  /** Removes every member of an organization from the cache. */
  forgetOrganization: (orgId: string) => void;
}

const cacheMs = 5_000;

export function createMemberships(database: Database): Memberships {
  const remembered = new Map<string, { at: number; membership: Promise<Membership | undefined> }>();
  return {
    ...createSessionChecks(database),
    find(orgId, accountId) {
      const key = `${accountId} ${orgId}`;
      const found = remembered.get(key);
      if (found && Date.now() - found.at < cacheMs) return found.membership;
      const membership = readMembership(database, orgId, accountId);
      // Outdated entries come first, since a renewed one moves to the end.
      remembered.delete(key);
      for (const [first, { at }] of remembered) {
        if (Date.now() - at < cacheMs && remembered.size < 50_000) break;
        remembered.delete(first);
      }
      remembered.set(key, { at: Date.now(), membership });
      membership.catch(() => remembered.delete(key));
      return membership;
    },
    forget(accountId) {
      for (const key of remembered.keys()) if (key.startsWith(`${accountId} `)) remembered.delete(key);
    },
    forgetOrganization(orgId) {
      for (const key of remembered.keys()) if (key.endsWith(` ${orgId}`)) remembered.delete(key);
    },
  };
}

const readMembership = (database: Database, orgId: string, accountId: string) =>
  database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<
      { role_id: RoleId; person_id: string | null; former: string[]; archived: boolean } & PolicyRow
    >({
      name: 'actor.membership',
      text: `select m.role_id, i.person_id, o.archived_at is not null as archived,
               o.idle_minutes, o.session_hours, o.allowed_networks, case when not ${breakGlassSql} then o.sso_connection end as sso_connection,
               case when o.sso_connection is null then '{}' else array(
                 select d.domain from organization_domain d where d.org_id = m.org_id and d.verified_at is not null) end as domains,
               array(select p.id from person p where p.org_id = m.org_id and p.merged_into = i.person_id order by p.id) as former
             from member m
             join organization o on o.id = m.org_id
             left join identity i on i.org_id = m.org_id and i.kind = 'account' and i.value = m.account_id::text
             where m.org_id = $1 and m.account_id = $2 and m.status <> 'deactivated'
               and (o.archived_at is null or m.role_id = 'rol_owner')`,
      values: [orgId, accountId],
    });
    if (!row?.person_id) return undefined;
    const { role_id: roleId, person_id: personId, former: formerIds, archived } = row;
    return { roleId, personId, formerIds, archived, sessionPolicy: sessionPolicyOf(row) };
  });

/** The account of a token; throws 401 without one. */
export function requireAccountActor(claims: Claims | undefined, request: { id: string; ip: string }): AccountActor {
  if (!claims) throw Unauthenticated();
  const { accountId, email, sessionId } = claims;
  return {
    accountId,
    email,
    requestId: request.id,
    address: request.ip,
    sessionId,
    grantId: extensionGrantOf(claims),
  };
}

/** The extension grant of a token; undefined for any other token. */
export const extensionGrantOf = ({ extension, sessionId }: Claims): string | undefined =>
  extension ? sessionId : undefined;

/**
 * Returns the member of a token if they have one of the permissions. Throws 401 without a token or if the session must
 * sign in again. Throws 403 without membership or permission, or from a network that the organization does not allow.
 * `isUse` is true for a user action and false for automatic polling.
 */
export async function requireMemberActor(
  memberships: Memberships,
  {
    claims,
    request,
    permission,
    isUse = false,
  }: {
    claims: Claims | undefined;
    request: { id: string; ip: string };
    permission: Permission | readonly Permission[] | undefined;
    isUse?: boolean | undefined;
  },
): Promise<Actor> {
  const account = requireAccountActor(claims, request);
  const wanted = permission === undefined ? [] : [permission].flat();
  const named = wanted[0];
  if (claims?.orgId === undefined) throw Forbidden('Select an organization first.', named);
  const membership = await memberships.find(claims.orgId, account.accountId);
  if (!membership) throw Forbidden('You are not a member of this organization.', named);
  if (claims && membership.sessionPolicy) await memberships.check(membership.sessionPolicy, claims, request.ip, isUse);
  if (named && !wanted.some((one) => permissionScopeOf(membership.roleId, one))) {
    throw Forbidden('Your role does not allow this. Ask an Account Owner.', named);
  }
  return {
    ...account,
    orgId: claims.orgId,
    roleId: membership.roleId,
    personId: membership.personId,
    formerIds: membership.formerIds,
    archived: membership.archived,
    reach: (name) => permissionScopeOf(membership.roleId, name),
  };
}
