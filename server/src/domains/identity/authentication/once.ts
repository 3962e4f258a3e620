import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

/** A secret of 256 random bits for URLs. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The ID under which a secret is stored: its hash, so that the table does not reveal it. */
export const idOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Stores a payload under a secret, for some minutes and one use. The row is in the table of oidc-provider and expires
 * with its rows.
 */
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

/** Consumes a secret. Returns false if it was already used. */
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
