import type { SignIn } from './oidc.ts';
import { forgetSession, isLeaving, keepToken, leaveSession, setSignInTries, signInTries } from './session.ts';
import { storePath, takePath } from './site-path.ts';
import { store } from './storage.ts';

export type { SignIn } from './oidc.ts';

/** Leaves for the identity provider; rejects when it cannot be reached. */
export async function signIn(options: SignIn): Promise<void> {
  // A page without a token leads here, also while its session is being ended: signing in would overtake that.
  if (isLeaving()) return;
  const { redirectToSignIn } = await import('./oidc.ts');
  // A sign-in that fails on its way begins anew without its path: what was begun is gone on with all the same.
  if (options.freshly && options.path !== undefined) storePath('returnUrl', options.path);
  setSignInTries(signInTries() + 1);
  await redirectToSignIn(options);
}

export type SignInAnswer =
  | { kind: 'signed-in'; path: string | undefined }
  /** The provider knows the person, but lets them not in here; in its words. */
  | { kind: 'denied'; reason: string };

/** Reads the provider's answer and begins the session. Throws for an answer that is not for us or cannot be used. */
export async function finishSignIn(url: string): Promise<SignInAnswer> {
  const { isRefused, readCallback } = await import('./oidc.ts');
  try {
    const { token, path } = await readCallback(url);
    // Whoever signs in is no test user any more.
    store('userTesting', undefined);
    keepToken(token);
    return { kind: 'signed-in', path };
  } catch (error) {
    if (isRefused(error) && error.error === 'access_denied') {
      return { kind: 'denied', reason: error.error_description ?? '' };
    }
    throw error;
  }
}

/** Where to go on after a sign-in: the path it was begun with, else a stored one, else home. Uses stored ones up. */
export function destination(path: string | undefined): string {
  const returnUrl = takePath('returnUrl');
  const initialUrl = takePath('initialUrl');
  return path ?? returnUrl ?? initialUrl ?? '/';
}

/** False once several sign-ins in a row came to nothing: then a person decides, not another redirect. */
export const mayTryAgain = (): boolean => signInTries() < mostTries;

/** A sign-in succeeded, or a person asks for one: counting starts over. */
export const resetSignInTries = (): void => setSignInTries(0);

/** Ends the session here and at the identity provider. */
export async function signOut(): Promise<void> {
  leaveSession();
  try {
    const { redirectToSignOut } = await import('./oidc.ts');
    await redirectToSignOut(forgetSession);
  } catch {
    // The provider cannot be reached: this browser at least forgets everything.
    forgetSession();
    window.location.assign('/');
  }
}

const mostTries = 3;
