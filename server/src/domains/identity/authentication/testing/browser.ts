import { createHash, randomBytes } from 'node:crypto';
import type { TestServer } from '#testing/server.ts';
import { webClientId } from '../provider.ts';

export interface Visited {
  status: number;
  /** Where it was answered, after every redirect within the site; or where it wanted to go when that is elsewhere. */
  url: URL;
  text: string;
  headers: Headers;
}

/** A browser without script: keeps cookies by path, follows redirects to pages, and fills in forms. */
export interface Browser {
  get: (url: string) => Promise<Visited>;
  post: (url: string, body: Record<string, string>) => Promise<Visited>;
  /** Posts the first form of a page, its hidden fields included. */
  submit: (page: Visited, body?: Record<string, string>) => Promise<Visited>;
  /** The same, but does not follow the redirect; answers where it leads. */
  submitOnly: (page: Visited, body?: Record<string, string>) => Promise<string>;
  /** By name and path; `line` is what the server sent. */
  cookies: Map<string, { value: string; path: string; line: string }>;
}

/** A server as a browser knows it. */
export interface BrowserSite {
  url: string;
  config: Pick<TestServer['config'], 'PUBLIC_URL'>;
}

/** `server.config.PUBLIC_URL` is only a name in tests; requests to it go to where the server listens. `headers` go with each. */
export function openBrowser(server: BrowserSite, headers: Record<string, string> = {}): Browser {
  const cookies: Browser['cookies'] = new Map();
  const publicUrl = server.config.PUBLIC_URL;

  async function request(url: URL, body?: Record<string, string>): Promise<Response> {
    const answer = await fetch(url.href.replace(publicUrl, server.url), {
      redirect: 'manual',
      headers: { ...headers, cookie: cookiesFor(url.pathname), accept: 'text/html' },
      ...(body && { method: 'POST', body: new URLSearchParams(body) }),
    });
    for (const line of answer.headers.getSetCookie()) keep(line);
    return answer;
  }

  async function visit(target: string, body?: Record<string, string>): Promise<Visited> {
    const url = new URL(target, publicUrl);
    const answer = await request(url, body);
    const location = answer.headers.get('location');
    const text = await answer.text();
    if (location === null) return { status: answer.status, url, text, headers: answer.headers };
    const next = new URL(location, url);
    // The pages of the web app need its script, so the way ends there.
    if (!next.pathname.startsWith('/oidc')) return { status: answer.status, url: next, text, headers: answer.headers };
    return visit(next.href);
  }

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    const gone = attributes.some((attribute) => /^expires=Thu, 01 Jan 1970/i.test(attribute));
    if (gone) cookies.delete(`${name} ${path}`);
    else cookies.set(`${name} ${path}`, { value, path, line });
  }

  const cookiesFor = (path: string) =>
    [...cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');

  return {
    cookies,
    get: (url) => visit(url),
    post: visit,
    submit(page, body = {}) {
      const { action, fields } = formIn(page);
      return visit(action, { ...fields, ...body });
    },
    async submitOnly(page, body = {}) {
      const { action, fields } = formIn(page);
      const answer = await request(new URL(action, publicUrl), { ...fields, ...body });
      return answer.headers.get('location') ?? '';
    },
  };
}

function formIn({ text }: Visited): { action: string; fields: Record<string, string> } {
  const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(text) ?? [];
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
}

export interface Authorization {
  /** To be visited by the browser. */
  url: string;
  verifier: string;
  redirectUri: string;
}

/** An authorization request of the web app, or of another client. */
export function authorize(server: BrowserSite, extra: Record<string, string> = {}): Authorization {
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = extra.redirect_uri ?? `${server.config.PUBLIC_URL}/auth`;
  const query = new URLSearchParams({
    client_id: webClientId,
    response_type: 'code',
    scope: 'openid email profile read:current_user',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'some state',
    redirect_uri: redirectUri,
    ...extra,
  });
  return { url: `/oidc/authorize?${query}`, verifier, redirectUri };
}

export interface Tokens {
  status: number;
  access_token?: string;
  id_token?: string;
  refresh_token?: string;
  error?: string;
}

/** Redeems the code a browser came back with. */
export const redeem = (
  server: BrowserSite,
  { verifier, redirectUri }: Authorization,
  back: Visited,
  clientId = webClientId,
): Promise<Tokens> =>
  askToken(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: back.url.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });

export async function askToken(server: BrowserSite, body: Record<string, string>): Promise<Tokens> {
  const answer = await fetch(`${server.url}/oidc/oauth/token`, { method: 'POST', body: new URLSearchParams(body) });
  return { status: answer.status, ...((await answer.json()) as object) };
}
