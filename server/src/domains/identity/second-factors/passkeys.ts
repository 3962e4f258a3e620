import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { consumeChallenge, maybeChallenge, rememberChallenge } from './challenges.ts';

/** WebAuthn data in JSON, as sent to or received from a browser. It is untrusted. */
export type WebauthnJson = Record<string, unknown>;

export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  synced: boolean;
}

/** Loads the package with the first passkey: it needs 250 modules. */
const webauthn = () => import('@simplewebauthn/server');

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
// EdDSA, ES256 and RS256, of which every current authenticator supports at least one.
const supportedAlgorithmIDs = [-8, -7, -257];
const credentialId = /^[\w-]{1,1400}$/;

/** WebAuthn options to create a passkey that the account does not have yet. */
export async function passkeyCreationOptions(
  tx: Tx,
  publicUrl: string,
  account: { id: string; email: string; name: string },
): Promise<WebauthnJson> {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Sightline',
    rpID: new URL(publicUrl).hostname,
    userName: account.email,
    userDisplayName: account.name,
    supportedAlgorithmIDs,
    userID: new TextEncoder().encode(account.id),
    excludeCredentials: await credentialsOf(tx, account.id),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  await rememberChallenge(tx, { model: 'PasskeyCreation', owner: account.id, challenge: options.challenge });
  return { ...options };
}

/** The passkey that a browser created; undefined for an invalid response or one to another challenge. */
export async function verifyCreatedPasskey(
  tx: Tx,
  publicUrl: string,
  accountId: string,
  answer: WebauthnJson,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const verification = await undefinedIfInvalid(
    verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => consumeChallenge(tx, 'PasskeyCreation', accountId, challenge),
      expectedOrigin: new URL(publicUrl).origin,
      expectedRPID: new URL(publicUrl).hostname,
      supportedAlgorithmIDs,
      // A security key without user verification is accepted as a second factor, but not as the first.
      requireUserVerification: false,
    }),
  );
  if (!verification?.verified) return undefined;
  const { credential, credentialBackedUp } = verification.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).filter((name) => transports.includes(name)),
    synced: credentialBackedUp,
  };
}

/** WebAuthn options to request a passkey: one of an account, or any discoverable passkey to sign in. */
export async function passkeyRequestOptions(
  tx: Tx,
  publicUrl: string,
  subject: { accountId: string } | { signIn: string },
): Promise<WebauthnJson> {
  const { generateAuthenticationOptions } = await webauthn();
  const rpID = new URL(publicUrl).hostname;
  if ('accountId' in subject) {
    const allowCredentials = await credentialsOf(tx, subject.accountId);
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'preferred', allowCredentials });
    await rememberChallenge(tx, { model: 'PasskeyRequest', owner: subject.accountId, challenge: options.challenge });
    return { ...options };
  }
  const known = await maybeChallenge(tx, 'PasskeyRequest', subject.signIn);
  const challenge =
    known === undefined ? new Uint8Array(randomBytes(32)) : new Uint8Array(Buffer.from(known, 'base64url'));
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', challenge });
  // A sign-in page may remain open as long as its sign-in is valid.
  if (known === undefined)
    await rememberChallenge(tx, {
      model: 'PasskeyRequest',
      owner: subject.signIn,
      challenge: options.challenge,
      minutes: 60,
    });
  return { ...options };
}

/**
 * The account of the passkey in a response; undefined for an invalid response, or for a sign-in without user
 * verification.
 */
export async function verifyUsedPasskey(
  tx: Tx,
  publicUrl: string,
  subject: { accountId: string } | { signIn: string },
  answer: WebauthnJson,
): Promise<string | undefined> {
  const whole = 'signIn' in subject;
  const passkey = await maybePasskey(tx, answer.id);
  if (!passkey || (!whole && passkey.account_id !== subject.accountId)) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const verification = await undefinedIfInvalid(
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) =>
        consumeChallenge(tx, 'PasskeyRequest', whole ? subject.signIn : subject.accountId, challenge),
      expectedOrigin: new URL(publicUrl).origin,
      expectedRPID: new URL(publicUrl).hostname,
      requireUserVerification: whole,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    }),
  );
  if (!verification?.verified) return undefined;
  await tx.db
    .updateTable('account_passkey')
    .set({ counter: verification.authenticationInfo.newCounter, last_used_at: sql`now()` })
    .where('id', '=', passkey.id)
    .execute();
  return passkey.account_id;
}

// Locked, so that a copied key cannot be used concurrently with the same counter.
async function maybePasskey({ db }: Tx, id: unknown) {
  if (typeof id !== 'string' || !credentialId.test(id)) return undefined;
  return db
    .selectFrom('account_passkey')
    .select(['id', 'account_id', 'credential_id', 'public_key', 'counter'])
    .where('credential_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

async function credentialsOf({ db }: Tx, accountId: string) {
  const rows = await db
    .selectFrom('account_passkey')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .execute();
  return rows.map((row) => ({ id: row.credential_id, transports: row.transports }));
}

// The library throws for every invalid response.
const undefinedIfInvalid = <Result>(verification: Promise<Result>): Promise<Result | undefined> =>
  verification.catch((error: unknown) => {
    if (isDatabaseError(error)) throw error;
    return undefined;
  });

// Errors of PostgreSQL during the challenge lookup have a five-character code.
const isDatabaseError = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code);
