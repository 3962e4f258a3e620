import { permissionScopeOf, permissions, type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import { sql } from 'kysely';
import { type Database, movedToOf } from '#database/database.ts';

// The provider does not store the organization of a request after it issued the code. It is stored with the ID of the
// grant.
export const grantModel = 'GrantOrganization';

/** Identifies the grant of a browser session for a client and an organization (`-` for none). */
export interface GrantKey {
  sessionUid: string;
  clientId: string;
  accountId: string;
  orgId: string | undefined;
}

export const grantUid = ({ sessionUid, clientId, accountId, orgId }: GrantKey) =>
  [sessionUid, clientId, accountId, orgId ?? '-'].join(' ');

export const maybeGrantId = ({ global }: Database, key: GrantKey): Promise<string | undefined> =>
  global(async ({ db }) => {
    const row = await db
      .selectFrom('oidc_payload')
      .select('id')
      .where('model', '=', grantModel)
      .where('uid', '=', grantUid(key))
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('expires_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.id;
  });

/** `connectionId`: the ID of the connection of an MCP client, which exists from the first token on. */
export async function rememberGrant(
  { global }: Database,
  { connectionId, ...key }: GrantKey & { connectionId?: string },
  grantId: string,
  ttl: number,
): Promise<void> {
  await global(({ db }) =>
    db
      .insertInto('oidc_payload')
      .values({
        model: grantModel,
        id: grantId,
        uid: grantUid(key),
        payload: JSON.stringify({ orgId: key.orgId ?? null, connectionId }),
        expires_at: sql<Date>`now() + make_interval(secs => ${ttl})`,
      })
      .execute(),
  );
}

export interface GrantFacts {
  orgId: string | undefined;
  /** The connection of an MCP client. */
  connectionId: string | undefined;
}

/** The organization of a grant, and its connection if it is one of an MCP client. */
export const findGrantFacts = ({ global }: Database, grantId: string): Promise<GrantFacts> =>
  global(async ({ db }) => {
    const row = await db
      .selectFrom('oidc_payload')
      .select('payload')
      .where('model', '=', grantModel)
      .where('id', '=', grantId)
      .executeTakeFirst();
    const payload = row?.payload as { orgId: string | null; connectionId?: string } | undefined;
    return { orgId: payload?.orgId ?? undefined, connectionId: payload?.connectionId };
  });

export interface EntryRole {
  roleId: RoleId;
  /** Whether the organization is archived. */
  archived: boolean;
}

/**
 * The role in which an account may enter an organization; undefined without an active membership. Only Account Owners
 * may enter an archived organization. An organization that moved to another installation cannot be entered.
 */
export const findEntryRole = (database: Database, orgId: string, accountId: string): Promise<EntryRole | undefined> =>
  readEntryRole(database, orgId, accountId).catch((error: unknown) => {
    if (movedToOf(error) !== undefined) return undefined;
    throw error;
  });

const readEntryRole = ({ withOrg }: Database, orgId: string, accountId: string): Promise<EntryRole | undefined> =>
  withOrg(orgId, async ({ db }) => {
    const row = await db
      .selectFrom('member as m')
      .innerJoin('organization as o', 'o.id', 'm.org_id')
      .select(['m.role_id', 'o.archived_at'])
      .where('m.org_id', '=', orgId)
      .where('m.account_id', '=', accountId)
      .where('m.status', '<>', 'deactivated')
      .where((where) => where.or([where('o.archived_at', 'is', null), where('m.role_id', '=', 'rol_owner')]))
      .executeTakeFirst();
    return row && { roleId: row.role_id as RoleId, archived: row.archived_at !== null };
  });

/**
 * The role and permission claims of a member; in an archived organization only read permissions. The server reads the
 * role from the database on each request.
 */
export const authorizationClaims = ({ roleId, archived }: EntryRole) => ({
  roles: [roleNames[roleId]],
  permissions: permissions.filter(
    (permission) =>
      permissionScopeOf(roleId, permission) !== undefined && (!archived || permission.startsWith('read:')),
  ),
});
