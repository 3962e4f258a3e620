import { createHash, randomBytes } from 'node:crypto';
import { getAccount } from '@sightline/contract/accounts.ts';
import { createClient } from '@sightline/contract/client.ts';
import { getOrganization } from '@sightline/contract/organizations.ts';
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusal, type TestServer } from '#testing/server.ts';
import { accountOf, type LoginScene, type Somebody, startLogins } from './testing/logins.ts';
import { invite, makePerson } from './testing/people.ts';

const audience = 'https://api.sightline.example';
const redirect = 'http://localhost:1/auth';

let scene: LoginScene;
let server: TestServer;
let issuer: string;
beforeAll(async () => {
  scene = await startLogins(({ issuer }) => ({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'sightline-pages',
    OIDC_AUDIENCE: audience,
  }));
  server = scene.server;
  issuer = scene.sandbox.sandbox.issuer;
});
afterAll(() => scene.close());

/** An access token of the tenant, as its single-page client gets it. */
async function tenantToken(somebody: Somebody, extra: Record<string, string> = {}): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const { verified, ...fields } = somebody;
  const asked = {
    client_id: 'sightline-pages',
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    audience,
    ...extra,
  };
  const posted = { ...asked, ...fields, ...(verified !== false && { verified: 'yes' }) };
  const origin = new URL(issuer).origin;
  const back = await fetch(`${issuer}/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams(posted),
  });
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'sightline-pages',
      redirect_uri: redirect,
      code,
      code_verifier: verifier,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const callAs = (token: string | undefined) => createClient({ baseUrl: `${server.url}/api`, token: () => token });

async function exchange(token: string, body: object = {}) {
  const answer = await fetch(`${server.url}/oidc/direct/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = (await answer.json()) as { access_token?: string; code?: string };
  return { status: answer.status, token: said.access_token ?? '', code: said.code };
}

test('creates an account from the first tenant token, identified by the tenant user ID', async () => {
  const first = await tenantToken({ login: 'tess', name: 'Tess', email: 'tess@tenant.example' });
  const account = await callAs(first)(getAccount, {});
  expect(account).toMatchObject({ email: 'tess@tenant.example', name: 'Tess' });
  const moved = await tenantToken({ login: 'tess', email: 'tess@new.example' });
  expect(await callAs(moved)(getAccount, {})).toMatchObject({ nid: account.nid, email: 'tess@tenant.example' });
});

test('honors the organization of a token for its members only, with the role stored here', async () => {
  const org = await server.make.organization();
  const token = await tenantToken({ login: 'mona', email: 'mona@tenant.example' }, { organization: org.id });
  expect(decodeJwt(token)).toMatchObject({ org_name: org.id });
  expect(await refusal(callAs(token)(getOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });
  const invitation = await invite(server, org.id, 'mona@tenant.example', 'rol_reviewer');
  const changed = await exchange(token, { organization: org.id, invitation });
  expect(decodeJwt(changed.token)).toMatchObject({ orgID: org.id, authorization: { roles: ['Digest Reviewer'] } });
  for (const good of [token, changed.token]) {
    expect(await callAs(good)(getOrganization, {})).toMatchObject({ id: org.id });
  }
});

test('denies entry to an organization without membership', async () => {
  const org = await server.make.organization();
  const token = await tenantToken({ login: 'sven', email: 'sven@tenant.example' });
  expect(await exchange(token, { organization: org.id })).toMatchObject({ status: 403, code: 'forbidden' });
  expect(await exchange(token, { organization: 'nonsense' })).toMatchObject({ status: 400 });
  expect(await exchange('nonsense')).toMatchObject({ status: 401 });
  expect((await exchange(token)).status).toBe(200);
});

test('grants no access to an unconfirmed address or one of another login', async () => {
  const person = await makePerson(server);
  const taken = await tenantToken({ login: 'taker', email: person.email });
  expect(await refusal(callAs(taken)(getAccount, {}))).toEqual({ status: 403, code: 'forbidden' });
  const unconfirmed = await tenantToken({ login: 'una', email: 'una@tenant.example', verified: false });
  expect(await refusal(callAs(unconfirmed)(getAccount, {}))).toEqual({ status: 403, code: 'forbidden' });
  expect(await accountOf(server, 'una@tenant.example')).toBeUndefined();
});

test('accepts only tokens of the tenant for this API', async () => {
  const good = await tenantToken({ login: 'gus', email: 'gus@tenant.example' });
  const { privateKey } = await generateKeyPair('RS256');
  const claims = decodeJwt(good);
  const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1));
  const bad = [
    forged,
    shared,
    new UnsecuredJWT(claims).encode(),
    await tenantToken({ login: 'gus' }, { audience: 'https://another.example' }),
  ];
  for (const token of bad) expect((await refusal(callAs(token)(getAccount, {}))).status).toBe(401);
  expect(await callAs(good)(getAccount, {})).toMatchObject({ email: 'gus@tenant.example' });
});

test('own sign-in pages do not bypass the tenant', async () => {
  for (const path of ['authorize', 'forgot', 'verify', 'oauth/token', 'interaction/x', 'link']) {
    const answer = await fetch(`${server.url}/oidc/${path}`);
    expect([path, answer.status]).toEqual([path, 404]);
  }
  const page = await fetch(`${server.url}/auth/silent`);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
});
