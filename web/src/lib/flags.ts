import { type Flag, flagNames } from '@sightline/contract/core/flags.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { useEffect, useSyncExternalStore } from 'react';
import type { UnleashClient } from 'unleash-proxy-client';
import { fetchOnce } from './fetch-once.ts';
import { readOverrides } from './flag-overrides.ts';
import { accessToken, currentSession, loseSession, onSessionChange } from './session.ts';
import type { TokenSession } from './token.ts';

/** Whether a flag is on, as this page shows it; false until it is known for whoever is signed in. */
export function useFlag(name: Flag): boolean {
  const shown = useSyncExternalStore(subscribe, shownFlags);
  // Counted once for each answer of the server, not for each time a component was drawn.
  useEffect(() => {
    if (shown !== none) current?.client?.isEnabled(name);
  }, [name, shown]);
  return shown.has(name);
}

/** Whether the server has answered for whoever is signed in. */
export const useFlagsKnown = (): boolean => useSyncExternalStore(subscribe, shownFlags) !== none;

/** The server's answers, without an employee's overrides. */
export const useServerFlags = (): ReadonlySet<Flag> => useSyncExternalStore(subscribe, serverFlags);

/**
 * Asks for the flags, and resolves once they are known, or when a page has waited for them long enough (spec 8): what is not
 * known then is off.
 */
export const flagsAwaited = (): Promise<void> => follow()?.awaited ?? Promise.resolve();

/** Whether nothing waits for the flags any more. */
export const useFlagsAwaited = (): boolean =>
  useSyncExternalStore(subscribe, () => ofSession()?.isAwaited ?? !currentSession());

/** Asks again now: after a lost connection, when what was said before may be old. */
export const refreshFlags = (): void => void current?.client?.updateToggles();

/** Milliseconds. */
const waitsAtMost = 1_500;
const asksAgainAfter = 5_000;
/** Seconds (spec 9). */
const refreshEvery = 300;
const countsEvery = 180;

/** One client for each account and organization: what was on for another can never show. */
interface FlagSource {
  key: string;
  client?: UnleashClient;
  awaited: Promise<void>;
  isAwaited: boolean;
  server: ReadonlySet<Flag>;
  shown: ReadonlySet<Flag>;
  /** Stops the client and its timers, and resolves `awaited`. */
  stop: () => void;
}

const none: ReadonlySet<Flag> = new Set();
let current: FlagSource | undefined;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listen of listeners) listen();
};
onSessionChange(() => {
  if (current && current.key !== keyOf(currentSession())) follow();
  tell();
});

function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  follow();
  return () => listeners.delete(listen);
}

const keyOf = (session: TokenSession | undefined) => session && `${session.accountId} ${session.organization}`;
const ofSession = () => (current && current.key === keyOf(currentSession()) ? current : undefined);
const shownFlags = () => ofSession()?.shown ?? none;
const serverFlags = () => ofSession()?.server ?? none;

/** The source of whoever is signed in now. */
function follow(): FlagSource | undefined {
  const session = currentSession();
  const key = keyOf(session);
  if (current?.key === key) return current;
  current?.stop();
  current = session && key !== undefined ? begin(session, key) : undefined;
  return current;
}

function begin(session: TokenSession, key: string): FlagSource {
  const { promise: awaited, resolve } = Promise.withResolvers<void>();
  let retry: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(enough);
    clearTimeout(retry);
    source.client?.stop();
    resolve();
  };
  const source: FlagSource = { key, awaited, isAwaited: false, server: none, shown: none, stop };
  const overrides = readOverrides(session.accountId);
  const goOn = () => {
    clearTimeout(enough);
    source.isAwaited = true;
    resolve();
    tell();
  };
  const enough = setTimeout(goOn, waitsAtMost);
  const again = (task: () => void) => {
    clearTimeout(retry);
    if (source === current) retry = setTimeout(task, asksAgainAfter);
  };

  const start = async () => {
    const client = await makeClient();
    if (source !== current) return;
    source.client = client;
    client.on('update', () => {
      const names = new Set(client.getAllToggles().flatMap(({ name, enabled }) => (enabled ? [name] : [])));
      source.server = new Set(flagNames.filter((name) => names.has(name)));
      source.shown = new Set(flagNames.filter((name) => overrides[name] ?? source.server.has(name)));
      goOn();
    });
    client.on('error', ({ type }: { type?: string }) => {
      goOn();
      if (type !== 'metrics' && !client.isReady()) again(() => void client.updateToggles());
    });
    void client.start();
  };
  const tryToStart = () => void start().catch(() => again(tryToStart));
  tryToStart();
  return source;
}

async function makeClient(): Promise<UnleashClient> {
  const { InMemoryStorageProvider, UnleashClient } = await import('unleash-proxy-client');
  return new UnleashClient({
    url: `${window.location.origin}/api${listFeatureFlags.path}`,
    // The access token takes its place at each request: it is renewed while the page is open.
    clientKey: 'session',
    appName: 'sightline-web',
    refreshInterval: refreshEvery,
    metricsInterval: countsEvery,
    metricsIntervalInitial: 0,
    // What it keeps in local storage would be shown to the next person at this browser.
    storageProvider: new InMemoryStorageProvider(),
    fetch: asSession,
  });
}

async function asSession(url: string, request: RequestInit): Promise<Response> {
  const token = await accessToken();
  if (token === undefined) return Response.json({ toggles: [] });
  const headers = new Headers(request.headers);
  headers.set('authorization', `Bearer ${token}`);
  const response = await fetchOnce(url, { ...request, headers }, new URL(url).pathname);
  if (response.status === 401) loseSession();
  return response;
}
