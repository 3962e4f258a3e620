import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { Tx } from '#database/database.ts';

/** The current role of an account in an organization; undefined if it is no member or a deactivated one. */
export async function findActiveRole({ db }: Tx, orgId: string, accountId: string): Promise<RoleId | undefined> {
  const member = await db
    .selectFrom('member')
    .select('role_id')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('status', '<>', 'deactivated')
    .executeTakeFirst();
  return member?.role_id as RoleId | undefined;
}
