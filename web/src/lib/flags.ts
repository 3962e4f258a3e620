import { type Flag, flagNames } from '@sightline/contract/core/flags.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { useEffect, useSyncExternalStore } from 'react';
import type { UnleashClient } from 'unleash-proxy-client';
import { fetchOnce } from './fetch-once.ts';
import { readOverrides } from './flag-overrides.ts';
import { accessToken, currentSession, onSessionChange, restartSession } from './session.ts';
import type { TokenSession } from './token.ts';

/** Whether a flag is on for this page; false until known for the current session. */
export function useFlag(name: Flag): boolean {
  const shown = useSyncExternalStore(subscribe, shownFlags);
  // Counted once per server response, not per render.
  useEffect(() => {
    if (shown !== none) current?.client?.isEnabled(name);
  }, [name, shown]);
  return shown.has(name);
}

/** Whether the server has responded for the current session. */
export const useFlagsKnown = (): boolean => useSyncExternalStore(subscribe, shownFlags) !== none;

/** The flags of the server, without overrides of an employee. */
export const useServerFlags = (): ReadonlySet<Flag> => useSyncExternalStore(subscribe, serverFlags);

/**
 * Requests the flags. Resolves when they are known, or after the maximum waiting time (spec 8); unknown flags are then
 * off.
 */
export const waitForFlags = (): Promise<void> => follow()?.awaited ?? Promise.resolve();

/** Whether the wait for the flags has ended. */
export const useFlagsAwaited = (): boolean =>
  useSyncExternalStore(subscribe, () => ofSession()?.isAwaited ?? !currentSession());

/** Refetches now, since the flags may be outdated after a lost connection. */
export const refreshFlags = (): void => void current?.client?.updateToggles();

/** Milliseconds. */
const MAX_WAIT_MS = 1_500;
const RETRY_AFTER_MS = 5_000;
/** Seconds (spec 9). */
const refreshEvery = 300;
const countsEvery = 180;

/** One client per account and organization, so that flags never leak between them. */
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
const notifyListeners = () => {
  for (const listen of listeners) listen();
};
onSessionChange(() => {
  if (current && current.key !== keyOf(currentSession())) follow();
  notifyListeners();
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

/** The flag source of the current session. */
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
  const stopWaiting = () => {
    clearTimeout(enough);
    source.isAwaited = true;
    resolve();
    notifyListeners();
  };
  const enough = setTimeout(stopWaiting, MAX_WAIT_MS);
  const again = (task: () => void) => {
    clearTimeout(retry);
    if (source === current) retry = setTimeout(task, RETRY_AFTER_MS);
  };

  const start = async () => {
    const client = await makeClient();
    if (source !== current) return;
    source.client = client;
    client.on('update', () => {
      const names = new Set(client.getAllToggles().flatMap(({ name, enabled }) => (enabled ? [name] : [])));
      source.server = new Set(flagNames.filter((name) => names.has(name)));
      source.shown = new Set(flagNames.filter((name) => overrides[name] ?? source.server.has(name)));
      stopWaiting();
    });
    client.on('error', ({ type }: { type?: string }) => {
      stopWaiting();
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
    // Replaced by the access token at each request, since it is renewed while the page is open.
    clientKey: 'session',
    appName: 'sightline-web',
    refreshInterval: refreshEvery,
    metricsInterval: countsEvery,
    metricsIntervalInitial: 0,
    // Local storage would expose the flags to the next user of this browser.
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
  if (response.status === 401) restartSession();
  return response;
}
