import type { Tx } from '#database/database.ts';

/**
 * Every change to the logins of an account takes this lock first, so that concurrent changes wait and do not deadlock.
 */
export const lockAccount = ({ db }: Tx, accountId: string): Promise<unknown> =>
  db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
