import type { SecondFactors } from '@sightline/contract/identity/second-factors.ts';
import { passkeysMax } from '@sightline/contract/identity/second-factors.ts';
import { recordOwnAccountChange } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { Conflict, Invalid, NotFound, TooManyAttempts } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueSecurityNotice } from '../authentication/commands.ts';
import { checkFactor, consumeCode, countFactorAttempt, type FactorCheck } from './factor-checks.ts';
import {
  passkeyCreationOptions,
  passkeyRequestOptions,
  verifyCreatedPasskey,
  verifyUsedPasskey,
  type WebauthnJson,
} from './passkeys.ts';
import { findOwnFactors, findSecondFactors, hasAnyFactor } from './queries.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { createTotpSecret, type TotpSetup, totpSetupOf, totpStepOf } from './totp.ts';
import { openSetup, sealSetup, sealTotpSecret } from './totp-store.ts';

export interface AddedFactor {
  secondFactors: SecondFactors;
  recoveryCodes: string[] | null;
}

/** Verifies a code of the authenticator app or a recovery code. Each code works once. */
export const checkCode = (services: Services, actor: AccountActor, code: string): Promise<FactorCheck> =>
  checkFactor(services, actor, 'code', (tx) => consumeCode(services, tx, actor.accountId, code));

/** WebAuthn options to request a passkey of the account. */
export const beginPasskeyCheck = ({ database, config }: Services, accountId: string): Promise<WebauthnJson> =>
  database.global((tx) => passkeyRequestOptions(tx, config.PUBLIC_URL, { accountId }));

/** WebAuthn options to sign in with a passkey alone; `uid` is the ID of the sign-in. */
export const beginPasskeySignIn = ({ database, config }: Services, uid: string): Promise<WebauthnJson> =>
  database.global((tx) => passkeyRequestOptions(tx, config.PUBLIC_URL, { signIn: uid }));

/**
 * Returns the confirmed account of a user-verifying passkey, which is both factors in one. Undefined if the passkey is
 * not accepted; `tooMany` contains the seconds to wait.
 */
export async function passkeySignIn(
  { database, config }: Services,
  uid: string,
  answer: WebauthnJson,
  address: string,
): Promise<{ tooMany: number } | { id: string; email: string } | undefined> {
  const wait = await database.global((tx) => countAttempts(tx, [[ATTEMPT_LIMITS.signInByNetwork, networkOf(address)]]));
  if (wait > 0) return { tooMany: wait };
  return database.global(async (tx) => {
    const accountId = await verifyUsedPasskey(tx, config.PUBLIC_URL, { signIn: uid }, answer);
    if (accountId === undefined) return undefined;
    return tx.db
      .selectFrom('account')
      .select(['id', 'email'])
      .where('id', '=', accountId)
      .where('email_verified_at', 'is not', null)
      .executeTakeFirst();
  });
}

/** Verifies a passkey response of the browser for the account. */
export const checkPasskey = (services: Services, actor: AccountActor, answer: WebauthnJson): Promise<FactorCheck> =>
  checkFactor(services, actor, 'passkey', async (tx) => {
    const used = await verifyUsedPasskey(tx, services.config.PUBLIC_URL, { accountId: actor.accountId }, answer);
    return used === undefined ? undefined : 'passkey';
  });

/** Creates a secret for an authenticator app. Throws `conflict` if the account already has one. */
export async function beginTotpOf(services: Services, actor: AccountActor): Promise<TotpSetup & { setup: string }> {
  const { totp } = await services.database.global((tx) => findOwnFactors(tx, actor.accountId));
  if (totp) throw alreadySetUp();
  const secret = createTotpSecret();
  return {
    ...(await totpSetupOf(secret, actor.email)),
    setup: sealSetup(services.secrets, actor.accountId, secret),
  };
}

/** The same secret again, after a wrong code; undefined once it expired. */
export function repeatSetup(services: Services, actor: AccountActor, setup: string): Promise<TotpSetup> | undefined {
  const secret = openSetup(services.secrets, actor.accountId, setup);
  return secret && totpSetupOf(secret, actor.email);
}

/** Adds the authenticator app that shows `code`. */
export async function addTotpOf(
  services: Services,
  actor: AccountActor,
  { setup, code }: { setup: string; code: string },
): Promise<AddedFactor> {
  const secret = openSetup(services.secrets, actor.accountId, setup);
  if (!secret) throw Invalid('setup', 'expired. Start again');
  const wait = await countFactorAttempt(services, actor);
  if (wait > 0) throw TooManyAttempts(wait);
  const step = totpStepOf(secret, code);
  if (step === undefined) throw Invalid('code', 'is wrong or expired');
  return change(services, actor, async (tx) => {
    const created = await tx.db
      .insertInto('account_totp')
      .values({
        account_id: actor.accountId,
        secret: sealTotpSecret(services.secrets, actor.accountId, secret),
        last_step: step,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (created.numInsertedOrUpdatedRows !== 1n) throw alreadySetUp();
    return added(services, tx, actor, 'authenticator app');
  });
}

export const removeTotpOf = (services: Services, actor: AccountActor): Promise<SecondFactors> =>
  change(services, actor, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('account_totp')
      .where('account_id', '=', actor.accountId)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) throw NotFound('Authenticator app');
    return removed(services, tx, actor, 'authenticator app');
  });

/** WebAuthn options to create a passkey. */
export const beginPasskeyOf = ({ database, config }: Services, { accountId, email }: AccountActor) =>
  database.global(async (tx): Promise<WebauthnJson> => {
    const account = await tx.db
      .selectFrom('account')
      .select('name')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow(() => NotFound('Account'));
    return passkeyCreationOptions(tx, config.PUBLIC_URL, { id: accountId, email, name: account.name });
  });

/** Adds the passkey that a browser created. */
export const addPasskeyOf = (
  services: Services,
  actor: AccountActor,
  { name, passkey }: { name: string; passkey: WebauthnJson },
): Promise<AddedFactor> =>
  change(services, actor, async (tx) => {
    const created = await verifyCreatedPasskey(tx, services.config.PUBLIC_URL, actor.accountId, passkey);
    if (!created) throw Invalid('passkey', 'was not accepted. Start again');
    const { passkeys } = await findSecondFactors(tx, actor.accountId);
    if (passkeys.length >= passkeysMax) throw Conflict(`The limit of ${passkeysMax} passkeys is reached.`);
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto('account_passkey')
      .values({
        id: newId(),
        account_id: actor.accountId,
        name,
        credential_id: created.credentialId,
        public_key: created.publicKey,
        counter: created.counter,
        transports: created.transports,
        synced: created.synced,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) throw Conflict('This passkey is already in use.');
    return added(services, tx, actor, 'passkey');
  });

export const removePasskeyOf = (services: Services, actor: AccountActor, passkeyId: string): Promise<SecondFactors> =>
  change(services, actor, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('account_passkey')
      .where('account_id', '=', actor.accountId)
      .where('id', '=', passkeyId)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) throw NotFound('Passkey');
    return removed(services, tx, actor, 'passkey');
  });

export const renewRecoveryCodesOf = (
  services: Services,
  actor: AccountActor,
): Promise<{ secondFactors: SecondFactors; recoveryCodes: string[] }> =>
  change(services, actor, async (tx) => {
    if (!hasAnyFactor(await findOwnFactors(tx, actor.accountId))) throw Conflict('Set up a second factor first.');
    const recoveryCodes = await replaceRecoveryCodes(tx, actor.accountId);
    await recordOwnAccountChange(tx, services.people, actor, {
      action: 'login.recovery_codes_renewed',
      subject: subjectOf(actor),
    });
    await queueSecurityNotice(services, tx, actor.accountId, 'recovery-codes-renewed');
    return { secondFactors: await findSecondFactors(tx, actor.accountId), recoveryCodes };
  });

/** Serializes changes to the factors of an account, so that concurrent requests cannot remove the last one. */
const change = <Result>({ database }: Services, actor: AccountActor, work: (tx: Tx) => Promise<Result>) =>
  database.withAccount({ id: actor.accountId, email: actor.email }, async (tx) => {
    await tx.db.selectFrom('account').select('id').where('id', '=', actor.accountId).forNoKeyUpdate().execute();
    return work(tx);
  });

async function added(services: Services, tx: Tx, actor: AccountActor, factor: string): Promise<AddedFactor> {
  const before = await tx.db
    .selectFrom('account_recovery_code')
    .select('hash')
    .where('account_id', '=', actor.accountId)
    .limit(1)
    .executeTakeFirst();
  const recoveryCodes = before ? null : await replaceRecoveryCodes(tx, actor.accountId);
  await recordOwnAccountChange(tx, services.people, actor, {
    action: 'login.second_factor_added',
    subject: subjectOf(actor),
    data: { factor },
  });
  await queueSecurityNotice(services, tx, actor.accountId, 'second-factor-added');
  return { secondFactors: await findSecondFactors(tx, actor.accountId), recoveryCodes };
}

async function removed(services: Services, tx: Tx, actor: AccountActor, factor: string): Promise<SecondFactors> {
  const left = await findSecondFactors(tx, actor.accountId);
  if (left.recoveryCodesLeft === null) {
    const [organization] = left.requiredBy;
    if (organization !== undefined) {
      throw Conflict(`${organization} requires a second factor. Add another one before you remove this one.`);
    }
    await tx.db.deleteFrom('account_recovery_code').where('account_id', '=', actor.accountId).execute();
  }
  await recordOwnAccountChange(tx, services.people, actor, {
    action: 'login.second_factor_removed',
    subject: subjectOf(actor),
    data: { factor },
  });
  await queueSecurityNotice(services, tx, actor.accountId, 'second-factor-removed');
  return left;
}

const subjectOf = ({ accountId }: AccountActor) => ({ kind: 'account', id: accountId }) as const;
const alreadySetUp = () => Conflict('An authenticator app is already set up. Remove it to set up another one.');
