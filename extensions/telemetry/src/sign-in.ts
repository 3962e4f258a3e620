import type { ExtensionSignIn } from '@sightline/contract/identity/extensions.ts';
import { paths, type SendRequest } from './api.ts';
import { base64url } from './encoding.ts';

/** The secrets of a sign-in. `state` and `codeVerifier` are stored until the code is received. */
export interface Challenge {
  state: string;
  codeVerifier: string;
  codeChallenge: string;
}

/** Creates the secrets of one sign-in (RFC 7636, S256). */
export async function pkce(): Promise<Challenge> {
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  return {
    state: base64url(crypto.getRandomValues(new Uint8Array(32))),
    codeVerifier,
    codeChallenge: base64url(new Uint8Array(digest)),
  };
}

export interface Authorize {
  server: string;
  /** Scheme of the editor's links, such as `vscode`; `browser` for a browser extension. */
  scheme: string;
  challenge: Pick<Challenge, 'state' | 'codeChallenge'>;
  /** The program: `vscode`, `chrome`, … */
  type: string;
  /** Name of the machine or profile, for the user. */
  device?: string;
  /** For an editor in a browser: the URL that receives its links. */
  callback?: string;
}

/** The page on which the user authorizes the extension. */
export function authorizeUrl({ server, scheme, challenge, type, device = '', callback }: Authorize): string {
  const url = new URL(`/authorize/${encodeURIComponent(scheme)}`, server);
  url.searchParams.set('state', challenge.state);
  url.searchParams.set('code_challenge', challenge.codeChallenge);
  url.searchParams.set('type', type);
  if (device !== '') url.searchParams.set('device', device.slice(0, 100));
  if (callback !== undefined) url.searchParams.set('callback', callback);
  return url.href;
}

export type Redeemed = ExtensionSignIn & { refreshToken: string };
export type RedeemOptions = { signedIn: Redeemed } | { problem: string };

/** Exchanges the code for tokens. The caller has compared `state` with the stored value. */
export async function redeemCode(
  callApi: SendRequest,
  { code, codeVerifier, version }: { code: string; codeVerifier: string; version: string },
): Promise<RedeemOptions> {
  const reply = await callApi('POST', paths.redeem, { body: { code, codeVerifier, version } });
  if (reply.status === 200 && isSignIn(reply.body) && 'refreshToken' in reply.body) {
    return { signedIn: reply.body as Redeemed };
  }
  if (reply.status === 401) return { problem: 'The sign-in expired or was already used. Sign in again.' };
  return { problem: reply.message || 'The response is not from a Sightline server.' };
}

export function isSignIn(body: unknown): body is ExtensionSignIn {
  return (
    body !== null &&
    typeof body === 'object' &&
    'accessToken' in body &&
    typeof body.accessToken === 'string' &&
    'account' in body &&
    'organization' in body
  );
}
