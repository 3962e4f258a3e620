import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

/** What a challenge was made for; one made for making a passkey is no good for using one. */
export type ChallengeUse = 'PasskeyCreation' | 'PasskeyRequest';

const idOf = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Remembers a challenge for its owner, an account or a sign-in, for some minutes and one use. Its row lies beside the provider's own, and is swept with them. */
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

/** The challenge that still stands for an owner: a page drawn again asks the same. */
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

/** Uses a challenge up; false for a stranger's, an old or a used one. */
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
