import { sql } from 'kysely';
import type { Account, FindAccount } from 'oidc-provider';
import type { Database } from '#database/database.ts';
import { lacksRequiredFactor } from '../second-factors/queries.ts';
import { authorizationClaims, findEntryRole, organizationOfGrant } from './grants.ts';

/**
 * Finds the account of a subject with the claims of its tokens. Undefined for an unknown or unconfirmed account. Also
 * undefined for a token of an organization that the account may no longer enter, or only with a second factor. The
 * token endpoint then rejects the request.
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
    const orgId = grantId === undefined ? undefined : await organizationOfGrant(database, grantId);
    const role = orgId === undefined ? undefined : await findEntryRole(database, orgId, accountId);
    if (orgId !== undefined && !role) return undefined;
    if (orgId !== undefined && (await lacksRequiredFactor(database, orgId, accountId))) return undefined;
    if (orgId !== undefined) await recordActivity(database, orgId, accountId);
    return {
      accountId,
      claims: () => ({
        sub: accountId,
        email: row.email,
        email_verified: true,
        name: row.name,
        ...(row.picture !== null && { picture: row.picture }),
        // Clients of Auth0 require this claim if the request names an organization.
        ...(orgId !== undefined && { org_id: orgId }),
      }),
      access: {
        email: row.email,
        ...(orgId !== undefined && role && { orgID: orgId, authorization: authorizationClaims(role) }),
      },
    };
  };

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
