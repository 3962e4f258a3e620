import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

/** The purpose of a challenge. A challenge for creating a passkey is invalid for using one. */
export type ChallengeUse = 'PasskeyCreation' | 'PasskeyRequest';

const idOf = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/**
 * Stores a challenge of an account or a sign-in, for some minutes and one use. The row is in the table of oidc-provider
 * and expires with its rows.
 */
export async function rememberChallenge(
  { db }: Tx,
  {
    model,
    owner,
    challenge,
    minutes = 5,
  }: { model: ChallengeUse; owner: string; challenge: string; minutes?: number | undefined },
): Promise<void> {
  await db
    .insertInto('oidc_payload')
    .values({
      model,
      id: idOf(challenge),
      uid: owner,
      payload: JSON.stringify({ challenge }),
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .execute();
}

/** The valid challenge of an owner, so that a reloaded page uses the same one. */
export async function maybeChallenge({ db }: Tx, model: ChallengeUse, owner: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('oidc_payload')
    .select('payload')
    .where('model', '=', model)
    .where('uid', '=', owner)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst();
  return (row?.payload as { challenge?: string } | undefined)?.challenge;
}

/** Consumes a challenge. Returns false for an expired or used one, or one of another owner. */
export async function consumeChallenge(
  { db }: Tx,
  model: ChallengeUse,
  owner: string,
  challenge: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', '=', model)
    .where('id', '=', idOf(challenge))
    .where('uid', '=', owner)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
