import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { idOf, keepOnce, newSecret, spend } from './once.ts';

/** What a link out of a mail is good for. */
export type LinkKind = 'EmailConfirmation' | 'PasswordReset';

export interface LinkOwner {
  accountId: string;
  email: string;
  passwordHash: string | undefined;
  /** Its address was confirmed before. */
  verified: boolean;
  payload: unknown;
}

/** Makes the secret of a link: 256 bits, kept as a hash, for some hours and one use. */
export async function createLink(
  tx: Tx,
  {
    model,
    accountId,
    hours,
    payload = {},
  }: { model: LinkKind; accountId: string; hours: number; payload?: object | undefined },
): Promise<string> {
  const secret = newSecret();
  await keepOnce(tx, model, { secret, payload, minutes: hours * 60, uid: accountId });
  return secret;
}

/** Whose link it is, while it can still be used. */
export async function maybeLink({ db }: Tx, model: LinkKind, token: string): Promise<LinkOwner | undefined> {
  const row = await db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.uid`))
    .leftJoin('account_password as w', 'w.account_id', 'a.id')
    .where('p.model', '=', model)
    .where('p.id', '=', idOf(token))
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
 * Uses a link up, with its account locked until the transaction ends, and answers the account as it is now. Undefined when
 * the link no longer works.
 */
export async function consumeLink(tx: Tx, model: LinkKind, token: string): Promise<LinkOwner | undefined> {
  const link = await maybeLink(tx, model, token);
  if (!link) return undefined;
  await tx.db.selectFrom('account').select('id').where('id', '=', link.accountId).forNoKeyUpdate().execute();
  // A sign-up or confirmation that held the lock may have changed the account.
  const current = await maybeLink(tx, model, token);
  return current && (await spend(tx, model, token)) ? current : undefined;
}

/** Kills every link of a kind that an account still has. */
export async function forgetLinks({ db }: Tx, model: LinkKind, accountId: string): Promise<void> {
  await db.deleteFrom('oidc_payload').where('model', '=', model).where('uid', '=', accountId).execute();
}
