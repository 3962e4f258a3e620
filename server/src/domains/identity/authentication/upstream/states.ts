import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import type { SignInSecrets } from '#providers/upstream/upstream.ts';
import { createUrlSecret, secretHashHex, storeOneTimeSecret } from '../one-time-secrets.ts';

/** The purpose of a redirect to an identity provider: a sign-in, a login to connect to an account, or a test. */
export type UpstreamPurpose =
  | { kind: 'test' }
  | { kind: 'sign-in'; uid: string; fresh: boolean }
  | { kind: 'link'; accountId: string; path: string };

export interface UpstreamRedirect {
  connection: string;
  purpose: UpstreamPurpose;
  /** The browser that started it; no other browser may complete it. */
  browser: string;
  verifier: string;
  nonce: string;
}

export type UpstreamCallback =
  | { journey: UpstreamRedirect; checks: SignInSecrets }
  /** Used before, or by another browser; with the account, if known. */
  | { refused: 'replayed' | 'other browser'; accountId: string | undefined }
  | { refused: 'unknown' };

const model = 'UpstreamState';
const minutes = 10;

/** Whether the identity provider must require a new sign-in. */
export const requiresFreshSignIn = (purpose: UpstreamPurpose): boolean =>
  purpose.kind === 'link' || (purpose.kind === 'sign-in' && purpose.fresh);

/** Stores the data of a redirect for its callback, under the hash of its state. */
export async function beginUpstreamRedirect(
  tx: Tx,
  { purpose, connection, browser }: Omit<UpstreamRedirect, 'verifier' | 'nonce'>,
) {
  const [state, verifier, nonce] = [createUrlSecret(), createUrlSecret(), createUrlSecret()];
  const journey: UpstreamRedirect = { connection, purpose, browser, verifier, nonce };
  await storeOneTimeSecret(tx, model, { secret: state, payload: journey, minutes });
  return { state, verifier, nonce } satisfies SignInSecrets;
}

/** Completes a redirect: once, in the same browser, at the same identity provider. */
export async function endUpstreamRedirect(tx: Tx, state: string, connection: string, browser: string | undefined) {
  const row = await tx.db
    .selectFrom('oidc_payload')
    .select(['payload', 'consumed_at'])
    .where('model', '=', model)
    .where('id', '=', secretHashHex(state))
    .where('expires_at', '>', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst();
  const journey = row?.payload as (UpstreamRedirect & { accountId?: string }) | undefined;
  if (!row || !journey || journey.connection !== connection) return { refused: 'unknown' } satisfies UpstreamCallback;
  const accountId = journey.purpose.kind === 'link' ? journey.purpose.accountId : journey.accountId;
  if (row.consumed_at) return { refused: 'replayed', accountId } satisfies UpstreamCallback;
  if (journey.browser !== browser) return { refused: 'other browser', accountId } satisfies UpstreamCallback;
  await tx.db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', '=', model)
    .where('id', '=', secretHashHex(state))
    .execute();
  return { journey, checks: { state, verifier: journey.verifier, nonce: journey.nonce } } satisfies UpstreamCallback;
}

/** Whether a sign-in that began here waits for this provider. */
export const isPendingState = async ({ db }: Tx, state: string, connection: string): Promise<boolean> =>
  (await db
    .selectFrom('oidc_payload')
    .select('id')
    .where('model', '=', model)
    .where('id', '=', secretHashHex(state))
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`payload ->> 'connection' = ${connection}`)
    .executeTakeFirst()) !== undefined;

/** Stores the account of a completed sign-in, so that a replay can be reported to its owner. */
export const recordCallbackAccount = async (tx: Tx, state: string, accountId: string): Promise<void> => {
  await tx.db
    .updateTable('oidc_payload')
    .set({ payload: sql`payload || jsonb_build_object('accountId', ${accountId}::text)` })
    .where('model', '=', model)
    .where('id', '=', secretHashHex(state))
    .execute();
};
