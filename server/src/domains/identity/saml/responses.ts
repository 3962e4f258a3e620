import { sql } from 'kysely';
import { secretHash } from '#core/org-secrets.ts';
import type { Database } from '#database/database.ts';

/** Where posted responses are stored, in the table of the identity provider, which deletes expired rows. */
export const samlResponseModel = 'SamlResponse';
export const samlResponseId = (state: string): string => secretHash(state).toString('hex');

/** Returns the response to the sign-in with this state and deletes it; undefined for an unknown or expired one. */
export const takeSamlResponse = ({ global }: Pick<Database, 'global'>, state: string): Promise<string | undefined> =>
  global(async ({ db }) => {
    const row = await db
      .deleteFrom('oidc_payload')
      .where('model', '=', samlResponseModel)
      .where('id', '=', samlResponseId(state))
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('payload')
      .executeTakeFirst();
    return (row?.payload as { response: string } | undefined)?.response;
  });
