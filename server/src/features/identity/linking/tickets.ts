import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

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

const model = 'LinkTicket';
const minutes = 10;
const idOf = (token: string) => createHash('sha256').update(token).digest('hex');

export async function createTicket(
  { db }: Tx,
  { accountId, connection, path }: Pick<LinkTicket, 'accountId' | 'connection' | 'path'>,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('oidc_payload')
    .values({
      model,
      id: idOf(token),
      payload: JSON.stringify({ accountId, connection, path }),
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .execute();
  return token;
}

/** Whose ticket it is, whoever asks. Undefined for an old or used one. */
export async function ownerOfTicket({ db }: Tx, token: string): Promise<LinkTicket | undefined> {
  const row = await db
    .selectFrom('oidc_payload as p')
    .innerJoin('account as a', (join) => join.on(sql`a.id::text`, '=', sql`p.payload ->> 'accountId'`))
    .select(['a.id', 'a.email', 'p.payload'])
    .where('p.model', '=', model)
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
export async function useTicket({ db }: Tx, token: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', '=', model)
    .where('id', '=', idOf(token))
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
