import type { Tx } from '#database/database.ts';

/** Taken first by whatever changes the logins of an account: two such changes at once wait for each other and do not deadlock. */
export const lockAccount = ({ db }: Tx, accountId: string): Promise<unknown> =>
  db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
