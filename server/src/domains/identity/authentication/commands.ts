import { sql } from 'kysely';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findInvitation, invitationTicketOf } from '../invitation-tickets/queries.ts';
import { findOrCreateAccount } from './addresses.ts';
import {
  browserProof,
  type Confirmation,
  consumeConfirmation,
  findConfirmation,
  isSameBrowser,
  openUserId,
  sealUserId,
} from './confirmations.ts';
import type { FindDevice } from './devices.ts';
import { enqueueMail } from './jobs.ts';
import { findIdentityOwner } from './linking/identities.ts';
import { invalidateLinks } from './links.ts';
import { queueFailedSignIn, type RequestOrigin } from './login-audit.ts';
import { passwordLogin, upstreamLogin } from './login-methods.ts';
import type { SecurityNotice } from './mails.ts';
import { confirmEmailAndResetCredentials } from './ownership.ts';
import { countPasswordAttempt, refundPasswordAttempt } from './password-attempts.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { openAccount } from './upstream/identify.ts';
import { consumePendingLogin } from './upstream/pending-logins.ts';

export interface NewAccount {
  name: string;
  email: string;
  password: string;
  invitation: string | undefined;
}

/** `tooMany` contains the seconds to wait; `account` is an account whose address an invitation confirmed. */
export type SignUpResult =
  | { tooMany: number }
  | { userId: string; proof: string }
  | { account: { id: string; email: string } };

/**
 * Signs a person up. For an address that already has an account, the response, the work and the screen are the same.
 * Only the email reveals the difference.
 */
export async function signUp(services: Services, account: NewAccount, address: string): Promise<SignUpResult> {
  const { database, secrets } = services;
  const wait = await database.global((tx) =>
    countAttempts(tx, [
      [ATTEMPT_LIMITS.signUpByNetwork, networkOf(address)],
      [ATTEMPT_LIMITS.mailByMinute, account.email],
      [ATTEMPT_LIMITS.mailByDay, account.email],
    ]),
  );
  if (wait > 0) return { tooMany: wait };
  const hash = await hashPassword(account.password, services.config);
  const invited = account.invitation === undefined ? undefined : await findInvitation(services, account.invitation);
  const ticket = invited && invitationTicketOf(secrets, invited.orgId, invited.id);
  // The secret of the invitation was sent only to this address, so another email would add no proof.
  const isProved = invited?.by === 'mail' && invited.state === 'open' && invited.email === account.email;
  return database.global(async (tx): Promise<SignUpResult> => {
    const known = await findOrCreateAccount(services, tx, account);
    if (!known) {
      await enqueueMail(services, tx, { kind: 'not-admitted', email: account.email });
      const unusedId = newId();
      return { userId: sealUserId(secrets, unusedId), proof: browserProof(secrets, unusedId, hash) };
    }
    if (!known.verified) await setPassword(tx, known.id, account.name, hash);
    if (!known.verified && isProved) {
      await confirmEmailAndResetCredentials(tx, known.id, 'account_password');
      return { account: { id: known.id, email: account.email } };
    }
    const kind = known.verified ? 'known' : 'confirm';
    await enqueueMail(services, tx, { kind, accountId: known.id, ...(ticket !== undefined && { ticket }) });
    return { userId: sealUserId(secrets, known.id), proof: browserProof(secrets, known.id, hash) };
  });
}

export type SignInResult =
  | { tooMany: number }
  | { wrong: true }
  | { unconfirmed: string }
  | { account: { id: string; email: string } };

/** Checks an email address and a password. An unknown address takes as long as a wrong password. */
export async function signIn(
  services: Services,
  {
    email,
    password,
    origin,
    findDevice,
  }: { email: string; password: string; origin: RequestOrigin; findDevice: FindDevice },
): Promise<SignInResult> {
  const { database, secrets } = services;
  const row = await database.global(({ db }) =>
    db
      .selectFrom('account as a')
      .leftJoin('account_password as w', 'w.account_id', 'a.id')
      .select(['a.id', 'a.email', 'a.email_verified_at', 'w.hash'])
      .where(sql<boolean>`lower(a.email) = ${email}`)
      .executeTakeFirst(),
  );
  const device = row?.hash ? findDevice({ id: row.id, passwordHash: row.hash }) : undefined;
  const guesser = device === undefined ? { email, address: origin.address } : { device };
  const wait = await database.global((tx) => countPasswordAttempt(tx, guesser));
  if (wait > 0) return { tooMany: wait };
  const right = await verifyPassword(password, row?.hash ?? undefined, services.config);
  if (!row || !right) {
    await queueFailedSignIn(services, row?.id, origin);
    return { wrong: true };
  }
  await database.global((tx) => refundPasswordAttempt(tx, guesser));
  if (row.email_verified_at) return { account: { id: row.id, email: row.email } };
  await requestConfirmation(services, row.id, row.email);
  return { unconfirmed: sealUserId(secrets, row.id) };
}

/** Resends the confirmation email for an ID of the confirmation screen. Does not reveal whether the account exists. */
export async function resendConfirmation(services: Services, userId: string): Promise<void> {
  // An invalid ID queues the same job, which finds no account.
  const accountId = openUserId(services.secrets, userId) ?? newId();
  const account = await services.database.global(({ db }) =>
    db.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirst(),
  );
  await requestConfirmation(services, accountId, account?.email ?? accountId);
}

export type ConfirmationResult =
  | { gone: true }
  | { tooMany: number }
  | { wrong: true; confirmation: Confirmation }
  /** Started with an external login in another browser. */
  | { elsewhere: true }
  | { confirmation: Confirmation; amr: readonly string[] };

/**
 * Consumes a confirmation link. A browser other than that of the sign-up must also provide the password. Without a
 * password, only the browser of the sign-up may confirm.
 */
export async function confirmEmail(
  services: Services,
  {
    token,
    proof,
    password,
    request,
  }: { token: string; proof: string | undefined; password: string; request: { id: string; ip: string } },
): Promise<ConfirmationResult> {
  const { database, secrets } = services;
  const confirmation = await database.global((tx) => findConfirmation(tx, token));
  if (!confirmation) return { gone: true };
  const { accountId, identity } = confirmation;
  if (!isSameBrowser(secrets, proof, confirmation)) {
    if (identity !== undefined) return { elsewhere: true };
    const guesser = { email: confirmation.email, address: request.ip };
    const wait = await database.global((tx) => countPasswordAttempt(tx, guesser));
    if (wait > 0) return { tooMany: wait };
    if (!(await verifyPassword(password, confirmation.passwordHash, services.config)))
      return { wrong: true, confirmation };
  }
  const actor = { accountId, requestId: request.id, address: request.ip };
  return database.global(async (tx): Promise<ConfirmationResult> => {
    const current = await consumeConfirmation(tx, token);
    // Another sign-up may have replaced the verified password in the meantime.
    if (!current || current.passwordHash !== confirmation.passwordHash) return { gone: true };
    if (identity === undefined) {
      await confirmEmailAndResetCredentials(tx, accountId, 'account_password');
      return { confirmation, amr: [passwordLogin] };
    }
    const person = await consumePendingLogin(tx, identity);
    // An identity that another account received in the meantime confirms nothing here.
    if (!person || (await findIdentityOwner(tx, person))) return { gone: true };
    await openAccount(services, tx, { accountId, person, actor });
    return { confirmation, amr: upstreamLogin(person) };
  });
}

/** Notifies the owner of an account of a change by email, once the transaction commits. */
export const queueSecurityNotice = (
  services: Services,
  tx: Tx,
  accountId: string,
  notice: SecurityNotice,
): Promise<void> => enqueueMail(services, tx, { kind: 'notice', accountId, notice });

/** Checks the password of a signed-in account; wrong if it has none. Attempts are counted for the session only. */
export async function checkPassword(
  { database, config }: Services,
  account: { accountId: string; sessionId?: string | undefined },
  password: string,
): Promise<{ tooMany: number } | { wrong: true } | { right: true }> {
  const guesser = { device: `${account.accountId} ${account.sessionId ?? ''}` };
  const wait = await database.global((tx) => countPasswordAttempt(tx, guesser));
  if (wait > 0) return { tooMany: wait };
  const row = await database.global(({ db }) =>
    db.selectFrom('account_password').select('hash').where('account_id', '=', account.accountId).executeTakeFirst(),
  );
  if (!(await verifyPassword(password, row?.hash, config))) return { wrong: true };
  await database.global((tx) => refundPasswordAttempt(tx, guesser));
  return { right: true };
}

async function requestConfirmation(services: Services, accountId: string, subject: string): Promise<void> {
  await services.database.global(async (tx) => {
    const wait = await countAttempts(tx, [
      [ATTEMPT_LIMITS.mailByMinute, subject],
      [ATTEMPT_LIMITS.mailByDay, subject],
    ]);
    if (wait === 0) await enqueueMail(services, tx, { kind: 'confirm', accountId });
  });
}

// The address is unconfirmed, so the last sign-up counts and earlier confirmation links become invalid.
async function setPassword(tx: Tx, accountId: string, name: string, hash: string): Promise<void> {
  await tx.db.updateTable('account').set({ name }).where('id', '=', accountId).execute();
  await tx.db
    .insertInto('account_password')
    .values({ account_id: accountId, hash })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash, changed_at: sql`now()` }))
    .execute();
  await invalidateLinks(tx, 'EmailConfirmation', accountId);
}
