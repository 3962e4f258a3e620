import { ErrorResponse, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { z } from 'zod';
import { outsideIssuer } from './site.ts';
import { toSitePath } from './site-path.ts';

// Loaded on sign-in, sign-out and token renewal only, not for the first paint.

export interface SignIn {
  organization?: string | undefined;
  /** The identity provider to continue at without a page. */
  connection?: string | undefined;
  invitation?: string | undefined;
  screenHint?: 'signup' | 'login' | undefined;
  /** Path of this site to continue at. */
  path?: string | undefined;
  scope?: string | undefined;
  /** Prompts even with a session at the provider, for changes that require a recent sign-in. */
  freshly?: boolean | undefined;
}

/** Redirects to the identity provider. */
export async function redirectToSignIn(options: SignIn): Promise<void> {
  const { organization, connection, invitation, screenHint, path, scope, freshly = false } = options;
  // left behind by unfinished sign-ins
  await manager.clearStaleState();
  await manager.signinRedirect({
    state: { path: toSitePath(path), organization, invitation },
    extraQueryParams: given(
      issuer ? { screen_hint: screenHint } : { organization, connection, invitation, screen_hint: screenHint },
    ),
    ...(scope !== undefined && { scope }),
    ...(freshly && { prompt: 'login' }),
  });
}

export interface SignedIn {
  token: string;
  path: string | undefined;
}

/** Parses the provider's response in the callback URL. Throws a refusal of the provider, or a validation error. */
export async function readCallback(url: string): Promise<SignedIn> {
  const user = await manager.signinRedirectCallback(url);
  const { data } = appState.safeParse(user.state);
  return { token: await tokenOf(user, data), path: toSitePath(data?.path) };
}

/**
 * Renews the token for the same organization through a hidden frame. Throws a refusal if the provider's session has
 * ended.
 */
export const silentToken = async (organization: string | undefined): Promise<string> =>
  tokenOf(await manager.signinSilent({ extraQueryParams: given(issuer ? {} : { organization }) }), { organization });

/** Ends the session at the provider, whose page returns to the root. */
export async function redirectToSignOut(clear: () => void): Promise<void> {
  const user = await manager.getUser();
  clear();
  await manager.signoutRedirect(user?.id_token === undefined ? {} : { id_token_hint: user.id_token });
}

/** The provider refused; any other error is a technical failure. */
export const isRefused = (error: unknown): error is ErrorResponse => error instanceof ErrorResponse;

const { origin } = window.location;

const issuer = outsideIssuer();

// Requests no refresh token: tokens renew through the provider's cookie, so no long-lived secret is stored here. An
// issuer on another site needs one, since browsers block its cookies in frames; it rotates, and one tab renews it.
const manager = new UserManager({
  authority: issuer?.authority ?? `${origin}/oidc`,
  client_id: issuer?.clientId ?? 'sightline-web',
  redirect_uri: `${origin}/auth`,
  silent_redirect_uri: `${origin}/auth/silent`,
  post_logout_redirect_uri: `${origin}/`,
  scope: issuer ? 'openid profile email offline_access' : 'openid profile email',
  // The session module renews tokens, once for all tabs, and for a specific organization.
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

interface TokenScope {
  organization?: string | undefined;
  invitation?: string | undefined;
}

/** The API token. The token of an external issuer is exchanged for one of the requested organization. */
async function tokenOf(user: User | null, tokenScope: TokenScope = {}): Promise<string> {
  if (!user) throw new Error('The identity provider returned no token.');
  if (!issuer) return user.access_token;
  const { organization, invitation } = tokenScope;
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
