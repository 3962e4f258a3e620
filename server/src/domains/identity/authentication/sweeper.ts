import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#database/database.ts';

const every = 10 * 60_000;

/**
 * Deletes expired rows periodically; returns a function that stops it. Expired rows are never returned by queries, so
 * deletion is not urgent.
 */
export function startSweeper(database: Database, log: FastifyBaseLogger): () => void {
  const timer = setInterval(() => {
    deleteExpiredSignInRows(database).catch((error: unknown) =>
      log.warn({ err: error }, 'expired sign-in records were not deleted'),
    );
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}

export const deleteExpiredSignInRows = ({ global }: Database): Promise<void> =>
  global(async ({ db }) => {
    await db.deleteFrom('oidc_payload').where('expires_at', '<', sql<Date>`now()`).execute();
    // Sessions unused for longer than their lifetime, or ended and known to all nodes.
    await db.deleteFrom('account_session').where('last_seen_at', '<', sql<Date>`now() - interval '15 days'`).execute();
    // An external issuer may continue a session that was ended here. It remains ended while tokens of it arrive.
    await db
      .deleteFrom('account_session')
      .where('ended_at', '<', sql<Date>`now() - interval '1 day'`)
      .where('uid', 'not like', 'direct:%')
      .execute();
    await db.deleteFrom('extension_ended').where('ended_at', '<', sql<Date>`now() - interval '1 day'`).execute();
    await db.deleteFrom('attempt').where('last_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  });
