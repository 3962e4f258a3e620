import { createHash, randomBytes } from 'node:crypto';
import { disconnectExtension, listExtensions } from '@sightline/contract/identity/extensions.ts';
import { endSession, listSessions } from '@sightline/contract/identity/sessions.ts';
import { deleteMember } from '@sightline/contract/organization/members.ts';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { joinMember } from '../../organization/members/commands.ts';
import { callTool } from '../../platform/mcp/testing/client.ts';
import { type Browser, requestToken, type Tokens, type Visited } from './testing/browser.ts';
import { setTestPassword, signedIn } from './testing/people.ts';

let server: TestServer;
let person: TestAccount;
let org: TestOrganization;
let browser: Browser;
beforeAll(async () => {
  server = await startTestServer({ environment: { MCP_CLIENT_REGISTRATION: 'open' } });
});
beforeEach(async () => {
  org = await server.make.organization('Quokka');
  person = await server.make.member(org.id, 'rol_reviewer');
  await setTestPassword(server, person);
  browser = await signedIn(server, person);
});
afterAll(() => server?.close());

const join = (orgId: string) =>
  server.services.database.withOrg(orgId, (tx) =>
    joinMember(server.services, tx, {
      account: { accountId: person.id, email: person.email, requestId: 'test', address: undefined },
      orgId,
      roleId: 'rol_reviewer',
    }),
  );

interface Request {
  verifier: string;
  url: string;
  redirectUri: string;
  clientId: string;
}

/** The request of a client on this computer, as in RFC 8252 with PKCE and RFC 8707. */
function requestOf(over: Record<string, string | undefined> = {}): Request {
  const verifier = randomBytes(32).toString('base64url');
  const { client_id: clientId = 'claude-code', redirect_uri: redirectUri = 'http://localhost:43117/callback' } = over;
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'sightline:read',
    state: 'some state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${server.config.PUBLIC_URL}/mcp`,
  });
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return { verifier, url: `/oidc/authorize?${query}`, redirectUri, clientId };
}

const connect = (page: Visited, organization = org.id) => browser.submit(page, { decision: 'connect', organization });

const redeem = ({ verifier, redirectUri, clientId }: Request, back: Visited, over: Record<string, string> = {}) =>
  requestToken(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: back.url.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...over,
  });

async function tokensFor(request = requestOf()): Promise<Tokens> {
  return redeem(request, await connect(await browser.get(request.url)));
}

const renew = (refreshToken: string | undefined, clientId = 'claude-code') =>
  requestToken(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken ?? '' });

const statusOf = async (token: string | undefined) =>
  (await callTool(server, token, 'what_is_recorded_about_me')).status;

test('describes itself as RFC 8414 requires', async () => {
  const found = await fetch(`${server.url}/.well-known/oauth-authorization-server/oidc`);
  const { PUBLIC_URL } = server.config;
  expect(await found.json()).toMatchObject({
    issuer: `${PUBLIC_URL}/oidc/`,
    authorization_endpoint: `${PUBLIC_URL}/oidc/authorize`,
    token_endpoint: `${PUBLIC_URL}/oidc/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    registration_endpoint: `${PUBLIC_URL}/oidc/reg`,
  });
});

test('registers no client unless the operator allows it', { tags: 'full' }, async () => {
  const closed = await startTestServer({ beside: server });
  try {
    const metadata = await fetch(`${closed.url}/.well-known/oauth-authorization-server/oidc`);
    expect(await metadata.json()).not.toHaveProperty('registration_endpoint');
    const refused = await fetch(`${closed.url}/oidc/reg`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(404);
  } finally {
    await closed.close();
  }
});

test('names client, organizations and tools before it connects, and the token reads as that member', async () => {
  const other = await server.make.organization('Wombat');
  await join(other.id);
  const foreign = await server.make.organization('Numbat');
  const request = requestOf();
  const page = await browser.get(request.url);
  for (const text of ['Connect Claude Code', 'Quokka', 'Wombat', 'search_events', 'localhost:43117']) {
    expect(page.text).toContain(text);
  }
  expect(page.text).not.toContain('Numbat');
  const back = await connect(page, other.id);
  expect(`${back.url.origin}${back.url.pathname}`).toBe('http://localhost:43117/callback');
  expect(back.url.searchParams.get('iss')).toBe(`${server.config.PUBLIC_URL}/oidc/`);
  const tokens = await redeem(request, back);
  expect(decodeJwt(tokens.access_token ?? '')).toMatchObject({
    aud: `${server.config.PUBLIC_URL}/mcp`,
    sub: person.id,
    orgID: other.id,
    scope: 'sightline:read',
  });
  const { result } = await callTool(server, tokens.access_token, 'what_is_recorded_about_me');
  expect(result?.link).toContain(`organization=${other.id}`);
  expect(foreign.id).not.toBe(other.id);
});

test('asks again for each connection, and returns an error to a client that was not connected', async () => {
  await tokensFor();
  const page = await browser.get(requestOf().url);
  expect(page.text).toContain('Connect Claude Code');
  const back = await browser.submit(page, { decision: 'cancel' });
  expect(back.url.searchParams.get('error')).toBe('access_denied');
});

test('requests reading for a client without scope and resource', async () => {
  const tokens = await tokensFor(requestOf({ scope: undefined, resource: undefined }));
  expect(await statusOf(tokens.access_token)).toBe(200);
});

test('accepts the request of a client that wants to stay connected', async () => {
  const request = requestOf({ scope: 'sightline:read offline_access', prompt: 'consent' });
  const tokens = await tokensFor(request);
  expect(await statusOf((await renew(tokens.refresh_token)).access_token)).toBe(200);
});

test.each([
  ['an organization of others', async () => (await server.make.organization()).id],
  ['an unknown organization', async () => '01a00000-0000-7000-8000-000000000000'],
])('refuses %s, also with a changed form', async (_, organization) => {
  const request = requestOf();
  const back = await connect(await browser.get(request.url), await organization());
  expect([back.url.searchParams.get('error'), back.url.searchParams.get('code')]).toEqual(['access_denied', null]);
});

test.each([
  ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ['the API as resource', { resource: 'http://localhost:1/api' }, 'invalid_target'],
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
])('refuses a request with %s', async (_, over, error) => {
  const back = await browser.get(requestOf(over).url);
  expect(back.url.searchParams.get('error')).toBe(error);
});

test.each([
  ['of another site', 'https://evil.example/callback'],
  ['of another path', 'http://localhost:43117/elsewhere'],
  ['without the name of this computer', 'http://192.0.2.1:43117/callback'],
])('shows an error for a redirect URI %s', { tags: 'full' }, async (_, redirect_uri) => {
  const { status, url } = await browser.get(requestOf({ redirect_uri }).url);
  expect([status, url.pathname]).toEqual([400, '/oidc/authorize']);
});

test('redeems a code only with its verifier and client', async () => {
  const request = requestOf();
  const back = await connect(await browser.get(request.url));
  expect(await redeem(request, back, { code_verifier: 'x'.repeat(43) })).toMatchObject({ error: 'invalid_grant' });
  const second = requestOf();
  const again = await connect(await browser.get(second.url));
  expect(await redeem(second, again, { client_id: 'codex' })).toMatchObject({ error: 'invalid_grant' });
});

test('rotates refresh tokens, and ends the connection when an old one is used', async () => {
  const first = await tokensFor();
  const second = await renew(first.refresh_token);
  expect(await statusOf(second.access_token)).toBe(200);
  expect(await renew(first.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await renew(second.refresh_token)).toMatchObject({ error: 'invalid_grant' });
});

describe('ends at the next call and the next renewal', () => {
  const ways: [string, (tokens: Tokens) => Promise<unknown>][] = [
    [
      'after the person disconnects the client',
      async () => {
        const [connected] = await server.as(person)(listExtensions, {});
        expect(connected).toMatchObject({ side: 'mcp', type: 'claude-code', organization: { id: org.id } });
        await server.as(person)(disconnectExtension, { params: { extensionId: connected?.id ?? '' } });
      },
    ],
    [
      'after its session ended',
      async ({ access_token = '' }) => {
        const { sid } = decodeJwt(access_token);
        const sessions = await server.as(person)(listSessions, {});
        expect(sessions.map(({ id }) => id)).toContain(sid);
        await server.as(person)(endSession, { params: { sessionId: String(sid) } });
      },
    ],
    [
      'after the member was removed',
      () => server.as(org.owner, org.id)(deleteMember, { params: { userId: person.id } }),
    ],
  ];
  test.each(ways)('%s', async (_, end) => {
    const tokens = await tokensFor();
    expect(await statusOf(tokens.access_token)).toBe(200);
    await end(tokens);
    expect(await statusOf(tokens.access_token)).toBe(401);
    expect(await renew(tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect(await server.as(person)(listExtensions, {})).toEqual([]);
  });
});

describe('a client that registers itself', () => {
  const register = async (metadata: Record<string, unknown>) => {
    const answer = await fetch(`${server.url}/oidc/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'My agent',
        redirect_uris: ['http://127.0.0.1:9999/callback'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'sightline:read',
        ...metadata,
      }),
    });
    return { status: answer.status, ...((await answer.json()) as { client_id?: string; error?: string }) };
  };

  test('connects, and the page says that its name is not verified', async () => {
    const { client_id } = await register({ client_name: '<b>Claude</b>' });
    const request = requestOf({ client_id, redirect_uri: 'http://127.0.0.1:9999/callback' });
    const page = await browser.get(request.url);
    expect(page.text).toContain('Connect &lt;b&gt;Claude&lt;/b&gt;');
    expect(page.text).toContain('Its name is not verified');
    const tokens = await redeem(request, await connect(page));
    expect(await statusOf(tokens.access_token)).toBe(200);
    const [connected] = await server.as(person)(listExtensions, {});
    expect(connected).toMatchObject({ type: 'mcp', device: '<b>Claude</b>' });
  });

  test.each([
    ['a client with a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['a redirect URI without encryption', { redirect_uris: ['http://evil.example/callback'] }],
    ['a site without encryption', { application_type: 'web', redirect_uris: ['http://evil.example/callback'] }],
    ['a long name', { client_name: 'x'.repeat(81) }],
    ['many redirect URIs', { redirect_uris: Array.from({ length: 11 }, (_, port) => `http://127.0.0.1:${port + 1}/`) }],
  ])('is refused as %s', { tags: 'full' }, async (_, metadata) => {
    const { status, error } = await register(metadata);
    expect(status).toBe(400);
    expect(error).toMatch(/^invalid_(client_metadata|redirect_uri)$/);
  });

  test('never gets tokens for the API', async () => {
    const { client_id } = await register({ sightline_mcp: false });
    const request = requestOf({
      client_id,
      redirect_uri: 'http://127.0.0.1:9999/callback',
      resource: `${server.config.PUBLIC_URL}/api`,
    });
    expect((await browser.get(request.url)).url.searchParams.get('error')).toBe('invalid_target');
  });
});
