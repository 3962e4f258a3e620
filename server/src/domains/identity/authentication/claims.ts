import { sql } from 'kysely';
import type { Account, FindAccount } from 'oidc-provider';
import type { Database } from '#database/database.ts';
import { isConnectionRevoked } from '../extensions/queries.ts';
import { lacksRequiredFactor } from '../second-factors/queries.ts';
import { authorizationClaims, type EntryRole, findEntryRole, findGrantFacts } from './grants.ts';

/**
 * Finds the account of a subject with the claims of its tokens. Undefined for an unknown or unconfirmed account. Also
 * undefined for a token of an organization that the account may no longer enter, or only with a second factor, and for
 * one of a disconnected MCP client. The token endpoint then rejects the request.
 */
export const findAccount =
  (database: Database): FindAccount =>
  async (_ctx, accountId, token): Promise<Account | undefined> => {
    const row = await database.global(({ db }) =>
      db
        .selectFrom('account')
        .select(['email', 'name', 'picture'])
        .where('id', '=', accountId)
        .where('email_verified_at', 'is not', null)
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    const grantId = token && 'grantId' in token ? token.grantId : undefined;
    const entry = grantId === undefined ? undefined : await findEntry(database, accountId, grantId);
    if (entry === 'refused') return undefined;
    if (entry) await recordActivity(database, entry.orgId, accountId);
    return {
      accountId,
      claims: () => ({
        sub: accountId,
        email: row.email,
        email_verified: true,
        name: row.name,
        ...(row.picture !== null && { picture: row.picture }),
        // Clients of Auth0 require this claim if the request names an organization.
        ...(entry && { org_id: entry.orgId }),
      }),
      access: {
        email: row.email,
        ...(entry && { orgID: entry.orgId, authorization: authorizationClaims(entry.role) }),
      },
    };
  };

interface GrantEntry {
  orgId: string;
  role: EntryRole;
}

/**
 * The organization of a grant with the role of the account; undefined for a grant without one. Refused without
 * membership or a required second factor, and for an MCP client that was disconnected.
 */
async function findEntry(
  database: Database,
  accountId: string,
  grantId: string,
): Promise<GrantEntry | 'refused' | undefined> {
  const { orgId, connectionId } = await findGrantFacts(database, grantId);
  if (orgId === undefined) return undefined;
  const role = await findEntryRole(database, orgId, accountId);
  if (!role || (await lacksRequiredFactor(database, orgId, accountId))) return 'refused';
  if (connectionId !== undefined && (await isConnectionRevoked(database, orgId, connectionId))) return 'refused';
  return { orgId, role };
}

/** Records the activity of a member. A browser requests a token every few minutes while a page is open. */
async function recordActivity({ withOrg }: Database, orgId: string, accountId: string): Promise<void> {
  await withOrg(orgId, ({ db }) =>
    db
      .updateTable('member')
      .set({ last_activity_at: sql`now()` })
      .where('org_id', '=', orgId)
      .where('account_id', '=', accountId)
      .where(sql<boolean>`coalesce(last_activity_at < now() - interval '1 minute', true)`)
      .execute(),
  );
}
