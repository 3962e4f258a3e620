import type { SignIn } from './oidc.ts';
import { clearSession, isLeaving, markSigningOut, setSignInAttempts, signInAttempts, startSession } from './session.ts';
import { consumePath, storePath } from './site-path.ts';
import { setStored } from './storage.ts';

export type { SignIn } from './oidc.ts';

/** Redirects to the identity provider; rejects if it is unreachable. */
export async function signIn(options: SignIn): Promise<void> {
  // A page without a token leads here, even while its session is ending; a sign-in would interrupt that.
  if (isLeaving()) return;
  const { redirectToSignIn } = await import('./oidc.ts');
  // A failed sign-in restarts without its path, so the path is stored to continue anyway.
  if (options.freshly && options.path !== undefined) storePath('returnUrl', options.path);
  setSignInAttempts(signInAttempts() + 1);
  await redirectToSignIn(options);
}

export type SignInResult =
  | { kind: 'signed-in'; path: string | undefined }
  /** The provider knows the user but denies access, with its reason. */
  | { kind: 'denied'; reason: string };

/** Parses the provider's response and starts the session. Throws for an invalid or unrelated response. */
export async function finishSignIn(url: string): Promise<SignInResult> {
  const { isRefused, readCallback } = await import('./oidc.ts');
  try {
    const { token, path } = await readCallback(url);
    // A regular sign-in ends user testing.
    setStored('userTesting', undefined);
    startSession(token);
    return { kind: 'signed-in', path };
  } catch (error) {
    if (isRefused(error) && error.error === 'access_denied') {
      return { kind: 'denied', reason: error.error_description ?? '' };
    }
    throw error;
  }
}

/** The path after a sign-in: its own, else a stored one, else Home. Consumes stored ones. */
export function signInDestination(path: string | undefined): string {
  const returnUrl = consumePath('returnUrl');
  const initialUrl = consumePath('initialUrl');
  return path ?? returnUrl ?? initialUrl ?? '/';
}

/** False after several failed sign-ins in a row: the user decides instead of another redirect. */
export const mayRetrySignIn = (): boolean => signInAttempts() < mostTries;

/** Resets the count after a successful or user-initiated sign-in. */
export const resetSignInAttempts = (): void => setSignInAttempts(0);

/** Ends the session here and at the identity provider. */
export async function signOut(): Promise<void> {
  markSigningOut();
  try {
    const { redirectToSignOut } = await import('./oidc.ts');
    await redirectToSignOut(clearSession);
  } catch {
    // The provider is unreachable: at least this browser clears its data.
    clearSession();
    window.location.assign('/');
  }
}

const mostTries = 3;
