import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

/** Creates a single-use code, valid for one hour, that authorizes an action of the operator. */
export async function createOperatorCode({ db }: Tx, purpose: string): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  await db.deleteFrom('operator_code').where('expires_at', '<', sql<Date>`now()`).execute();
  await db
    .insertInto('operator_code')
    .values({ hash: hashOf(code), purpose, expires_at: sql<Date>`now() + interval '1 hour'` })
    .execute();
  return code;
}

/** Consumes a code. Returns whether it was valid. */
export async function consumeOperatorCode({ db }: Tx, purpose: string, code: string): Promise<boolean> {
  const used = await db
    .deleteFrom('operator_code')
    .where('hash', '=', hashOf(code))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('purpose')
    .executeTakeFirst();
  return used !== undefined;
}

const hashOf = (code: string): Buffer => createHash('sha256').update(code.trim()).digest();
