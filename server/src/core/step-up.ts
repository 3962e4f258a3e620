import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { freshSignInSeconds } from '@sightline/contract/identity/identities.ts';
import { sql } from 'kysely';
import type { Database, Tx } from '#database/database.ts';
import type { AccountActor } from './actor.ts';
import { Forbidden, Refusal } from './errors.ts';

/** Refuses a call that requires a recent sign-in if the session has none. */
export async function checkStepUp(
  { global }: Database,
  { stepUp, scope }: Endpoint,
  actor: AccountActor,
  body: unknown,
): Promise<void> {
  const isRequired = typeof stepUp === 'function' ? stepUp(body as never) : stepUp;
  if (!isRequired) return;
  await global((tx) => (scope === 'account' ? assertMayChangeSignIn(tx, actor) : assertRecentSignIn(tx, actor)));
}

/**
 * Throws `reauthentication_required` as `assertRecentSignIn` does, and 403 for a session that began with the identity
 * provider of one organization if the account is a member of another one too: that provider must not be able to add a
 * sign-in method which the other organization accepts.
 */
export async function assertMayChangeSignIn(tx: Tx, actor: AccountActor): Promise<void> {
  const [foreign] = await tx.query<{ id: string }>({
    name: 'step-up.session-of-organization',
    text: `select id from account_session
           where id = $1 and account_id = $2 and case when connection ~ '^saml-[0-9a-f-]{36}$'
             then is_member_elsewhere($2, substr(connection, 6)::uuid) end`,
    values: [actor.sessionId ?? null, actor.accountId],
  });
  if (foreign)
    throw Forbidden(
      'You signed in with the identity provider of one of your organizations. Sign in with another method to change how you sign in.',
    );
  await assertRecentSignIn(tx, actor);
}

/** Throws `reauthentication_required` unless the session authenticated within `freshSignInSeconds`. */
async function assertRecentSignIn(tx: Tx, actor: AccountActor): Promise<void> {
  if (await hasRecentSignIn(tx, actor)) return;
  throw new Refusal('reauthentication_required', 'Confirm your identity to continue.');
}

/** Whether the session authenticated within `freshSignInSeconds`. False for a token without a session. */
export async function hasRecentSignIn(
  { db }: Tx,
  { accountId, sessionId }: Pick<AccountActor, 'accountId' | 'sessionId'>,
): Promise<boolean> {
  if (sessionId === undefined) return false;
  const row = await db
    .selectFrom('account_session')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('authenticated_at', '>', sql<Date>`now() - make_interval(secs => ${freshSignInSeconds})`)
    .executeTakeFirst();
  return row !== undefined;
}
