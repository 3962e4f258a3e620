import { type Permission, type Reach, type RoleId, reachOf } from '@sightline/contract/core/permissions.ts';
import type { Database } from '#database/database.ts';
import { Forbidden, Unauthenticated } from './errors.ts';
import {
  breakGlassSql,
  createSessionChecks,
  type PolicyRow,
  policyOf,
  type SessionChecks,
  type SessionPolicy,
} from './session-policy.ts';
import type { Claims } from './tokens.ts';

/** A signed-in person, before or without an organization. */
export interface AccountActor {
  accountId: string;
  email: string;
  requestId: string;
  address: string | undefined;
  /** The session of the identity provider that the token belongs to. */
  sessionId?: string | undefined;
  /** The grant of the extension that asks, where it is one. */
  grantId?: string | undefined;
}

/** A member who asks in the name of an organization. Role and status come from the database, not from the token. */
export interface Actor extends AccountActor {
  orgId: string;
  roleId: RoleId;
  /** The opaque person of this account in the organization. */
  personId: string;
  /** Persons that turned out to be this one: events name them still. */
  formerIds: readonly string[];
  /** The organization is archived: what they ask may only read. */
  archived: boolean;
  reach: (permission: Permission) => Reach | undefined;
}

export interface Membership {
  roleId: RoleId;
  personId: string;
  formerIds: readonly string[];
  /** Of the organization: nothing of it may change. */
  archived: boolean;
  /** Of the organization; undefined where it asks for nothing. */
  sessionPolicy: SessionPolicy | undefined;
}

/** Finds memberships, remembering each for at most 5 seconds: a demotion or deactivation acts within that time. */
export interface Memberships extends Pick<SessionChecks, 'check'> {
  find: (orgId: string, accountId: string) => Promise<Membership | undefined>;
  /** Forgets what is remembered of an account, so that a change acts at once. */
  forget: (accountId: string) => void;
  /** The same for every member of an organization. */
  forgetOrganization: (orgId: string) => void;
}

const freshFor = 5_000;

export function createMemberships(database: Database): Memberships {
  const remembered = new Map<string, { at: number; membership: Promise<Membership | undefined> }>();
  return {
    ...createSessionChecks(database),
    find(orgId, accountId) {
      const key = `${accountId} ${orgId}`;
      const found = remembered.get(key);
      if (found && Date.now() - found.at < freshFor) return found.membership;
      const membership = readMembership(database, orgId, accountId);
      if (remembered.size > 50_000) remembered.clear();
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
    return { roleId, personId, formerIds, archived, sessionPolicy: policyOf(row) };
  });

/** The account of a token; throws 401 without one. */
export function accountActor(claims: Claims | undefined, request: { id: string; ip: string }): AccountActor {
  if (!claims) throw Unauthenticated();
  const { accountId, email, sessionId } = claims;
  return {
    accountId,
    email,
    requestId: request.id,
    address: request.ip,
    sessionId,
    grantId: grantOf(claims),
  };
}

/** The grant of an extension that a token belongs to, where it is one's. */
export const grantOf = ({ extension, sessionId }: Claims): string | undefined => (extension ? sessionId : undefined);

/**
 * The member a token stands for, with `permission` or one of several; throws 401 without a token or where the session must sign in again,
 * 403 without membership or right or from a network that the organization does not allow. `isUse`: a person did this, not a page by itself.
 */
export async function memberActor(
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
  const account = accountActor(claims, request);
  const wanted = permission === undefined ? [] : [permission].flat();
  const named = wanted[0];
  if (claims?.orgId === undefined) throw Forbidden('Select an organization first.', named);
  const membership = await memberships.find(claims.orgId, account.accountId);
  if (!membership) throw Forbidden('You are not a member of this organization.', named);
  if (claims && membership.sessionPolicy) await memberships.check(membership.sessionPolicy, claims, request.ip, isUse);
  if (named && !wanted.some((one) => reachOf(membership.roleId, one))) {
    throw Forbidden('Your role does not allow this. Ask an Account Owner.', named);
  }
  return {
    ...account,
    orgId: claims.orgId,
    roleId: membership.roleId,
    personId: membership.personId,
    formerIds: membership.formerIds,
    archived: membership.archived,
    reach: (name) => reachOf(membership.roleId, name),
  };
}
