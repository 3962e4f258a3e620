import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

/** A secret that shows, once and within an hour, that somebody may act for the operator. */
export async function makeOperatorCode({ db }: Tx, purpose: string): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  await db.deleteFrom('operator_code').where('expires_at', '<', sql<Date>`now()`).execute();
  await db
    .insertInto('operator_code')
    .values({ hash: hashOf(code), purpose, expires_at: sql<Date>`now() + interval '1 hour'` })
    .execute();
  return code;
}

/** Uses a code up; answers whether it was good. */
export async function useOperatorCode({ db }: Tx, purpose: string, code: string): Promise<boolean> {
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
