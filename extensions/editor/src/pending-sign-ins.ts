import { parseJson } from './shared-file.ts';

/** A sign-in that awaits its link. */
export interface PendingSignIn {
  state: string;
  codeVerifier: string;
  server: string;
}

/** The used part of VS Code's `SecretStorage`, which all windows share. */
export interface Secrets {
  get: (key: string) => Thenable<string | undefined>;
  store: (key: string, value: string) => Thenable<void>;
}

export interface PendingSignIns {
  add: (begun: PendingSignIn) => Promise<void>;
  /** Returns and removes the sign-in with this state. */
  take: (state: string) => Promise<PendingSignIn | undefined>;
}

const secretName = 'sightline.pending';
const VALID_FOR_MS = 15 * 60_000;
const MAX_PENDING_SIGN_INS = 5;

/** Shared by all windows, since the link can arrive in any of them. */
export function createPending(secrets: Secrets, clock: () => number = Date.now): PendingSignIns {
  async function waiting(): Promise<(PendingSignIn & { at: number })[]> {
    const stored = parseJson(await secrets.get(secretName));
    const now = clock();
    return Array.isArray(stored) ? stored.filter(({ at }) => Math.abs(now - at) < VALID_FOR_MS) : [];
  }
  return {
    add: async (begun) => {
      const pending = [...(await waiting()), { ...begun, at: clock() }].slice(-MAX_PENDING_SIGN_INS);
      await secrets.store(secretName, JSON.stringify(pending));
    },
    take: async (state) => {
      const pending = await waiting();
      const found = pending.find((begun) => begun.state === state);
      if (found) await secrets.store(secretName, JSON.stringify(pending.filter((begun) => begun !== found)));
      return found;
    },
  };
}
