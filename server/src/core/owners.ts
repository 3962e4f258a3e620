import type { Tx } from '#database/database.ts';

/** The name of an organization and the email addresses of its active Account Owners. */
export async function findOwnerAddresses(tx: Tx, orgId: string): Promise<{ name: string; owners: string[] }> {
  const { display_name } = await tx.db
    .selectFrom('organization')
    .select('display_name')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  const rows = await tx.db
    .selectFrom('member as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select('a.email')
    .where('m.org_id', '=', orgId)
    .where('m.role_id', '=', 'rol_owner')
    .where('m.status', '=', 'active')
    .orderBy('a.email')
    .execute();
  return { name: display_name, owners: rows.map(({ email }) => email) };
}
