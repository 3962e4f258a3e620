import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser, redeem } from './testing/browser.ts';
import { makePerson, password, signedIn, tokensOf } from './testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('gives the same response for a wrong password and an unknown address', async () => {
  const person = await makePerson(server);
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server).url);
  const wrong = await browser.submit(page, { email: person.email, password: 'not the password' });
  const unknown = await browser.submit(page, { email: 'nobody@example.org', password: 'not the password' });
  expect([wrong.status, unknown.status]).toEqual([400, 400]);
  expect(wrong.text).toContain('The email or password is wrong.');
  expect(unknown.text.replace('nobody@example.org', person.email)).toBe(wrong.text);
});

test('recognizes an address in any notation', async () => {
  const person = await makePerson(server);
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server).url);
  const back = await browser.submit(page, { email: ` ${person.email.toUpperCase()} `, password });
  expect(back.url.searchParams.get('state')).toBe('some state');
});

test('rejects a form without the secret of the same browser', async () => {
  const person = await makePerson(server);
  const browser = openBrowser(server);
  const other = openBrowser(server);
  const page = await browser.get(authorize(server).url);
  const foreignToken = /name="csrf" value="([^"]+)"/.exec((await other.get(authorize(server).url)).text)?.[1] ?? '';
  for (const csrf of ['', 'x', foreignToken]) {
    const answer = await browser.submit(page, { csrf, email: person.email, password });
    expect([answer.status, answer.url.searchParams.has('code')]).toEqual([400, false]);
  }
  // Another browser cannot complete the interaction.
  expect((await other.get(page.url.href)).status).toBe(400);
});

test('a session signs in again without a page, and prompt=none renews or reports an error', async () => {
  const person = await makePerson(server);
  const browser = await signedIn(server, person);
  const silent = { prompt: 'none', redirect_uri: `${server.config.PUBLIC_URL}/auth/silent` };
  expect(await tokensOf(server, browser)).toMatchObject({ status: 200 });
  const renewed = await tokensOf(server, browser, silent);
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => renewed.access_token });
  expect(await call(getAccount, {})).toMatchObject({ nid: person.id });

  const signedOut = await openBrowser(server).get(authorize(server, silent).url);
  expect(signedOut.url.pathname).toBe('/auth/silent');
  expect(signedOut.url.searchParams.get('error')).toBe('login_required');
  expect(signedOut.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  const response = await fetch(`${server.url}/auth/silent?code=x`);
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
});

test.each([{ screen_hint: 'signup' }, { screen_hint: 'login' }, { connection: 'github' }, { prompt: 'login' }])(
  'a session does not suppress %o',
  async (hint) => {
    const browser = await signedIn(server, await makePerson(server));
    const page = await browser.get(authorize(server, hint).url);
    expect(page.url.pathname).toMatch(/^\/oidc\/interaction\//);
    expect(page.text).toContain(hint.screen_hint === 'signup' ? 'Create an account' : 'Sign in');
  },
);

test('another person can sign in on the same browser without access to the previous account', async () => {
  const [first, second] = [await makePerson(server, 'First Person'), await makePerson(server, 'Second Person')];
  const browser = await signedIn(server, first);
  const request = authorize(server, { prompt: 'login' });
  const back = await browser.submit(await browser.get(request.url), { email: second.email, password });
  const tokens = await redeem(server, request, back);
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => tokens.access_token });
  expect(await call(getAccount, {})).toMatchObject({ nid: second.id });
});

test('pages allow only own script files, no framing and no caching', async () => {
  const page = await openBrowser(server).get(authorize(server).url);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.text).not.toMatch(/<script(?! src="\/oidc\/assets\/)|style=|onclick/);
  for (const [, address = ''] of page.text.matchAll(/(?:href|src)="(\/oidc\/assets\/[^"]+)"/g)) {
    expect((await fetch(server.url + address)).status).toBe(200);
  }
});

test('protects cookies from scripts and other sites', async () => {
  const answer = await fetch(server.url + authorize(server).url, { redirect: 'manual' });
  const lines = answer.headers.getSetCookie();
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/; path=\/(oidc\/authorize\/[\w-]+)?;.*; samesite=lax; httponly/i);
});

test('marks every cookie secure behind TLS, regardless of the protocol of the last hop', async () => {
  const secure = await startTestServer({ environment: { PUBLIC_URL: 'https://sightline.example' } });
  try {
    const answer = await fetch(secure.url + authorize(secure).url, { redirect: 'manual' });
    const lines = answer.headers.getSetCookie();
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/; secure/i);
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=31536000');
  } finally {
    await secure.close();
  }
});

test.each([
  { redirect_uri: 'https://evil.example/auth' },
  { redirect_uri: 'http://localhost:1/auth/' },
  { redirect_uri: 'http://localhost:1/auth?next=https://evil.example' },
  { redirect_uri: 'http://localhost:1.evil.example/auth' },
  { client_id: 'unknown' },
])('never redirects to another site: %o', async (wrong) => {
  const answer = await openBrowser(server).get(authorize(server, wrong).url);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('Request failed');
});

test('ignores the host of another site in forwarding headers', async () => {
  const answer = await fetch(`${server.url}/oidc/.well-known/openid-configuration`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
  });
  const { issuer, authorization_endpoint, token_endpoint } = (await answer.json()) as Record<string, string>;
  expect([issuer, authorization_endpoint, token_endpoint]).toEqual([
    'http://localhost:1/oidc/',
    'http://localhost:1/oidc/authorize',
    'http://localhost:1/oidc/oauth/token',
  ]);
});

test('signing out ends the session, clears the storage and returns to the app', async () => {
  const browser = await signedIn(server, await makePerson(server));
  const { id_token = '' } = await tokensOf(server, browser);
  const query = new URLSearchParams({
    id_token_hint: id_token,
    post_logout_redirect_uri: `${server.config.PUBLIC_URL}/`,
  });
  const page = await browser.get(`/oidc/session/end?${query}`);
  expect(page.text).toMatch(/<script src="\/oidc\/assets\/sign-out.js[^"]*" defer>/);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const home = await browser.submit(page);
  expect(home.url.href).toBe(`${server.config.PUBLIC_URL}/`);
  expect(home.headers.get('clear-site-data')).toBe('"storage"');
  const after = await browser.get(authorize(server, { prompt: 'none' }).url);
  expect(after.url.searchParams.get('error')).toBe('login_required');
});

test('the Auth0 sign-out URL leads to the Sightline one, and only back to the app', async () => {
  const browser = await signedIn(server, await makePerson(server));
  const page = await browser.get('/oidc/v2/logout?client_id=sightline-web');
  expect((await browser.submit(page)).url.pathname).toBe('/');
  const away = await browser.get('/oidc/v2/logout?client_id=sightline-web&returnTo=https://evil.example/');
  expect(away.status).toBe(400);
});

test('slows down, then stops password guessing, with a message', async () => {
  const person = await makePerson(server);
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server).url);
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await browser.submit(page, { email: person.email, password: 'a guess' })).status).toBe(400);
  }
  const sixth = await browser.submit(page, { email: person.email, password });
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(sixth.text).toContain('Too many attempts');
});
