import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

/** The account of an address, made if there was none, locked until the transaction ends. */
export async function claimAddress(
  { db }: Tx,
  { email, name }: { email: string; name: string },
): Promise<{ id: string; verified: boolean }> {
  await db
    .insertInto('account')
    .values({ id: newId(), email, name })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .execute();
  const row = await db
    .selectFrom('account')
    .select(['id', 'email_verified_at'])
    .where(sql<boolean>`lower(email) = ${email}`)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { id: row.id, verified: row.email_verified_at !== null };
}
