import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Secrets } from '#core/secrets.ts';
import type { Tx } from '#database/database.ts';
import { hashOf } from './invitations.ts';

// Kept beside the provider's own short-lived payloads, and swept with them.
const model = 'EmailConfirmation';
const lifeHours = 24;

export interface Confirmation {
  accountId: string;
  email: string;
  passwordHash: string | undefined;
  /** The ticket of the invitation the person signed up for. */
  ticket: string | undefined;
}

/** Makes the secret of a confirmation link: 256 bits, kept as a hash, for 24 hours and one use. */
export async function createConfirmation({ db }: Tx, accountId: string, ticket?: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('oidc_payload')
    .values({
      model,
      id: hashOf(token).toString('hex'),
      uid: accountId,
      payload: JSON.stringify({ ticket: ticket ?? null }),
      expires_at: sql<Date>`now() + make_interval(hours => ${lifeHours})`,
    })
    .execute();
  return token;
}

/** What a link stands for while it can still be used. */
export async function maybeConfirmation({ db }: Tx, token: string): Promise<Confirmation | undefined> {
  const row = await db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.uid`))
    .leftJoin('account_password as w', 'w.account_id', 'a.id')
    .where('p.model', '=', model)
    .where('p.id', '=', hashOf(token).toString('hex'))
    .where('p.consumed_at', 'is', null)
    .where('p.expires_at', '>', sql<Date>`now()`)
    .select(['a.id', 'a.email', 'w.hash', 'p.payload'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { ticket } = row.payload as { ticket: string | null };
  return { accountId: row.id, email: row.email, passwordHash: row.hash ?? undefined, ticket: ticket ?? undefined };
}

/** Uses a link up and confirms its address; false when somebody was faster. */
export async function useConfirmation({ db }: Tx, token: string, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', '=', model)
    .where('id', '=', hashOf(token).toString('hex'))
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  await db
    .updateTable('account')
    .set({ email_verified_at: sql`coalesce(email_verified_at, now())` })
    .where('id', '=', accountId)
    .execute();
  return true;
}

export async function forgetConfirmations({ db }: Tx, accountId: string): Promise<void> {
  await db.deleteFrom('oidc_payload').where('model', '=', model).where('uid', '=', accountId).execute();
}

const userPlace = { org: '-', table: 'account', field: 'user_id' };
const browserPlace = { org: '-', table: 'account', field: 'sign_up' };

/** The id of an account as the confirm screen gets it: sealed, so that it says nothing, not even its age. */
export const userIdOf = (secrets: Secrets, accountId: string): string =>
  secrets.seal(userPlace, Buffer.from(accountId)).toString('base64url');

export const accountIdOf = (secrets: Secrets, userId: string): string | undefined => opened(secrets, userPlace, userId);

/**
 * What the browser that signed up keeps. It names the password chosen there, so that nobody who signed up with
 * somebody else's address gets that person to confirm a password they never chose.
 */
export const browserProof = (secrets: Secrets, accountId: string, passwordHash: string): string =>
  secrets.seal(browserPlace, Buffer.from(digestOf(accountId, passwordHash))).toString('base64url');

export const isSameBrowser = (secrets: Secrets, proof: string | undefined, confirmation: Confirmation): boolean =>
  proof !== undefined &&
  confirmation.passwordHash !== undefined &&
  opened(secrets, browserPlace, proof) === digestOf(confirmation.accountId, confirmation.passwordHash);

const digestOf = (accountId: string, passwordHash: string) =>
  createHash('sha256').update(`${accountId} ${passwordHash}`).digest('hex');

function opened(secrets: Secrets, place: Parameters<Secrets['open']>[0], sealed: string): string | undefined {
  try {
    return secrets.open(place, Buffer.from(sealed, 'base64url')).toString();
  } catch {
    return undefined; // Made up, or sealed for something else.
  }
}
