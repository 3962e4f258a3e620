import type { ExtensionSignIn } from '@sightline/contract/identity/extensions.ts';
import { type Ask, paths } from './api.ts';
import type { Clock } from './clock.ts';
import type { Owner } from './events.ts';
import { isSignIn, type Redeemed } from './sign-in.ts';

/** What is kept through restarts, where secrets are kept. */
export interface StoredSession {
  refreshToken: string;
  account: ExtensionSignIn['account'];
  organization: ExtensionSignIn['organization'];
  /** The server has ended this sign-in: who was signed in is still known, so that what is queued stays theirs. */
  ended?: boolean;
}

/** An access token while it is good. It may be kept as long as the browser runs, never on disk. */
export interface AccessToken {
  token: string;
  /** Unix milliseconds of this machine's clock. */
  since: number;
  forMs: number;
}

export type TokenResult =
  | { kind: 'token'; token: string }
  /** Nobody is signed in, or the server has ended it: sign in again. */
  | { kind: 'signed-out' }
  | { kind: 'unreachable'; retryAfterMs: number | null; message: string };

export interface ExtensionSignInSession {
  /** A good token, renewed where needed. `refused` names one that the server did not take. */
  accessToken(refused?: string): Promise<TokenResult>;
  /** Who is signed in, or was until the server ended it; null after signing out. */
  current(): Promise<StoredSession | null>;
  /** Whether somebody is signed in and the server has not ended it, as far as known. */
  isActive(): Promise<boolean>;
  owner(): Promise<Owner | null>;
  signIn(redeemed: Redeemed): Promise<void>;
  /** Forgets the tokens and tells the server, which may be away. */
  signOut(): Promise<void>;
}

export interface SessionOptions {
  ask: Ask;
  /** Read before each renewal: another window may have signed in or out meanwhile. */
  load: () => Promise<StoredSession | null>;
  save: (saved: StoredSession | null) => Promise<void>;
  /** Where the access token outlives this process, such as a browser's `storage.session`. */
  cache?: { load: () => Promise<AccessToken | null>; save: (access: AccessToken | null) => Promise<void> };
  version: string;
  clock?: Clock;
  onChange?: () => void;
}

export function createSession(options: SessionOptions): ExtensionSignInSession {
  const { ask, load, save, version, clock = Date.now, onChange = () => undefined } = options;
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
    const reply = await ask('POST', paths.renew, { body: { refreshToken, version } });
    const now = await load();
    // Meanwhile signed out, or signed in anew, here or in another window: this answer is of no use.
    if (!now) return { kind: 'signed-out' };
    if (now.refreshToken !== refreshToken) return renew(now);
    if (reply.status === 200 && isSignIn(reply.body)) {
      await keep(reply.body, refreshToken, now);
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

  async function keep(signIn: ExtensionSignIn, refreshToken: string, before: StoredSession | null) {
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
    signIn: (redeemed) => keep(redeemed, redeemed.refreshToken, null),
    signOut: async () => {
      const saved = await load();
      await save(null);
      await cache.save(null);
      onChange();
      if (saved) await ask('POST', paths.revoke, { body: { refreshToken: saved.refreshToken } });
    },
  };
}

function inMemory() {
  let held: AccessToken | null = null;
  return {
    load: async () => held,
    save: async (access: AccessToken | null) => {
      held = access;
    },
  };
}

const renewBeforeMs = 60_000;
const shortLifeMs = 5 * 60_000;

// Counted from when it came, by this machine's clock alone, which may be hours off; a clock that went back ends it.
const isGood = ({ since, forMs }: AccessToken, now: number) => now >= since && now < since + forMs - renewBeforeMs;

/** How long a token lives says the token itself: the difference of its own two times. */
function lifeOf(token: string): number {
  try {
    const [, payload = ''] = token.split('.');
    const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const life = (exp - iat) * 1000;
    return life > 0 ? life : shortLifeMs;
  } catch {
    return shortLifeMs;
  }
}
