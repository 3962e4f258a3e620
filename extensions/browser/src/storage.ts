import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { LogEntry } from '@sightline/telemetry/log.ts';
import type { Pause } from '@sightline/telemetry/pause.ts';
import type { AccessToken, StoredSession } from '@sightline/telemetry/session.ts';
import { browser } from 'wxt/browser';

/** State that persists across browser restarts. */
export interface PersistentState {
  /** Origin of the server: `https://sightline.example`. */
  server: string;
  /** Sites edited by the user; absent while the server's default applies. */
  sites: string[];
  /** The default sites of the server. */
  defaultSites: string[];
  pause: Pause | null;
  /** The pause reported to the server, while it lasts. */
  reportedPause: Pause | null;
  signIn: StoredSession | null;
  queue: IdentifyEvent[];
  log: LogEntry[];
  /** Salt for the hashes of copied text. It never leaves this profile. */
  salt: number[];
  /** ID of this profile in presence. */
  profile: string;
  /** The account and version for which the installation was reported. */
  reportedInstallation: string;
}

/** State that persists across worker restarts, until the browser ends. */
export interface SessionState {
  access: AccessToken | null;
  pending: PendingSignIn | null;
  /** When a page of this kind on this host was last recorded, in Unix milliseconds. */
  seen: Record<string, number>;
  /** Why the last sign-in or delivery failed; empty otherwise. */
  problem: string;
  /** Unix milliseconds of the next delivery attempt; 0 without a planned one. */
  nextTryAt: number;
}

/** A sign-in that awaits its code. */
export interface PendingSignIn {
  state: string;
  codeVerifier: string;
  server: string;
}

export const localState = area<PersistentState>('local');
export const sessionState = area<SessionState>('session');

function area<Shape extends object>(name: 'local' | 'session') {
  const store = () => browser.storage[name];
  return {
    get: async <Key extends keyof Shape & string>(key: Key): Promise<Shape[Key] | undefined> =>
      (await store().get(key))[key] as Shape[Key] | undefined,
    set: <Key extends keyof Shape & string>(key: Key, value: Shape[Key]): Promise<void> =>
      store().set({ [key]: value }),
    remove: (...keys: (keyof Shape & string)[]): Promise<void> => store().remove(keys),
  };
}

/** Returns a value that is created once for this profile. */
export async function getOrCreate<Key extends 'salt' | 'profile'>(
  key: Key,
  make: () => PersistentState[Key],
): Promise<PersistentState[Key]> {
  const known = await localState.get(key);
  if (known !== undefined) return known;
  const made = make();
  await localState.set(key, made);
  return made;
}
