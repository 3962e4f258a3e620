import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { consumeOneTimeSecret, createUrlSecret, secretHashHex, storeOneTimeSecret } from '../one-time-secrets.ts';

/** Permission to connect a login to an account, granted to a session after a recent sign-in. */
export interface LinkTicket {
  token: string;
  accountId: string;
  /** The email address of the account. */
  email: string;
  connection: string;
  /** The path at which the app continues. */
  path: string;
}

export const ticketModel = 'LinkTicket';
const minutes = 10;

export async function createTicket(
  tx: Tx,
  payload: Pick<LinkTicket, 'accountId' | 'connection' | 'path'>,
): Promise<string> {
  const secret = createUrlSecret();
  await storeOneTimeSecret(tx, ticketModel, { secret, payload, minutes });
  return secret;
}

/** The ticket with its account, regardless of the caller. Undefined for an expired or used ticket. */
export async function findTicket({ db }: Tx, token: string): Promise<LinkTicket | undefined> {
  const row = await db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.payload ->> 'accountId'`))
    .select(['a.id', 'a.email', 'p.payload'])
    .where('p.model', '=', ticketModel)
    .where('p.id', '=', secretHashHex(token))
    .where('p.consumed_at', 'is', null)
    .where('p.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) return undefined;
  const { connection, path } = row.payload as { connection: string; path: string };
  return { token, accountId: row.id, email: row.email, connection, path };
}

/** The ticket if it belongs to the signed-in account; otherwise undefined. */
export async function findOwnTicket(tx: Tx, token: string, accountId: string | undefined) {
  const ticket = await findTicket(tx, token);
  return ticket?.accountId === accountId ? ticket : undefined;
}

/** Consumes a ticket. Returns false if it was already used. */
export const useTicket = (tx: Tx, token: string): Promise<boolean> => consumeOneTimeSecret(tx, ticketModel, token);
