import { type ApiCall, createClient } from '@sightline/contract/core/client.ts';
import { addTotp, beginTotp } from '@sightline/contract/identity/second-factors.ts';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import type { TestAccount, TestServer } from '#testing/server.ts';
import type { Browser } from '../../authentication/testing/browser.ts';
import { signedIn, tokensOf } from '../../authentication/testing/people.ts';

export interface SignedIn {
  browser: Browser;
  token: string;
  /** An API client with the session of this browser. */
  call: ApiCall;
}

/** Creates a client with the token of a signed-in browser. */
export async function sessionOf(server: TestServer, browser: Browser, organization?: string): Promise<SignedIn> {
  const tokens = await tokensOf(server, browser, organization === undefined ? {} : { organization });
  expect(tokens.access_token, JSON.stringify(tokens)).toBeTruthy();
  const token = tokens.access_token ?? '';
  return { browser, token, call: clientOf(server, token) };
}

const clientOf = (server: TestServer, token: string): ApiCall =>
  createClient({ baseUrl: `${server.url}/api`, token: () => token });

/** Signs in with the password and requests a token. */
export const openSession = async (server: TestServer, account: TestAccount, organization?: string): Promise<SignedIn> =>
  sessionOf(server, await signedIn(server, account), organization);

/** The code of an authenticator app; `steps` shifts the time by 30 seconds each. */
export const totpCodeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Sets up an authenticator app; `used` is the code of the setup. */
export async function addAuthenticatorApp({
  call,
}: SignedIn): Promise<{ secret: string; used: string; recoveryCodes: string[] }> {
  const { secret, setup } = await call(beginTotp, {});
  const used = totpCodeOf(secret);
  const { recoveryCodes } = await call(addTotp, { body: { setup, code: used } });
  return { secret, used, recoveryCodes: recoveryCodes ?? [] };
}
