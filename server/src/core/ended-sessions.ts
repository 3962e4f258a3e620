import { sql } from 'kysely';
import type { Database } from '#database/database.ts';
import type { VerifyToken } from './tokens.ts';

export interface EndedSessions {
  /** Whether a session, or the grant of an extension, was signed out on this node or another. */
  has: (sessionId: string) => Promise<boolean>;
  /** Marks sessions as ended on this node at once; other nodes read it within two seconds. Call it after the commit. */
  add: (sessionIds: readonly string[]) => void;
}

// A token is valid for ten minutes; one minute is added for clock differences.
const tokenMinutes = 11;
const cacheMs = 2_000;
const lately = sql<Date>`now() - make_interval(mins => ${tokenMinutes})`;

/**
 * Caches the sessions that ended while a token of theirs may still be valid. Reads the list again on use after two
 * seconds.
 */
export function createEndedSessions(database: Database): EndedSessions {
  const until = new Map<string, number>();
  let readAt = 0;
  let pendingRead: Promise<void> | undefined;

  const add = (ids: readonly string[]) => {
    for (const id of ids) until.set(id, Date.now() + tokenMinutes * 60_000);
  };
  async function read(): Promise<void> {
    const startedAt = Date.now();
    const rows = await database.global(({ db }) =>
      db
        .selectFrom('account_session')
        .select('id')
        .where('ended_at', '>', lately)
        .unionAll(db.selectFrom('extension_ended').select('grant_id as id').where('ended_at', '>', lately))
        .execute(),
    );
    for (const [id, end] of until) if (end < startedAt) until.delete(id);
    add(rows.map(({ id }) => id).filter((id) => !until.has(id)));
    readAt = startedAt;
  }
  return {
    add,
    async has(sessionId) {
      if (until.has(sessionId)) return true;
      if (Date.now() - readAt > cacheMs) {
        pendingRead ??= read().finally(() => {
          pendingRead = undefined;
        });
        await pendingRead;
      }
      return until.has(sessionId);
    },
  };
}

/** A verifier that refuses the tokens of ended sessions. */
export const rejectEndedSessions =
  (ended: EndedSessions, verify: VerifyToken): VerifyToken =>
  async (token) => {
    const claims = await verify(token);
    if (claims?.sessionId !== undefined && (await ended.has(claims.sessionId))) return undefined;
    return claims;
  };
