import { type Permission, roleNames } from '@sightline/contract/core/permissions.ts';
import { useSyncExternalStore } from 'react';
import { stringifySearch } from './search.ts';
import { storePath } from './site-path.ts';
import { clearStorage, store, stored } from './storage.ts';
import { readToken, type TokenSession } from './token.ts';

/** Who is signed in; undefined without a token. Keeps its identity until the token changes. */
export function currentSession(): TokenSession | undefined {
  const token = stored('accessToken');
  if (token !== known.token) known = { token, session: readToken(token) };
  return known.session;
}

export const useSession = (): TokenSession | undefined => useSyncExternalStore(subscribe, currentSession);

/** Calls `listen` whenever a session began, ended or was renewed; answers how to stop. */
export const onSessionChange = (listen: () => void): (() => void) => subscribe(listen);

export const isOwner = (session: TokenSession | undefined): boolean => holds(session, roleNames.rol_owner);
export const isReviewer = (session: TokenSession | undefined): boolean => holds(session, roleNames.rol_reviewer);
export const isContributor = (session: TokenSession | undefined): boolean => holds(session, roleNames.rol_contributor);

/** Whether the token holds a permission: decides what is offered, never what is allowed. */
export const may = (session: TokenSession | undefined, permission: Permission): boolean =>
  session?.permissions.includes(permission) ?? false;

/** The token for a call, renewed first where it has run out (a laptop that slept); undefined without a session. */
export async function accessToken(): Promise<string | undefined> {
  const session = currentSession();
  if (session && session.expiresAt - Date.now() < lastMoment) await renew();
  return stored('accessToken');
}

/** Begins a session, or goes on with a renewed token. */
export function keepToken(token: string): void {
  const session = readToken(token);
  if (!session) throw new Error('The identity provider returned an invalid token.');
  store('accountId', session.accountId);
  store('organization', session.organization);
  store('accessToken', token);
  changed();
}

/** Ends the session in this browser only: token and all storage (spec 8). */
export function forgetSession(): void {
  clearStorage();
  changed();
}

/** The person signs out: a call refused from now on sends nobody back to sign in. */
export function leaveSession(): void {
  leaving = true;
}

/** Whether this page is on its way out of the session, to the provider's end of it or to sign in again. */
export const isLeaving = (): boolean => leaving;

/** After a 401: forgets everything, and signs in again to come back to where the person was. */
export function loseSession(): void {
  // The first of several refused calls decides: from then on the page is on its way out.
  if (leaving) return;
  leaving = true;
  const { pathname, search, hash } = window.location;
  const path = `${pathname}${search}${hash}`;
  const organization = currentSession()?.organization;
  const tries = signInTries();
  clearStorage();
  setSignInTries(tries);
  storePath('initialUrl', path);
  // In the address too: other tabs lose the session at the same moment and keep theirs under the same name.
  window.location.assign(`/login${stringifySearch({ organization, path })}`);
}

/** Renews the token before it runs out and follows what other tabs do. Call once; answers how to stop. */
export function watchSession(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && key !== 'accessToken') return;
    const before = known.session;
    const now = currentSession();
    changed();
    if (!before) return;
    // Another tab signed out, or into another organization: what is on the screen is no longer this session's.
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

/** Sign-ins begun in this tab since one succeeded: stops a circle of redirects. */
export const signInTries = (): number => Number(sessionStorage.getItem(triesKey)) || 0;
export const setSignInTries = (tries: number): void => sessionStorage.setItem(triesKey, String(tries));

// One minute ahead of time for the timer, a few seconds for a call that finds the token about to run out.
const ahead = 60_000;
const lastMoment = 5_000;
const retryAfter = 10_000;
// what a browser's timer can hold
const longestTimer = 2 ** 31 - 1;
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
  if (!session || stored('userTesting')) return;
  const delay = Math.min(longestTimer, Math.max(0, after ?? session.expiresAt - ahead - Date.now()));
  timer = setTimeout(() => void renew(), delay);
}

function renew(): Promise<void> {
  renewal ??= renewOnce().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function renewOnce(): Promise<void> {
  if (stored('userTesting')) return;
  const old = stored('accessToken');
  try {
    const { isRefused, silentToken } = await import('./oidc.ts');
    // One tab at a time: the others find the new token when their turn comes.
    await navigator.locks.request('sightline-renewal', async () => {
      if (stored('accessToken') !== old) return changed();
      try {
        keepToken(await silentToken(currentSession()?.organization));
      } catch (error) {
        if (!isRefused(error)) throw error;
        loseSession();
      }
    });
  } catch {
    // The server could not be reached: the calls say so, and the next try may work.
    schedule(retryAfter);
  }
}

const holds = (session: TokenSession | undefined, role: string) => session?.roles.includes(role) ?? false;
