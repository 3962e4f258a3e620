import { parsed } from './shared-file.ts';

/** A sign-in that was begun and whose link has not come back. */
export interface PendingSignIn {
  state: string;
  codeVerifier: string;
  server: string;
}

/** What is used of VS Code's `SecretStorage`, which all windows share. */
export interface Secrets {
  get: (key: string) => Thenable<string | undefined>;
  store: (key: string, value: string) => Thenable<void>;
}

export interface PendingSignIns {
  add: (begun: PendingSignIn) => Promise<void>;
  /** The one with this state, once. */
  take: (state: string) => Promise<PendingSignIn | undefined>;
}

const secretName = 'sightline.pending';
const goodForMs = 15 * 60_000;
const most = 5;

/** Kept by the windows together, for a link may arrive in any of them. */
export function createPending(secrets: Secrets, clock: () => number = Date.now): PendingSignIns {
  async function waiting(): Promise<(PendingSignIn & { at: number })[]> {
    const kept = parsed(await secrets.get(secretName));
    const now = clock();
    return Array.isArray(kept) ? kept.filter(({ at }) => Math.abs(now - at) < goodForMs) : [];
  }
  return {
    add: async (begun) => {
      const kept = [...(await waiting()), { ...begun, at: clock() }].slice(-most);
      await secrets.store(secretName, JSON.stringify(kept));
    },
    take: async (state) => {
      const kept = await waiting();
      const found = kept.find((begun) => begun.state === state);
      if (found) await secrets.store(secretName, JSON.stringify(kept.filter((begun) => begun !== found)));
      return found;
    },
  };
}
