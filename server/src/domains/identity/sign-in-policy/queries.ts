import { sql } from 'kysely';
import {
  breakGlassSql,
  type SessionLogin,
  type SessionPolicy,
  type SingleSignOn,
  sessionPolicyOf,
} from '#core/session-policy.ts';
import type { Database, Tx } from '#database/database.ts';

const isBreakGlass = sql<boolean>`${sql.raw(breakGlassSql)}`;

/** Owners who may sign in without single sign-on. */
export const listBreakGlassOwners = ({ db }: Tx, orgId: string): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('member as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['a.id', 'a.name'])
    .where('m.org_id', '=', orgId)
    .where(isBreakGlass)
    .orderBy('a.name')
    .orderBy('a.id')
    .execute();

/** The session policy of an organization for a member; undefined if it has none or does not exist. */
export const findSessionPolicy = (
  { withOrg }: Database,
  orgId: string,
  accountId: string,
): Promise<SessionPolicy | undefined> =>
  withOrg(orgId, async (tx) => {
    const row = await tx.db
      .selectFrom('organization as o')
      .leftJoin('member as m', (join) => join.onRef('m.org_id', '=', 'o.id').on('m.account_id', '=', accountId))
      .select(['o.idle_minutes', 'o.session_hours', 'o.allowed_networks', 'o.sso_connection'])
      .select(sql<boolean>`coalesce(${isBreakGlass}, false)`.as('breakGlass'))
      .where('o.id', '=', orgId)
      .executeTakeFirst();
    if (!row) return undefined;
    const sso_connection = row.breakGlass ? null : row.sso_connection;
    return sessionPolicyOf({ ...row, sso_connection, domains: await listVerifiedDomains(tx, orgId) });
  });

/** The required login of an organization; undefined if it requires none. */
export async function findSingleSignOn(tx: Tx, orgId: string): Promise<SingleSignOn | undefined> {
  const row = await tx.db
    .selectFrom('organization')
    .select('sso_connection')
    .where('id', '=', orgId)
    .executeTakeFirst();
  if (!row?.sso_connection) return undefined;
  return { connection: row.sso_connection, domains: await listVerifiedDomains(tx, orgId) };
}

export async function listVerifiedDomains({ db }: Tx, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organization_domain')
    .select('domain')
    .where('org_id', '=', orgId)
    .where('verified_at', 'is not', null)
    .orderBy('domain')
    .execute();
  return rows.map(({ domain }) => domain);
}

/** The addresses that the provider of an external login confirmed. */
export async function findSessionLogin(
  { db }: Tx,
  identity: { connection: string; subject: string } | undefined,
): Promise<SessionLogin | undefined> {
  if (!identity) return undefined;
  const rows = await db
    .selectFrom('account_identity_email')
    .select('email')
    .where('connection', '=', identity.connection)
    .where('subject', '=', identity.subject)
    .execute();
  return { connection: identity.connection, emails: rows.map(({ email }) => email) };
}
