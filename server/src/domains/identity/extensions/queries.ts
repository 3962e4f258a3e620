import type { Extension, ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import { sql } from 'kysely';
import { forEachOrganizationOfAccount } from '#core/account-audit.ts';
import type { Database, Tx } from '#database/database.ts';

/** Days without use after which a refresh token expires. */
export const GRANT_UNUSED_DAYS = 90;
const isUsed = sql<boolean>`coalesce(g.last_used_at, g.created_at) > now() - make_interval(days => ${GRANT_UNUSED_DAYS})`;

// An MCP client is connected as long as the session in which it was approved.
const hasSession = sql<boolean>`(g.session_id is null
  or exists (select from account_session s where s.id = g.session_id and s.ended_at is null))`;

/**
 * The signed-in extensions and MCP clients of an account in all its organizations, the last used first. `tx` has no organization.
 */
export async function listExtensionsOf(tx: Tx, accountId: string): Promise<Extension[]> {
  const found: Extension[] = [];
  await forEachOrganizationOfAccount(tx, accountId, undefined, async ({ orgId }) => {
    found.push(...(await extensionsIn(tx, orgId, accountId)));
  });
  return found.toSorted((one, other) => usedAt(other).localeCompare(usedAt(one)) || one.id.localeCompare(other.id));
}

async function extensionsIn({ db }: Tx, orgId: string, accountId: string): Promise<Extension[]> {
  const rows = await db
    .selectFrom('extension_grant as g')
    .innerJoin('organization as o', 'o.id', 'g.org_id')
    .select(['g.id', 'g.side', 'g.type', 'g.device', 'g.version', 'g.created_at', 'g.last_used_at', 'o.display_name'])
    .where('g.org_id', '=', orgId)
    .where('g.account_id', '=', accountId)
    .where('g.revoked_at', 'is', null)
    .where(isUsed)
    .where(hasSession)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    side: row.side as Extension['side'],
    type: row.type,
    device: row.device,
    version: row.version,
    organization: { id: orgId, displayName: row.display_name },
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

const usedAt = ({ lastUsedAt, createdAt }: Extension) => lastUsedAt ?? createdAt;

/**
 * Counts members with a signed-in extension of one side, and optionally of one program, and returns its last use.
 */
export async function countConnected(
  tx: Tx,
  orgId: string,
  side: ExtensionSide,
  type?: string,
): Promise<{ people: number; lastUsedAt: string | null }> {
  const row = await tx.db
    .selectFrom('extension_grant as g')
    .select(({ fn }) => [
      fn.count<string>('g.account_id').distinct().as('people'),
      fn.max('g.last_used_at').as('last_used_at'),
    ])
    .where('g.org_id', '=', orgId)
    .where('g.revoked_at', 'is', null)
    .where('g.side', '=', side)
    .$if(type !== undefined, (q) => q.where('g.type', '=', type ?? ''))
    .where(isUsed)
    .executeTakeFirstOrThrow();
  return { people: Number(row.people), lastUsedAt: row.last_used_at?.toISOString() ?? null };
}

/** The active organizations of an account, by name, in which it can connect an MCP client. `tx` has no organization. */
export async function listOrganizationsToConnect(tx: Tx, accountId: string): Promise<{ id: string; name: string }[]> {
  const found: { id: string; name: string }[] = [];
  await forEachOrganizationOfAccount(tx, accountId, undefined, async ({ orgId }) => {
    const row = await tx.db
      .selectFrom('member as m')
      .innerJoin('organization as o', 'o.id', 'm.org_id')
      .select('o.display_name')
      .where('m.org_id', '=', orgId)
      .where('m.account_id', '=', accountId)
      .where('m.status', '<>', 'deactivated')
      .where('o.archived_at', 'is', null)
      .executeTakeFirst();
    if (row) found.push({ id: orgId, name: row.display_name });
  });
  return found.toSorted((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id));
}

/** Whether the connection of an MCP client was disconnected. False before its first token. */
export const isConnectionRevoked = ({ withOrg }: Database, orgId: string, id: string): Promise<boolean> =>
  withOrg(orgId, async ({ db }) => {
    const row = await db
      .selectFrom('extension_grant')
      .select('revoked_at')
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined && row.revoked_at !== null;
  });

/** A member who may enter an organization now. */
export interface EligibleMember {
  personId: string;
  name: string;
  email: string;
  organizationName: string;
}

/**
 * Returns the member for whom an extension acts, if they may enter the organization and have a required second factor.
 * Locks the membership until the transaction ends. An archived organization requires an Account Owner and `archived`.
 */
export async function findEligibleMember(
  tx: Tx,
  orgId: string,
  accountId: string,
  { archived }: { archived: boolean },
): Promise<EligibleMember | undefined> {
  const [row] = await tx.query<{ person_id: string; name: string; email: string; display_name: string }>({
    name: 'extensions.entrant',
    text: `select i.person_id, a.name, a.email, o.display_name
           from member m join organization o on o.id = m.org_id join account a on a.id = m.account_id
             join identity i on i.org_id = m.org_id and i.kind = 'account' and i.value = m.account_id::text
           where m.org_id = $1 and m.account_id = $2 and m.status <> 'deactivated' and a.email_verified_at is not null
             and (o.archived_at is null or ($3 and m.role_id = 'rol_owner'))
             and (not o.require_second_factor or exists (select from account_totp t where t.account_id = a.id)
                  or exists (select from account_passkey p where p.account_id = a.id))
           for share of m`,
    values: [orgId, accountId, archived],
  });
  return row && { personId: row.person_id, name: row.name, email: row.email, organizationName: row.display_name };
}
