import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

/** 256 random bits for an address. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Under which id a secret is kept: nobody who reads the table can use it. */
export const idOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Keeps something under a secret, for some minutes and one use. Its row lies beside the provider's own, and is swept with them. */
export async function keepOnce(
  { db }: Tx,
  model: string,
  { secret, payload, minutes, uid }: { secret: string; payload: object; minutes: number; uid?: string },
): Promise<void> {
  await db
    .insertInto('oidc_payload')
    .values({
      model,
      id: idOf(secret),
      ...(uid !== undefined && { uid }),
      payload: JSON.stringify(payload),
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .execute();
}

/** Uses a secret up; false when somebody was faster. */
export async function spend({ db }: Tx, model: string, secret: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', '=', model)
    .where('id', '=', idOf(secret))
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
