import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { LogEntry } from '@sightline/telemetry/log.ts';
import type { Pause } from '@sightline/telemetry/pause.ts';
import type { AccessToken, StoredSession } from '@sightline/telemetry/session.ts';
import { browser } from 'wxt/browser';

/** What outlives the browser. */
export interface PersistentState {
  /** Origin of the server: `https://sightline.example`. */
  server: string;
  /** Hosts as the person edited them; absent while they are the server's. */
  sites: string[];
  /** Hosts that the server names. */
  offered: string[];
  pause: Pause | null;
  /** The pause the server was told of, while it lasts. */
  toldPause: Pause | null;
  signIn: StoredSession | null;
  queue: IdentifyEvent[];
  log: LogEntry[];
  /** Bytes that salt the hashes of what is copied; never leave this profile. */
  salt: number[];
  /** Id of this profile in presence. */
  profile: string;
  /** When it was told that the extension was installed. */
  greeted: string;
}

/** What ends with the browser and outlives its worker. */
export interface SessionState {
  access: AccessToken | null;
  pending: PendingSignIn | null;
  /** When a page of this kind on this host was last recorded, in Unix milliseconds. */
  seen: Record<string, number>;
  /** Why the last attempt to sign in or to send failed; empty when it did not. */
  problem: string;
  /** Unix milliseconds before which the server asked not to be asked. */
  notBefore: number;
}

/** A sign-in whose code has not come back. */
export interface PendingSignIn {
  state: string;
  codeVerifier: string;
  server: string;
}

export const kept = area<PersistentState>('local');
export const held = area<SessionState>('session');

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

/** A value made once for this profile. */
export async function once<Key extends 'salt' | 'profile'>(
  key: Key,
  make: () => PersistentState[Key],
): Promise<PersistentState[Key]> {
  const known = await kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  await kept.set(key, made);
  return made;
}
