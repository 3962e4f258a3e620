import { sql } from 'kysely';
import { secretHash } from '#core/org-secrets.ts';
import type { Database, Tx } from '#database/database.ts';

/** Where posted responses are stored, in the table of the identity provider, which deletes expired rows. */
const model = 'SamlResponse';
const idOf = (state: string): string => secretHash(state).toString('hex');

const RESPONSE_MINUTES = 5;

/**
 * Stores the response to the sign-in with this state until the browser comes back to this site: cookies of this site are
 * not sent with a post of another one. A later response to the same sign-in replaces it, so that a stranger who repeats
 * one stores it once.
 */
export async function storeSamlResponse({ db }: Tx, state: string, response: string): Promise<void> {
  const values = {
    payload: JSON.stringify({ response }),
    expires_at: sql<Date>`now() + make_interval(mins => ${RESPONSE_MINUTES})`,
  };
  await db
    .insertInto('oidc_payload')
    .values({ model, id: idOf(state), ...values })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
    .execute();
}

/** Returns the response to the sign-in with this state and deletes it; undefined for an unknown or expired one. */
export const takeSamlResponse = ({ global }: Pick<Database, 'global'>, state: string): Promise<string | undefined> =>
  global(async ({ db }) => {
    const row = await db
      .deleteFrom('oidc_payload')
      .where('model', '=', model)
      .where('id', '=', idOf(state))
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('payload')
      .executeTakeFirst();
    return (row?.payload as { response: string } | undefined)?.response;
  });
