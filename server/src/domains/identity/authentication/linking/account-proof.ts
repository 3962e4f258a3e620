import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

// The other account of a linking sign-in that passed its first factor. It is stored by interaction for a few minutes.
export const proofModel = 'ProvedAccount';
const minutes = 5;

/** An account whose sign-in was verified while another one is signed in, to merge the two. */
export interface ConfirmedAccount {
  id: string;
  email: string;
  /** The sign-in used a user-verifying passkey, so that no second factor is required. */
  whole: boolean;
}

/** Stores the proof for the merge pages, for five minutes. */
export async function storeAccountProof(
  { db }: Tx,
  interaction: string,
  { id, whole }: Pick<ConfirmedAccount, 'id' | 'whole'>,
): Promise<void> {
  const values = {
    payload: JSON.stringify({ accountId: id, whole }),
    expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
  };
  await db
    .insertInto('oidc_payload')
    .values({ model: proofModel, id: interaction, ...values })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
    .execute();
}

/** Returns the account of a valid proof; undefined if it expired, or the account has no confirmed email. */
export const findAccountProof = ({ db }: Tx, interaction: string): Promise<ConfirmedAccount | undefined> =>
  db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.payload ->> 'accountId'`))
    .select(['a.id', 'a.email', sql<boolean>`(p.payload ->> 'whole')::boolean`.as('whole')])
    .where('p.model', '=', proofModel)
    .where('p.id', '=', interaction)
    .where('p.expires_at', '>', sql<Date>`now()`)
    .where('a.email_verified_at', 'is not', null)
    .executeTakeFirst();
