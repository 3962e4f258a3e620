import { createHash, randomBytes } from 'node:crypto';
import { recoveryCodeCount } from '@sightline/contract/identity/second-factors.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

// Excludes letters and digits that look alike.
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const codeLength = 16;

/** Replaces the recovery codes of an account. They are stored as hashes: 79 random bits cannot be guessed. */
export async function replaceRecoveryCodes({ db }: Tx, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await db.deleteFrom('account_recovery_code').where('account_id', '=', accountId).execute();
  await db
    .insertInto('account_recovery_code')
    .values(codes.map((code) => ({ account_id: accountId, hash: hashOf(code) })))
    .execute();
  return codes;
}

/** Consumes a recovery code. Returns false for an unknown or used one. */
export async function consumeRecoveryCode({ db }: Tx, accountId: string, code: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_recovery_code')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** In the format `abcd-efgh-jkmn-pqrs`. */
function newCode(): string {
  const letters: string[] = [];
  while (letters.length < codeLength) {
    // Bytes beyond a multiple of 31 are skipped, so that all letters are equally likely.
    for (const byte of randomBytes(32)) if (byte < 248) letters.push(alphabet[byte % 31] ?? '');
  }
  return (letters.slice(0, codeLength).join('').match(/.{4}/g) ?? []).join('-');
}

const hashOf = (code: string) => createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest();
