import type { Reauthentication, Session } from '@sightline/contract/identity/sessions.ts';
import { sql } from 'kysely';
import { recordOwnAccountChange } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { Conflict, Invalid, NotFound, TooManyAttempts } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { checkPassword } from '../authentication/commands.ts';
import { checkCode, checkPasskey } from '../second-factors/commands.ts';
import { findReauthentication, findSessionId, findSessions } from './queries.ts';

export interface SessionVisit {
  /** The `uid` of the session at the identity provider. */
  uid: string;
  accountId: string;
  userAgent: string;
  address: string;
  /** Seconds since the epoch of the last sign-in. */
  loginAt: number;
  /** The external login of the session; undefined for none. */
  login: { connection: string; subject: string } | undefined;
  /** A second factor was just passed. */
  secondFactor: boolean;
}

/** Records a visit of a browser session. */
export async function recordBrowserVisit({ database }: Services, visit: SessionVisit): Promise<void> {
  // For an account with a second factor, a sign-in without it does not count as recent authentication.
  const login = sql<Date>`case when exists (select from account_totp t where t.account_id = ${visit.accountId})
      or exists (select from account_passkey p where p.account_id = ${visit.accountId})
    then to_timestamp(0) else to_timestamp(${visit.loginAt}) end`;
  const passed = visit.secondFactor ? sql<Date>`now()` : null;
  const { connection = null, subject = null } = visit.login ?? {};
  const seen = { user_agent: visit.userAgent.slice(0, 500), address: visit.address, connection, subject };
  await database.global(({ db }) =>
    db
      .insertInto('account_session')
      .values({
        id: newId(),
        uid: visit.uid,
        account_id: visit.accountId,
        ...seen,
        signed_in_at: sql<Date>`to_timestamp(${visit.loginAt})`,
        authenticated_at: passed ?? login,
        second_factor_at: passed,
      })
      .onConflict((conflict) =>
        conflict
          .column('uid')
          .doUpdateSet({
            ...seen,
            last_seen_at: sql`now()`,
            signed_in_at: sql`greatest(account_session.signed_in_at, excluded.signed_in_at)`,
            active_at: sql`greatest(account_session.active_at, excluded.signed_in_at)`,
            authenticated_at: sql`greatest(account_session.authenticated_at, excluded.authenticated_at)`,
            second_factor_at: sql`coalesce(excluded.second_factor_at, account_session.second_factor_at)`,
          })
          .where('account_session.account_id', '=', visit.accountId),
      )
      .execute(),
  );
}

/** Signs out one session of the account. Throws 404 for a session of another account. */
export const endOneSession = (services: Services, actor: AccountActor, sessionId: string): Promise<Session[]> =>
  services.database.global(async (tx) => {
    const ended = await endSessions(services, tx, actor.accountId, (id) => id === sessionId);
    if (ended === 0) throw NotFound('Session');
    await recordEnd(services, tx, actor, ended);
    return findSessions(tx, actor);
  });

/** Ends a session that the identity provider ended, so that its tokens end with it. `note` records it. */
export const endSessionOf = (
  services: Services,
  accountId: string,
  uid: string,
  note: (tx: Tx) => Promise<void>,
): Promise<number> =>
  services.database.global(async (tx) => {
    const sessionId = await findSessionId(tx, uid);
    const ended = await endSessions(services, tx, accountId, (id) => id === sessionId);
    if (ended > 0) await note(tx);
    return ended;
  });

/** Signs out every session except that of the caller. */
export const endOtherSessionsOf = (services: Services, actor: AccountActor): Promise<Session[]> =>
  services.database.global(async (tx) => {
    const ended = await endSessions(services, tx, actor.accountId, (id) => id !== actor.sessionId);
    if (ended > 0) await recordEnd(services, tx, actor, ended);
    return findSessions(tx, actor);
  });

/**
 * Ends the sessions that `which` selects and returns their number. The identity provider deletes them, their tokens are
 * rejected from the commit on, and their sockets are disconnected.
 */
export async function endSessions(
  { endedSessions, realtime }: Services,
  { db, afterCommit }: Tx,
  accountId: string,
  which: (sessionId: string) => boolean,
): Promise<number> {
  const living = await db
    .selectFrom('account_session')
    .select(['id', 'uid'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .execute();
  const ended = living.filter(({ id }) => which(id));
  if (ended.length === 0) return 0;
  const ids = ended.map(({ id }) => id);
  const uids = ended.map(({ uid }) => uid);
  await db.updateTable('account_session').set({ ended_at: sql`now()` }).where('id', 'in', ids).execute();
  await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', '=', 'Session')
    .where('uid', 'in', uids)
    .where('consumed_at', 'is', null)
    .execute();
  // Codes and refresh tokens contain the session they were issued in.
  await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', 'in', ['RefreshToken', 'AuthorizationCode'])
    .where(sql<boolean>`payload ->> 'sessionUid' in (${sql.join(uids)})`)
    .where('consumed_at', 'is', null)
    .execute();
  afterCommit(() => {
    endedSessions.add(ids);
    for (const id of ids) realtime.cutSession(id);
  });
  return ended.length;
}

export type GivenProof = { password: string } | { code: string } | { passkey: Record<string, unknown> };

/** Marks the session as recently authenticated. Throws for a wrong or insufficient proof. */
export async function reauthenticateSession(
  services: Services,
  actor: AccountActor,
  given: GivenProof,
): Promise<Reauthentication> {
  const { proofs } = await services.database.global((tx) => findReauthentication(tx, actor));
  const [kind = ''] = Object.keys(given);
  if (!proofs.some((proof) => proof === kind)) throw Conflict('This account uses another confirmation method.');
  const result =
    'password' in given
      ? await checkPassword(services, actor, given.password)
      : 'code' in given
        ? await checkCode(services, actor, given.code)
        : await checkPasskey(services, actor, given.passkey);
  if ('tooMany' in result) throw TooManyAttempts(result.tooMany);
  if ('wrong' in result) throw Invalid(kind, 'is wrong');
  return services.database.global(async (tx) => {
    await recordAuthentication(tx, actor);
    return findReauthentication(tx, actor);
  });
}

/** Records that the session just authenticated; with `secondFactor`, by a second factor. */
export async function recordAuthentication(
  { db }: Tx,
  { accountId, sessionId }: AccountActor,
  { secondFactor = false } = {},
): Promise<void> {
  if (sessionId === undefined) return;
  await db
    .updateTable('account_session')
    .set({ authenticated_at: sql`now()`, ...(secondFactor && { second_factor_at: sql`now()` }) })
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .execute();
}

const recordEnd = ({ people }: Services, tx: Tx, actor: AccountActor, sessions: number) =>
  recordOwnAccountChange(tx, people, actor, {
    action: 'login.session_ended',
    subject: { kind: 'account', id: actor.accountId },
    data: { sessions },
  });
