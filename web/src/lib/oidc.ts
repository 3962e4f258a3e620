import { ErrorResponse, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { z } from 'zod';
import { outsideIssuer } from './site.ts';
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
    state: { path: toSitePath(path), organization, invitation },
    extraQueryParams: given(
      issuer ? { screen_hint: screenHint } : { organization, invitation, screen_hint: screenHint },
    ),
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
  return { token: await tokenOf(user, data), path: toSitePath(data?.path) };
}

/** A new token for the same organization through a hidden frame; throws a refusal when the provider's session is over. */
export const silentToken = async (organization: string | undefined): Promise<string> =>
  tokenOf(await manager.signinSilent({ extraQueryParams: given(issuer ? {} : { organization }) }), { organization });

/** The provider's end of the session: its page, then back to the root. */
export async function redirectToSignOut(clear: () => void): Promise<void> {
  const user = await manager.getUser();
  clear();
  await manager.signoutRedirect(user?.id_token === undefined ? {} : { id_token_hint: user.id_token });
}

/** The provider answered and said no; anything else is a fault on the way. */
export const isRefused = (error: unknown): error is ErrorResponse => error instanceof ErrorResponse;

const { origin } = window.location;

const issuer = outsideIssuer();

// No refresh token is asked for: a token renews through the provider's own cookie, so nothing long-lived is kept here.
// An issuer of another site needs one, as browsers keep its cookies out of frames; it rotates, and one tab renews.
const manager = new UserManager({
  authority: issuer?.authority ?? `${origin}/oidc`,
  client_id: issuer?.clientId ?? 'sightline-web',
  redirect_uri: `${origin}/auth`,
  silent_redirect_uri: `${origin}/auth/silent`,
  post_logout_redirect_uri: `${origin}/`,
  scope: issuer ? 'openid profile email offline_access' : 'openid profile email',
  // The session renews by itself, once for all tabs, and names the organization.
  automaticSilentRenew: false,
  userStore: new WebStorageStateStore({ store: window.localStorage }),
});

const appState = z.object({
  path: z.string().optional(),
  organization: z.string().optional(),
  invitation: z.string().optional(),
});

const given = (parameters: Record<string, string | undefined>): Record<string, string> => ({
  audience: issuer?.audience ?? `${origin}/api`,
  ...Object.fromEntries(Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []))),
});

interface Wish {
  organization?: string | undefined;
  invitation?: string | undefined;
}

/** The token for the API. That of an outside issuer is changed into one for the organization that is asked for. */
async function tokenOf(user: User | null, wish: Wish = {}): Promise<string> {
  if (!user) throw new Error('The identity provider returned no token.');
  if (!issuer) return user.access_token;
  const { organization, invitation } = wish;
  const answer = await fetch('/oidc/direct/token', {
    method: 'POST',
    headers: { authorization: `Bearer ${user.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organization, invitation }),
  });
  const { access_token: token, message } = exchanged.parse(await answer.json());
  if (token !== undefined) return token;
  if (answer.status >= 500) throw new Error(message);
  throw new ErrorResponse({ error: 'access_denied', ...(message !== undefined && { error_description: message }) });
}

const exchanged = z.object({ access_token: z.string().optional(), message: z.string().optional() });
