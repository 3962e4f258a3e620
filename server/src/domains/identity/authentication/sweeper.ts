import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#database/database.ts';

const every = 10 * 60_000;

/** Deletes what has expired now and then; answers how to stop. Expired rows are never found, so nothing waits for it. */
export function startSweeper(database: Database, log: FastifyBaseLogger): () => void {
  const timer = setInterval(() => {
    sweep(database).catch((error: unknown) => log.warn({ err: error }, 'expired sign-in records were not deleted'));
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}

export const sweep = ({ global }: Database): Promise<void> =>
  global(async ({ db }) => {
    await db.deleteFrom('oidc_payload').where('expires_at', '<', sql<Date>`now()`).execute();
    // A session that nobody has come back to for as long as one lives, or that is over and told everybody so.
    await db.deleteFrom('account_session').where('last_seen_at', '<', sql<Date>`now() - interval '15 days'`).execute();
    // An outside issuer may go on with a session that was ended here: it stays ended for as long as its tokens come.
    await db
      .deleteFrom('account_session')
      .where('ended_at', '<', sql<Date>`now() - interval '1 day'`)
      .where('uid', 'not like', 'direct:%')
      .execute();
    await db.deleteFrom('extension_ended').where('ended_at', '<', sql<Date>`now() - interval '1 day'`).execute();
    await db.deleteFrom('attempt').where('last_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  });
