import type { SecondFactors } from '@sightline/contract/identity/second-factors.ts';
import { sql } from 'kysely';
import type { Database, Tx } from '#database/database.ts';

/** The second factors of an account. The transaction must be in the name of the account. */
export async function findSecondFactors({ db }: Tx, accountId: string): Promise<SecondFactors> {
  const totp = await db
    .selectFrom('account_totp')
    .select('created_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const passkeys = await db
    .selectFrom('account_passkey')
    .select(['id', 'name', 'created_at', 'last_used_at', 'synced'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const codes = await db
    .selectFrom('account_recovery_code')
    .select(sql<number>`count(*) filter (where used_at is null)::int`.as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const requiring = await db
    .selectFrom('organization as o')
    .innerJoin('member as m', 'm.org_id', 'o.id')
    .select('o.display_name')
    .where('m.account_id', '=', accountId)
    .where('m.status', '<>', 'deactivated')
    .where('o.require_second_factor', '=', true)
    .where('o.archived_at', 'is', null)
    .orderBy('o.display_name')
    .orderBy('o.id')
    .execute();
  return {
    totp: totp ? { addedAt: totp.created_at.toISOString() } : null,
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      addedAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      synced: row.synced,
    })),
    recoveryCodesLeft: totp || passkeys.length > 0 ? codes.left : null,
    requiredBy: requiring.map(({ display_name }) => display_name),
  };
}

export interface OwnFactors {
  totp: boolean;
  passkeys: boolean;
}

export const hasAnyFactor = ({ totp, passkeys }: OwnFactors): boolean => totp || passkeys;

/** The kinds of factors of an account. */
export async function findOwnFactors(tx: Tx, accountId: string): Promise<OwnFactors> {
  const [row] = await tx.query<OwnFactors>({
    name: 'second-factors.own',
    text: `select exists (select from account_totp where account_id = $1) as totp,
                  exists (select from account_passkey where account_id = $1) as passkeys`,
    values: [accountId],
  });
  return row ?? { totp: false, passkeys: false };
}

/** Whether an account that may enter an organization lacks the second factor it requires. */
export const lacksRequiredFactor = (database: Database, orgId: string, accountId: string): Promise<boolean> =>
  database.withOrg(orgId, async (tx) => {
    const organization = await tx.db
      .selectFrom('organization')
      .select('require_second_factor')
      .where('id', '=', orgId)
      .executeTakeFirst();
    return organization?.require_second_factor === true && !hasAnyFactor(await findOwnFactors(tx, accountId));
  });
