import { type Permission, roleNames } from '@sightline/contract/core/permissions.ts';
import { useSyncExternalStore } from 'react';
import { stringifySearch } from './search-params.ts';
import { storePath } from './site-path.ts';
import { clearStorage, getStored, setStored } from './storage.ts';
import { readToken, type TokenSession } from './token.ts';

/** The signed-in session; undefined without a token. The object is stable until the token changes. */
export function currentSession(): TokenSession | undefined {
  const token = getStored('accessToken');
  if (token !== known.token) known = { token, session: readToken(token) };
  return known.session;
}

export const useSession = (): TokenSession | undefined => useSyncExternalStore(subscribe, currentSession);

/** Calls `listen` when a session starts, ends or is renewed; returns the unsubscribe function. */
export const onSessionChange = (listen: () => void): (() => void) => subscribe(listen);

export const isOwner = (session: TokenSession | undefined): boolean => hasRole(session, roleNames.rol_owner);
export const isContributor = (session: TokenSession | undefined): boolean =>
  hasRole(session, roleNames.rol_contributor);

/** Whether the token contains a permission. It determines what the UI offers; the server decides. */
export const hasPermission = (session: TokenSession | undefined, permission: Permission): boolean =>
  session?.permissions.includes(permission) ?? false;

/** The token for a request, renewed first if expired (after sleep); undefined without a session. */
export async function accessToken(): Promise<string | undefined> {
  const session = currentSession();
  if (session && session.expiresAt - Date.now() < REQUEST_LEEWAY_MS) await renew();
  return getStored('accessToken');
}

/** Starts a session, or continues it with a renewed token. */
export function startSession(token: string): void {
  const session = readToken(token);
  if (!session) throw new Error('The identity provider returned an invalid token.');
  setStored('accountId', session.accountId);
  setStored('organization', session.organization);
  setStored('accessToken', token);
  changed();
}

/** Ends the session in this browser only: token and all storage (spec 8). */
export function clearSession(): void {
  clearStorage();
  changed();
}

/** Marks that the user signs out: later 401 responses do not redirect to the sign-in. */
export function markSigningOut(): void {
  leaving = true;
}

/** Whether this page is leaving the session, to sign out at the provider or to sign in again. */
export const isLeaving = (): boolean => leaving;

/** After a 401: clears the session, and signs in again to return to the current page. */
export function restartSession(): void {
  // The first of several rejected requests decides, since the page is then leaving.
  if (leaving) return;
  leaving = true;
  const { pathname, search, hash } = window.location;
  const path = `${pathname}${search}${hash}`;
  const organization = currentSession()?.organization;
  const tries = signInAttempts();
  clearStorage();
  setSignInAttempts(tries);
  storePath('initialUrl', path);
  // Also in the URL, since other tabs lose the session at the same time and share the storage key.
  window.location.assign(`/login${stringifySearch({ organization, path })}`);
}

/** Renews the token before it expires and follows changes in other tabs. Call once; returns a stop function. */
export function watchSession(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && key !== 'accessToken') return;
    const before = known.session;
    const now = currentSession();
    changed();
    if (!before) return;
    // Another tab signed out, or switched the organization: the page no longer belongs to this session.
    if (!now) window.location.reload();
    else if (now.accountId !== before.accountId || now.organization !== before.organization)
      window.location.assign('/');
  };
  window.addEventListener('storage', onStorage);
  schedule();
  return () => {
    window.removeEventListener('storage', onStorage);
    clearTimeout(timer);
  };
}

/** Number of sign-in attempts in this tab since the last success, to stop redirect loops. */
export const signInAttempts = (): number => Number(sessionStorage.getItem(triesKey)) || 0;
export const setSignInAttempts = (tries: number): void => sessionStorage.setItem(triesKey, String(tries));

// A minute early for the timer, a few seconds for a request that finds the token about to expire.
const RENEW_BEFORE_MS = 60_000;
const REQUEST_LEEWAY_MS = 5_000;
const retryAfter = 10_000;
// the maximum of a browser timer
const MAX_TIMER_MS = 2 ** 31 - 1;
const triesKey = 'signInTries';

let known: { token: string | undefined; session: TokenSession | undefined } = { token: undefined, session: undefined };
let timer: ReturnType<typeof setTimeout> | undefined;
let leaving = false;
let renewal: Promise<void> | undefined;
const listeners = new Set<() => void>();

function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

function changed(): void {
  schedule();
  for (const listen of listeners) listen();
}

function schedule(after?: number): void {
  clearTimeout(timer);
  const session = currentSession();
  if (!session || getStored('userTesting')) return;
  const delay = Math.min(MAX_TIMER_MS, Math.max(0, after ?? session.expiresAt - RENEW_BEFORE_MS - Date.now()));
  timer = setTimeout(() => void renew(), delay);
}

function renew(): Promise<void> {
  renewal ??= renewOnce().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function renewOnce(): Promise<void> {
  if (getStored('userTesting')) return;
  const old = getStored('accessToken');
  try {
    const { isRefused, silentToken } = await import('./oidc.ts');
    // One tab at a time: the others find the new token when they get the lock.
    await navigator.locks.request('sightline-renewal', async () => {
      if (getStored('accessToken') !== old) return changed();
      try {
        startSession(await silentToken(currentSession()?.organization));
      } catch (error) {
        if (!isRefused(error)) throw error;
        restartSession();
      }
    });
  } catch {
    // The server is unreachable: requests report it, and the next attempt may succeed.
    schedule(retryAfter);
  }
}

const hasRole = (session: TokenSession | undefined, role: string) => session?.roles.includes(role) ?? false;
