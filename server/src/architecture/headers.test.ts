import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareTestServer, startTestServer, type TestServer } from '#testing/server.ts';
import { authorize } from '../domains/identity/authentication/testing/browser.ts';
import { makePerson, password, signedIn } from '../domains/identity/authentication/testing/people.ts';

let server: TestServer;
let secure: TestServer;
let token: string;
beforeAll(async () => {
  server = await shareTestServer();
  secure = await startTestServer({
    environment: { PUBLIC_URL: 'https://sightline.example', METRICS_TOKEN: metricsToken },
  });
  const acme = await server.make.organization();
  token = await server.token(acme.owner, acme.id);
});
afterAll(async () => {
  await server?.close();
  await secure?.close();
});

const metricsToken = 'm'.repeat(40);

interface HeaderCase {
  what: string;
  url: string;
  status: number;
  method?: 'GET' | 'POST' | 'PUT' | 'OPTIONS';
  headers?: Record<string, string>;
  payload?: string;
  /** The expected Cache-Control; `no-store` unless given. */
  cache?: RegExp;
  /** Whether pages of any other site may read the response. */
  forAll?: true;
}

const noStore = /(^|, ?)no-store(,|$)/;
const revalidate = /^no-cache$|^private, no-cache$/;
const asOwner = () => ({ authorization: `Bearer ${token}` });

const rows: HeaderCase[] = [
  { what: 'a successful response', url: '/api/health/live', status: 200 },
  { what: 'a list', url: '/api/v2/repositories', status: 200, headers: { owner: '' } },
  { what: 'a polled response', url: '/api/v2/flags/frontend', status: 200, headers: { owner: '' }, cache: revalidate },
  { what: 'invalid input', url: '/api/v2/repositories?page=-1', status: 400, headers: { owner: '' } },
  { what: 'no token', url: '/api/v2/repositories', status: 401 },
  {
    what: 'an ID of another organization',
    url: '/api/v2/events/00000000-0000-4000-8000-000000000000',
    status: 404,
    headers: { owner: '' },
  },
  { what: 'an unknown endpoint', url: '/api/unknown', status: 404 },
  { what: 'an unknown endpoint by POST', url: '/api/unknown', method: 'POST', status: 404 },
  { what: 'an invalid path', url: '/api/v2/events/%', status: 400 },
  { what: 'an overlong parameter', url: `/api/v2/events/${'a'.repeat(2000)}`, status: 404 },
  {
    what: 'an unsupported media type',
    url: '/api/v2/auth/register',
    method: 'POST',
    status: 415,
    headers: { owner: '', 'content-type': 'text/plain' },
    payload: 'a',
  },
  {
    what: 'an oversized body',
    url: '/api/v2/auth/register',
    method: 'POST',
    status: 413,
    headers: { owner: '', 'content-type': 'application/json' },
    payload: `"${'a'.repeat(1024 * 1024)}"`,
  },
  {
    what: 'an unsigned webhook',
    url: '/api/webhooks/github',
    method: 'POST',
    status: 404,
    headers: { 'content-type': 'application/json' },
    payload: '{}',
  },
  { what: 'the OpenAPI document', url: '/api/openapi.json', status: 200, cache: revalidate },
  { what: 'the API documentation', url: '/api/docs', status: 200, cache: revalidate },
  {
    what: 'the discovery document',
    url: '/oidc/.well-known/openid-configuration',
    status: 200,
    cache: /./,
    forAll: true,
  },
  { what: 'the public keys', url: '/oidc/jwks', status: 200, cache: /./, forAll: true },
  { what: 'an unknown sign-in', url: '/oidc/interaction/unknown', status: 400 },
  { what: 'an unknown email confirmation', url: '/oidc/verify?token=unknown', status: 410 },
  { what: 'an authorization request of an unknown client', url: '/oidc/authorize?client_id=unknown', status: 400 },
  { what: 'an unknown path of the identity provider', url: '/oidc/unknown', status: 404 },
  { what: 'the silent renewal page', url: '/auth/silent', status: 200 },
  { what: 'the metrics without a token', url: '/metrics', status: 404, cache: /^$|no-store/ },
];

const policy = (header: unknown): Record<string, string[]> =>
  Object.fromEntries(
    String(header)
      .split(';')
      .map((directive) => directive.trim().split(/ +/))
      .map(([name = '', ...sources]) => [name, sources]),
  );

describe.each(rows)('$what', ({ url, status, method = 'GET', headers = {}, payload, cache = noStore, forAll }) => {
  const ask = async (at: TestServer) => {
    const { owner, ...given } = headers;
    return at.app.inject({
      method,
      url,
      headers: { ...given, ...(owner !== undefined && asOwner()) },
      ...(payload !== undefined && { payload }),
    });
  };

  test('sends every security header', async () => {
    const answer = await ask(server);
    expect([answer.statusCode, answer.statusCode === status ? '' : answer.payload]).toEqual([status, '']);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cross-origin-opener-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    });
    expect(String(answer.headers['cache-control'] ?? '')).toMatch(cache);
    for (const name of ['server', 'x-powered-by', 'strict-transport-security']) {
      expect([name, answer.headers[name]]).toEqual([name, undefined]);
    }
    expect(answer.headers['access-control-allow-origin']).toBe(forAll ? '*' : undefined);
    expect(answer.headers['content-type']).toMatch(
      /^(application\/(json|jwk-set\+json)|text\/html|text\/plain); charset=utf-8$|^$/,
    );
  });

  test('allows only own scripts and no framing by other sites', async () => {
    const found = policy((await ask(server)).headers['content-security-policy']);
    expect(found['default-src']).toEqual([expect.stringMatching(/^'(self|none)'$/)]);
    expect([["'self'"], ["'none'"]]).toContainEqual(found['script-src']);
    expect(found['base-uri']).toEqual(["'none'"]);
    expect([["'none'"], ["'self'"]]).toContainEqual(found['frame-ancestors']);
    expect(found['form-action']?.[0]).toBe("'self'");
    expect([found['object-src'], found['default-src']]).toContainEqual(["'none'"]);
    expect(JSON.stringify(found)).not.toMatch(/unsafe-eval|\*|http:/);
  });

  test('sends Strict-Transport-Security if the public URL uses HTTPS', async () => {
    const { owner, ...given } = headers;
    if (owner !== undefined) return;
    const answer = await secure.app.inject({ method, url, headers: given, ...(payload !== undefined && { payload }) });
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });
});

test('accepts HTML and scripts only through Trusted Types policies', async () => {
  const { headers } = await server.app.inject({ url: '/' });
  const found = policy(headers['content-security-policy']);
  expect(found['require-trusted-types-for']).toEqual(["'script'"]);
  expect(found['trusted-types']).toEqual(['default', 'sightline-docs']);
});

test('responds alike to every invalid metrics token, with any characters', async () => {
  const statusFor = async (token: string) =>
    (await secure.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode;
  expect(await statusFor(metricsToken)).toBe(200);
  for (const wrong of ['', 'm', `é${metricsToken.slice(1)}`, `${metricsToken}m`])
    expect([wrong, await statusFor(wrong)]).toEqual([wrong, 404]);
});

test('allows framing by own pages only for the silent renewal page', async () => {
  const frameable: string[] = [];
  for (const { url, method = 'GET' } of rows) {
    const { headers } = await server.app.inject({ method, url });
    if (policy(headers['content-security-policy'])['frame-ancestors']?.[0] !== "'none'") frameable.push(url);
  }
  expect(frameable).toEqual(['/auth/silent']);
});

test('sets only cookies that other hosts and unencrypted pages cannot set on an HTTPS site', async () => {
  const person = await makePerson(secure);
  const browser = await signedIn(secure, person);
  const page = await browser.get(authorize(secure, { screen_hint: 'signup', prompt: 'login' }).url);
  await browser.submit(page, { name: 'New', email: 'new@people.example', password });
  const lines = [...browser.cookies.values()].map(({ line }) => line);
  const names = lines.map((line) => line.split('=')[0]).filter((name) => !name?.endsWith('.sig'));
  expect(new Set(names)).toEqual(
    new Set([
      '__Host-sightline_csrf',
      '__Host-sightline_device',
      '__Host-sightline_session',
      '__Host-sightline_sign_up',
      '__Host-sightline_interaction',
      '__Secure-sightline_resume',
    ]),
  );
  for (const line of lines) {
    expect([line, /; secure/i.test(line), /; httponly/i.test(line), /; samesite=lax/i.test(line)]).toEqual([
      ...[line, true, true, true],
    ]);
    if (line.startsWith('__Host-')) {
      expect([line, /; path=\/(;|$)/i.test(line), /; domain=/i.test(line)]).toEqual([line, true, false]);
    }
  }
});
