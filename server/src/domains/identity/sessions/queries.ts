import type { Reauthentication, ReauthenticationMethod, Session } from '@sightline/contract/identity/sessions.ts';
import { sql } from 'kysely';
import type { AccountActor } from '#core/actor.ts';
import { hasRecentSignIn } from '#core/step-up.ts';
import type { Database, Tx } from '#database/database.ts';
import { findOwnFactors, hasAnyFactor, lacksRequiredFactor } from '../second-factors/queries.ts';
import { deviceOf } from './device.ts';

// Excludes sessions that still wait for their second factor.
const complete = sql<boolean>`(second_factor_at is not null or not exists (
  select from account_totp t where t.account_id = s.account_id
  union all select from account_passkey p where p.account_id = s.account_id))`;

/** The active sessions of an account: those that the identity provider accepts, and those of an external issuer. */
export async function findSessions({ db }: Tx, { accountId, sessionId }: AccountActor): Promise<Session[]> {
  const rows = await db
    .selectFrom('account_session as s')
    .select(['id', 'user_agent', 'address', 'started_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where(({ and, eb, exists, or, selectFrom }) =>
      or([
        eb('s.uid', 'like', 'direct:%'),
        and([
          complete,
          exists(
            selectFrom('oidc_payload as p')
              .select('p.id')
              .where('p.model', '=', 'Session')
              .whereRef('p.uid', '=', 's.uid')
              .where('p.consumed_at', 'is', null)
              .where('p.expires_at', '>', sql<Date>`now()`),
          ),
        ]),
      ]),
    )
    .orderBy(sql`id = ${sessionId ?? null}`, 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    current: row.id === sessionId,
    ...deviceOf(row.user_agent),
    address: row.address,
    startedAt: row.started_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  }));
}

/** Whether the session authenticated recently, and its methods to do so again. A token without a session never did. */
export async function findReauthentication(tx: Tx, actor: AccountActor): Promise<Reauthentication> {
  return { needed: !(await hasRecentSignIn(tx, actor)), proofs: await proofsOf(tx, actor.accountId) };
}

/** The strongest methods of an account: with a second factor, the password alone is insufficient. */
async function proofsOf(tx: Tx, accountId: string): Promise<ReauthenticationMethod[]> {
  const own = await findOwnFactors(tx, accountId);
  if (hasAnyFactor(own)) return [...(own.passkeys ? (['passkey'] as const) : []), 'code'];
  const password = await tx.db
    .selectFrom('account_password')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return password ? ['password'] : ['sign-in'];
}

export const findSessionId = async ({ db }: Tx, uid: string): Promise<string | undefined> =>
  (await db.selectFrom('account_session').select('id').where('uid', '=', uid).executeTakeFirst())?.id;

/**
 * The second factor that a sign-in still needs: `check` if the account has one that was not verified in this session,
 * `enrol` if it has none and enters an organization that requires one.
 */
export async function requiredFactorStep(
  database: Database,
  { accountId, sessionUid, orgId }: { accountId: string; sessionUid: string; orgId: string | undefined },
): Promise<'none' | 'check' | 'enrol'> {
  const hasProof = await database.global(async (tx) => {
    if (!hasAnyFactor(await findOwnFactors(tx, accountId))) return undefined;
    const session = await tx.db
      .selectFrom('account_session')
      .select('second_factor_at')
      .where('uid', '=', sessionUid)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return Boolean(session?.second_factor_at);
  });
  if (hasProof !== undefined) return hasProof ? 'none' : 'check';
  return orgId !== undefined && (await lacksRequiredFactor(database, orgId, accountId)) ? 'enrol' : 'none';
}

/** Such as 'Firefox 128 on Linux'; empty if unknown. */
export const deviceNameOf = (userAgent: string): string => {
  const { browser, system } = deviceOf(userAgent);
  return [browser, system].filter((part) => part !== '').join(' on ');
};
