import { sql } from 'kysely';
import { secretHash } from '#core/org-secrets.ts';
import type { Database } from '#database/database.ts';

/** Where posted responses are stored, in the table of the identity provider, which deletes expired rows. */
export const samlResponseModel = 'SamlResponse';
export const samlResponseId = (secret: string): string => secretHash(secret).toString('hex');

/** Returns the posted response that a callback refers to, once; undefined for an unknown, used or expired one. */
export const takeSamlResponse = (
  { global }: Pick<Database, 'global'>,
  connection: string,
  callback: URL,
): Promise<string | undefined> =>
  global(async ({ db }) => {
    const row = await db
      .updateTable('oidc_payload')
      .set({ consumed_at: sql`now()` })
      .where('model', '=', samlResponseModel)
      .where('id', '=', samlResponseId(callback.searchParams.get('response') ?? ''))
      .where('consumed_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .where(sql<boolean>`payload ->> 'connection' = ${connection}`)
      .returning('payload')
      .executeTakeFirst();
    return (row?.payload as { response: string } | undefined)?.response;
  });
