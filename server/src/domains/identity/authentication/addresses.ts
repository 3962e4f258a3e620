import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import { mayRegister } from '#core/registration.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/**
 * Finds or creates the account of an email address and locks it until the transaction ends. Undefined if the address is
 * unconfirmed and may not sign up.
 */
export async function findOrCreateAccount(
  services: Services,
  tx: Tx,
  { email, name }: { email: string; name: string },
): Promise<{ id: string; verified: boolean } | undefined> {
  const { db } = tx;
  const known = await lockAccount(tx, email);
  if (known?.verified) return known;
  if (!(await mayRegister(services, tx, email))) return undefined;
  if (known) return known;
  await db
    .insertInto('account')
    .values({ id: newId(), email, name })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .execute();
  return lockAccount(tx, email);
}

async function lockAccount({ db }: Tx, email: string): Promise<{ id: string; verified: boolean } | undefined> {
  const row = await db
    .selectFrom('account')
    .select(['id', 'email_verified_at'])
    .where(sql<boolean>`lower(email) = ${email}`)
    .forUpdate()
    .executeTakeFirst();
  return row && { id: row.id, verified: row.email_verified_at !== null };
}
