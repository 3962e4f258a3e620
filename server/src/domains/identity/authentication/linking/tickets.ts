import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { idOf, keepOnce, newSecret, spend } from '../once.ts';

/** Leave to connect something to an account: given to a session that proved lately who it is. */
export interface LinkTicket {
  token: string;
  accountId: string;
  /** Of that account. */
  email: string;
  connection: string;
  /** Where the app goes on. */
  path: string;
}

export const ticketModel = 'LinkTicket';
const minutes = 10;

export async function createTicket(
  tx: Tx,
  payload: Pick<LinkTicket, 'accountId' | 'connection' | 'path'>,
): Promise<string> {
  const secret = newSecret();
  await keepOnce(tx, ticketModel, { secret, payload, minutes });
  return secret;
}

/** Whose ticket it is, whoever asks. Undefined for an old or used one. */
export async function ownerOfTicket({ db }: Tx, token: string): Promise<LinkTicket | undefined> {
  const row = await db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.payload ->> 'accountId'`))
    .select(['a.id', 'a.email', 'p.payload'])
    .where('p.model', '=', ticketModel)
    .where('p.id', '=', idOf(token))
    .where('p.consumed_at', 'is', null)
    .where('p.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) return undefined;
  const { connection, path } = row.payload as { connection: string; path: string };
  return { token, accountId: row.id, email: row.email, connection, path };
}

/** A ticket of the account that is signed in; undefined for any other. */
export async function maybeTicket(tx: Tx, token: string, accountId: string | undefined) {
  const ticket = await ownerOfTicket(tx, token);
  return ticket?.accountId === accountId ? ticket : undefined;
}

/** Uses a ticket up; false when somebody was faster. */
export const useTicket = (tx: Tx, token: string): Promise<boolean> => spend(tx, ticketModel, token);
