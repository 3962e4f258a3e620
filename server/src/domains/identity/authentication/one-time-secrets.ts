import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

/** A secret of 256 random bits for URLs. */
export const createUrlSecret = (): string => randomBytes(32).toString('base64url');

/** The ID under which a secret is stored: its hash, so that the table does not reveal it. */
export const secretHashHex = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Stores a payload under a secret, for some minutes and one use. The row is in the table of oidc-provider and expires
 * with its rows.
 */
export async function storeOneTimeSecret(
  { db }: Tx,
  model: string,
  { secret, payload, minutes, uid }: { secret: string; payload: object; minutes: number; uid?: string },
): Promise<void> {
  await db
    .insertInto('oidc_payload')
    .values({
      model,
      id: secretHashHex(secret),
      ...(uid !== undefined && { uid }),
      payload: JSON.stringify(payload),
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .execute();
}

/** Consumes a secret. Returns false if it was already used. */
export async function consumeOneTimeSecret({ db }: Tx, model: string, secret: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', '=', model)
    .where('id', '=', secretHashHex(secret))
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
