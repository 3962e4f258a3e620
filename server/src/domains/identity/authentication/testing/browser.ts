import { createHash, randomBytes } from 'node:crypto';
import type { TestServer } from '#testing/server.ts';
import { webClientId } from '../provider.ts';

export interface Visited {
  status: number;
  /** The URL after all redirects within the site, or the target of a redirect to another site. */
  url: URL;
  text: string;
  headers: Headers;
}

/** A browser without script: stores cookies by path, follows redirects to pages, and submits forms. */
export interface Browser {
  get: (url: string) => Promise<Visited>;
  post: (url: string, body: Record<string, string>) => Promise<Visited>;
  /** Submits the first form of a page with its hidden fields. */
  submit: (page: Visited, body?: Record<string, string>) => Promise<Visited>;
  /** Submits the first form and returns the target of its redirect without following it. */
  submitOnly: (page: Visited, body?: Record<string, string>) => Promise<string>;
  /** Cookies by name and path; `line` is the header of the server. */
  cookies: Map<string, { value: string; path: string; line: string }>;
}

/** The parts of a server that a browser needs. */
export interface BrowserSite {
  url: string;
  config: Pick<TestServer['config'], 'PUBLIC_URL'>;
}

/**
 * `server.config.PUBLIC_URL` is only a name in tests; requests to it go to the listening address. `headers` are added
 * to each request.
 */
export function openBrowser(server: BrowserSite, headers: Record<string, string> = {}): Browser {
  const cookies: Browser['cookies'] = new Map();
  const publicUrl = server.config.PUBLIC_URL;

  async function request(url: URL, body?: Record<string, string>): Promise<Response> {
    const answer = await fetch(url.href.replace(publicUrl, server.url), {
      redirect: 'manual',
      headers: { ...headers, cookie: cookiesFor(url.pathname), accept: 'text/html' },
      ...(body && { method: 'POST', body: new URLSearchParams(body) }),
    });
    for (const line of answer.headers.getSetCookie()) storeCookie(line);
    return answer;
  }

  async function visit(target: string, body?: Record<string, string>): Promise<Visited> {
    const url = new URL(target, publicUrl);
    const answer = await request(url, body);
    const location = answer.headers.get('location');
    const text = await answer.text();
    if (location === null) return { status: answer.status, url, text, headers: answer.headers };
    const next = new URL(location, url);
    // The pages of the web app need its script, so the browser stops there.
    if (!next.pathname.startsWith('/oidc')) return { status: answer.status, url: next, text, headers: answer.headers };
    return visit(next.href);
  }

  function storeCookie(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    const isExpired = attributes.some((attribute) => /^expires=Thu, 01 Jan 1970/i.test(attribute));
    if (isExpired) cookies.delete(`${name} ${path}`);
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
  /** The URL for the browser. */
  url: string;
  verifier: string;
  redirectUri: string;
}

/** An authorization request of the web app or of another client. */
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

/** Redeems the code in the URL of a browser. */
export const redeem = (
  server: BrowserSite,
  { verifier, redirectUri }: Authorization,
  back: Visited,
  clientId = webClientId,
): Promise<Tokens> =>
  requestToken(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: back.url.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });

export async function requestToken(server: BrowserSite, body: Record<string, string>): Promise<Tokens> {
  const answer = await fetch(`${server.url}/oidc/oauth/token`, { method: 'POST', body: new URLSearchParams(body) });
  return { status: answer.status, ...((await answer.json()) as object) };
}
