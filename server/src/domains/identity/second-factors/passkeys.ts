import { randomBytes } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { consumeChallenge, maybeChallenge, rememberChallenge } from './challenges.ts';

/** WebAuthn in JSON, as a browser takes it or gives it; nothing in it can be trusted. */
export type WebauthnJson = Record<string, unknown>;

export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  synced: boolean;
}

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
// EdDSA, ES256 and RS256: what every authenticator of today has one of.
const supportedAlgorithmIDs = [-8, -7, -257];
const credentialId = /^[\w-]{1,1400}$/;

/** What a browser needs to make a passkey that the account does not have yet. */
export async function creationOptions(
  tx: Tx,
  publicUrl: string,
  account: { id: string; email: string; name: string },
): Promise<WebauthnJson> {
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

/** The passkey a browser made; undefined where the answer is none, or not to our question. */
export async function madePasskey(
  tx: Tx,
  publicUrl: string,
  accountId: string,
  answer: WebauthnJson,
): Promise<NewPasskey | undefined> {
  const verification = await orRefused(
    verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => consumeChallenge(tx, 'PasskeyCreation', accountId, challenge),
      expectedOrigin: new URL(publicUrl).origin,
      expectedRPID: new URL(publicUrl).hostname,
      supportedAlgorithmIDs,
      // Somebody who has a bare security key has a second factor, if no first one.
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

/** What a browser needs to ask for a passkey: one of an account, or as a whole sign-in any that names its account itself. */
export async function requestOptions(
  tx: Tx,
  publicUrl: string,
  asked: { accountId: string } | { signIn: string },
): Promise<WebauthnJson> {
  const rpID = new URL(publicUrl).hostname;
  if ('accountId' in asked) {
    const allowCredentials = await credentialsOf(tx, asked.accountId);
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'preferred', allowCredentials });
    await rememberChallenge(tx, { model: 'PasskeyRequest', owner: asked.accountId, challenge: options.challenge });
    return { ...options };
  }
  const known = await maybeChallenge(tx, 'PasskeyRequest', asked.signIn);
  const challenge =
    known === undefined ? new Uint8Array(randomBytes(32)) : new Uint8Array(Buffer.from(known, 'base64url'));
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', challenge });
  // A sign-in page may stand open as long as its sign-in lives.
  if (known === undefined)
    await rememberChallenge(tx, {
      model: 'PasskeyRequest',
      owner: asked.signIn,
      challenge: options.challenge,
      minutes: 60,
    });
  return { ...options };
}

/** The account whose passkey answered; undefined where none did, or for a whole sign-in one that did not check the person. */
export async function usedPasskey(
  tx: Tx,
  publicUrl: string,
  asked: { accountId: string } | { signIn: string },
  answer: WebauthnJson,
): Promise<string | undefined> {
  const whole = 'signIn' in asked;
  const passkey = await maybePasskey(tx, answer.id);
  if (!passkey || (!whole && passkey.account_id !== asked.accountId)) return undefined;
  const verification = await orRefused(
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) =>
        consumeChallenge(tx, 'PasskeyRequest', whole ? asked.signIn : asked.accountId, challenge),
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

// Locked, so that a copied key cannot be used twice at once under one counter.
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

// The library throws for whatever a browser, or somebody else, sends that is no right answer.
const orRefused = <Result>(verification: Promise<Result>): Promise<Result | undefined> =>
  verification.catch((error: unknown) => {
    if (isOurs(error)) throw error;
    return undefined;
  });

// What PostgreSQL says while a challenge is looked up carries a code of its own.
const isOurs = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code);
