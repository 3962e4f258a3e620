import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

const tokens = z.object({ access_token: z.string() });

/**
 * Signs in at the server like the web app, with a password and without a second factor. Returns an access token of the
 * organization, whose session has a recent sign-in. Throws with the URL if a page is not as expected.
 */
export async function signInWithPassword(
  publicUrl: string,
  { email, password, organization }: { email: string; password: string; organization: string },
): Promise<string> {
  const { webClientId } = await import('../../domains/identity/authentication/provider.ts');
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = `${publicUrl}/auth`;
  const query = new URLSearchParams({
    client_id: webClientId,
    response_type: 'code',
    scope: 'openid email profile read:current_user',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: randomBytes(12).toString('base64url'),
    redirect_uri: redirectUri,
    organization,
  });
  const visit = cookieVisitor(publicUrl);
  const page = await visit(`/oidc/authorize?${query}`);
  const back = await visit(actionOf(page), { ...hiddenFieldsOf(page), email, password });
  const code = back.url.searchParams.get('code');
  if (code === null) throw new Error(`The sign-in of ${email} ended at ${back.url.pathname}.`);
  const response = await fetch(`${publicUrl}/oidc/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: webClientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
  });
  return tokens.parse(await response.json()).access_token;
}

interface SignInStep {
  url: URL;
  text: string;
}

/** Returns a function that requests pages with cookies, and follows redirects up to the web app. */
function cookieVisitor(publicUrl: string) {
  const cookies = new Map<string, string>();
  return async function visit(target: string, form?: Record<string, string>): Promise<SignInStep> {
    const url = new URL(target, publicUrl);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) return { url, text };
    const next = new URL(location, url);
    return next.pathname.startsWith('/oidc') ? visit(next.href) : { url: next, text };
  };
}

const actionOf = ({ text }: SignInStep): string => /<form[^>]* action="([^"]*\/sign-in)"/.exec(text)?.[1] ?? '';

const hiddenFieldsOf = ({ text }: SignInStep): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
