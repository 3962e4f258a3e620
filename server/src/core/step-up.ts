import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { freshSignInSeconds } from '@sightline/contract/identity/identities.ts';
import { sql } from 'kysely';
import type { Database, Tx } from '#database/database.ts';
import type { AccountActor } from './actor.ts';
import { Refusal } from './errors.ts';

/** Refuses a call that requires a recent sign-in if the session has none. */
export async function checkStepUp(
  { global }: Database,
  { stepUp }: Endpoint,
  actor: AccountActor,
  body: unknown,
): Promise<void> {
  const isRequired = typeof stepUp === 'function' ? stepUp(body as never) : stepUp;
  if (isRequired) await global((tx) => assertRecentSignIn(tx, actor));
}

/** Throws `reauthentication_required` unless the session authenticated within `freshSignInSeconds`. */
export async function assertRecentSignIn(tx: Tx, actor: AccountActor): Promise<void> {
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
