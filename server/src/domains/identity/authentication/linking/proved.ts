import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

// Which other account was signed in to in a linking sign-in; kept beside the sign-in, and good for as long as a ticket.
export const proofModel = 'ProvedAccount';
const minutes = 5;

export interface ConfirmedAccount {
  id: string;
  email: string;
  /** The sign-in itself was with a passkey that checks the person: no second factor is asked for. */
  whole: boolean;
}

export async function rememberProved(
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

export const maybeProved = ({ db }: Tx, interaction: string): Promise<ConfirmedAccount | undefined> =>
  db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.payload ->> 'accountId'`))
    .select(['a.id', 'a.email', sql<boolean>`(p.payload ->> 'whole')::boolean`.as('whole')])
    .where('p.model', '=', proofModel)
    .where('p.id', '=', interaction)
    .where('p.expires_at', '>', sql<Date>`now()`)
    .where('a.email_verified_at', 'is not', null)
    .executeTakeFirst();
