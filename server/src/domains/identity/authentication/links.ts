import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { consumeOneTimeSecret, createUrlSecret, secretHashHex, storeOneTimeSecret } from './one-time-secrets.ts';

/** The purpose of a link in an email. */
export type LinkKind = 'EmailConfirmation' | 'PasswordReset';

export interface LinkOwner {
  accountId: string;
  email: string;
  passwordHash: string | undefined;
  /** Whether the address is already confirmed. */
  verified: boolean;
  payload: unknown;
}

/** Creates the secret of a link: 256 bits, stored as a hash, valid for some hours and one use. */
export async function createLink(
  tx: Tx,
  {
    model,
    accountId,
    hours,
    payload = {},
  }: { model: LinkKind; accountId: string; hours: number; payload?: object | undefined },
): Promise<string> {
  const secret = createUrlSecret();
  await storeOneTimeSecret(tx, model, { secret, payload, minutes: hours * 60, uid: accountId });
  return secret;
}

/** The account of a link; undefined if the link is no longer valid. */
export async function maybeLink({ db }: Tx, model: LinkKind, token: string): Promise<LinkOwner | undefined> {
  const row = await db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.uid`))
    .leftJoin('account_password as w', 'w.account_id', 'a.id')
    .where('p.model', '=', model)
    .where('p.id', '=', secretHashHex(token))
    .where('p.consumed_at', 'is', null)
    .where('p.expires_at', '>', sql<Date>`now()`)
    .select(['a.id', 'a.email', 'a.email_verified_at', 'w.hash', 'p.payload'])
    .executeTakeFirst();
  return (
    row && {
      accountId: row.id,
      email: row.email,
      passwordHash: row.hash ?? undefined,
      verified: row.email_verified_at !== null,
      payload: row.payload,
    }
  );
}

/**
 * Consumes a link, locks its account until the transaction ends, and returns the current state of the account.
 * Undefined if the link is no longer valid.
 */
export async function consumeLink(tx: Tx, model: LinkKind, token: string): Promise<LinkOwner | undefined> {
  const link = await maybeLink(tx, model, token);
  if (!link) return undefined;
  await tx.db.selectFrom('account').select('id').where('id', '=', link.accountId).forNoKeyUpdate().execute();
  // A sign-up or confirmation that held the lock may have changed the account.
  const current = await maybeLink(tx, model, token);
  return current && (await consumeOneTimeSecret(tx, model, token)) ? current : undefined;
}

/** Invalidates all links of one kind of an account. */
export async function invalidateLinks({ db }: Tx, model: LinkKind, accountId: string): Promise<void> {
  await db.deleteFrom('oidc_payload').where('model', '=', model).where('uid', '=', accountId).execute();
}
