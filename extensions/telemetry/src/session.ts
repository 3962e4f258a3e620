import type { ExtensionSignIn } from '@sightline/contract/identity/extensions.ts';
import { paths, type SendRequest } from './api.ts';
import type { Clock } from './clock.ts';
import type { Owner } from './events.ts';
import { isSignIn, type Redeemed } from './sign-in.ts';

/** The persistent part, in the secret storage. */
export interface StoredSession {
  refreshToken: string;
  account: ExtensionSignIn['account'];
  organization: ExtensionSignIn['organization'];
  /** The server ended this sign-in. The account is still known, so that its queued events are retained. */
  ended?: boolean;
}

/** A valid access token. It may be cached while the browser runs, but never on disk. */
export interface AccessToken {
  token: string;
  /** Unix milliseconds of this machine's clock. */
  since: number;
  forMs: number;
}

export type TokenResult =
  | { kind: 'token'; token: string }
  /** No account is signed in, or the server ended the sign-in. */
  | { kind: 'signed-out' }
  | { kind: 'unreachable'; retryAfterMs: number | null; message: string };

export interface ExtensionSignInSession {
  /** Returns a valid token, renewed if needed. `refused` is a token that the server rejected. */
  accessToken(refused?: string): Promise<TokenResult>;
  /** The account that is signed in, or was until the server ended the sign-in; null after signing out. */
  current(): Promise<StoredSession | null>;
  /** Whether an account is signed in and its sign-in has not ended, as far as known. */
  isActive(): Promise<boolean>;
  owner(): Promise<Owner | null>;
  signIn(redeemed: Redeemed): Promise<void>;
  /** Deletes the tokens and notifies the server, which may be unreachable. */
  signOut(): Promise<void>;
}

export interface SessionOptions {
  callApi: SendRequest;
  /** Read before each renewal, since another window may have signed in or out. */
  load: () => Promise<StoredSession | null>;
  save: (saved: StoredSession | null) => Promise<void>;
  /** A cache in which the access token outlives this process, such as a browser's `storage.session`. */
  cache?: { load: () => Promise<AccessToken | null>; save: (access: AccessToken | null) => Promise<void> };
  version: string;
  clock?: Clock;
  onChange?: () => void;
}

export function createSession(options: SessionOptions): ExtensionSignInSession {
  const { callApi, load, save, version, clock = Date.now, onChange = () => undefined } = options;
  const cache = options.cache ?? inMemory();
  let renewing: Promise<TokenResult> | undefined;

  async function accessToken(refused?: string): Promise<TokenResult> {
    const [saved, access] = [await load(), await cache.load()];
    if (!saved || saved.ended) return { kind: 'signed-out' };
    if (access && access.token !== refused && isGood(access, clock())) return { kind: 'token', token: access.token };
    renewing ??= renew(saved).finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function renew({ refreshToken }: StoredSession): Promise<TokenResult> {
    const reply = await callApi('POST', paths.renew, { body: { refreshToken, version } });
    const now = await load();
    // Signed out or signed in again in this or another window, so this response is obsolete.
    if (!now) return { kind: 'signed-out' };
    if (now.refreshToken !== refreshToken) return renew(now);
    if (reply.status === 200 && isSignIn(reply.body)) {
      await storeSignIn(reply.body, refreshToken, now);
      return { kind: 'token', token: reply.body.accessToken };
    }
    if (reply.status !== 401) {
      return { kind: 'unreachable', retryAfterMs: reply.retryAfterMs, message: reply.message };
    }
    await save({ ...now, ended: true });
    await cache.save(null);
    onChange();
    return { kind: 'signed-out' };
  }

  async function storeSignIn(signIn: ExtensionSignIn, refreshToken: string, before: StoredSession | null) {
    const { account, organization } = signIn;
    await cache.save({ token: signIn.accessToken, since: clock(), forMs: lifeOf(signIn.accessToken) });
    const saved = { refreshToken, account, organization };
    if (JSON.stringify(saved) === JSON.stringify(before)) return;
    await save(saved);
    onChange();
  }

  return {
    accessToken,
    current: load,
    isActive: async () => {
      const saved = await load();
      return saved !== null && saved.ended !== true;
    },
    owner: async () => {
      const saved = await load();
      return saved && { accountId: saved.account.id, orgId: saved.organization.id };
    },
    signIn: (redeemed) => storeSignIn(redeemed, redeemed.refreshToken, null),
    signOut: async () => {
      const saved = await load();
      await save(null);
      await cache.save(null);
      onChange();
      if (saved) await callApi('POST', paths.revoke, { body: { refreshToken: saved.refreshToken } });
    },
  };
}

function inMemory() {
  let cached: AccessToken | null = null;
  return {
    load: async () => cached,
    save: async (access: AccessToken | null) => {
      cached = access;
    },
  };
}

const renewBeforeMs = 60_000;
const shortLifeMs = 5 * 60_000;

// Measured from its receipt with the local clock, which may be hours off. Setting the clock back invalidates the token.
const isGood = ({ since, forMs }: AccessToken, now: number) => now >= since && now < since + forMs - renewBeforeMs;

/** The lifetime of a token: the difference between its own times. */
function lifeOf(token: string): number {
  try {
    const [, payload = ''] = token.split('.');
    const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const lifetime = (exp - iat) * 1000;
    return lifetime > 0 ? lifetime : shortLifeMs;
  } catch {
    return shortLifeMs;
  }
}
