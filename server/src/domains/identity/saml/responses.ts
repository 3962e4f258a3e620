import { sql } from 'kysely';
import type { Database, Tx } from '#database/database.ts';
import {
  consumeOneTimeSecret,
  createUrlSecret,
  secretHashHex,
  storeOneTimeSecret,
} from '../authentication/one-time-secrets.ts';

const model = 'SamlResponse';
const minutes = 5;

/**
 * Stores a response that an identity provider posted, until the browser comes back to this site: cookies of this site are
 * not sent with a post of another one. Returns the parameter for the callback.
 */
export async function storeSamlResponse(tx: Tx, connection: string, response: string): Promise<string> {
  const secret = createUrlSecret();
  await storeOneTimeSecret(tx, model, { secret, payload: { connection, response }, minutes });
  return secret;
}

/** Returns the posted response that a callback refers to, once; undefined for an unknown or used one. */
export const takeSamlResponse = (
  { global }: Pick<Database, 'global'>,
  connection: string,
  callback: URL,
): Promise<string | undefined> =>
  global(async (tx) => {
    const secret = callback.searchParams.get('response') ?? '';
    const row = await tx.db
      .selectFrom('oidc_payload')
      .select('payload')
      .where('model', '=', model)
      .where('id', '=', secretHashHex(secret))
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    const stored = row?.payload as { connection: string; response: string } | undefined;
    if (stored?.connection !== connection || !(await consumeOneTimeSecret(tx, model, secret))) return undefined;
    return stored.response;
  });
