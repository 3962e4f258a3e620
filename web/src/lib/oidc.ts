import { ErrorResponse, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { z } from 'zod';
import { toSitePath } from './site-path.ts';

// Loaded when somebody signs in, out, or a token is about to run out: the first paint does without.

export interface SignIn {
  organization?: string | undefined;
  invitation?: string | undefined;
  screenHint?: 'signup' | 'login' | undefined;
  /** A path of this site to go on with. */
  path?: string | undefined;
  scope?: string | undefined;
  /** Asks who it is even where the provider knows: what follows needs a sign-in that is minutes old. */
  freshly?: boolean | undefined;
}

/** Leaves for the identity provider. */
export async function redirectToSignIn(options: SignIn): Promise<void> {
  const { organization, invitation, screenHint, path, scope, freshly = false } = options;
  // what sign-ins left behind that nobody finished
  await manager.clearStaleState();
  await manager.signinRedirect({
    state: { path: toSitePath(path) },
    extraQueryParams: given({ organization, invitation, screen_hint: screenHint }),
    ...(scope !== undefined && { scope }),
    ...(freshly && { prompt: 'login' }),
  });
}

export interface SignedIn {
  token: string;
  path: string | undefined;
}

/** Reads the provider's answer out of the callback's address. Throws what the provider refused, or what is wrong. */
export async function readCallback(url: string): Promise<SignedIn> {
  const user = await manager.signinRedirectCallback(url);
  const { data } = appState.safeParse(user.state);
  return { token: tokenOf(user), path: toSitePath(data?.path) };
}

/** A new token for the same organization through a hidden frame; throws a refusal when the provider's session is over. */
export const silentToken = async (organization: string | undefined): Promise<string> =>
  tokenOf(await manager.signinSilent({ extraQueryParams: given({ organization }) }));

/** The provider's end of the session: its page, then back to the root. */
export async function redirectToSignOut(clear: () => void): Promise<void> {
  const user = await manager.getUser();
  clear();
  await manager.signoutRedirect(user?.id_token === undefined ? {} : { id_token_hint: user.id_token });
}

/** The provider answered and said no; anything else is a fault on the way. */
export const isRefused = (error: unknown): error is ErrorResponse => error instanceof ErrorResponse;

const { origin } = window.location;

// No refresh token is asked for: a token renews through the provider's own cookie, so nothing long-lived is kept here.
const manager = new UserManager({
  authority: `${origin}/oidc`,
  client_id: 'sightline-web',
  redirect_uri: `${origin}/auth`,
  silent_redirect_uri: `${origin}/auth/silent`,
  post_logout_redirect_uri: `${origin}/`,
  scope: 'openid profile email',
  // The session renews by itself, once for all tabs, and names the organization.
  automaticSilentRenew: false,
  userStore: new WebStorageStateStore({ store: window.localStorage }),
});

const appState = z.object({ path: z.string().optional() });

const given = (parameters: Record<string, string | undefined>): Record<string, string> => ({
  audience: `${origin}/api`,
  ...Object.fromEntries(Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []))),
});

function tokenOf(user: User | null): string {
  if (!user) throw new Error('The identity provider sent no token.');
  return user.access_token;
}
