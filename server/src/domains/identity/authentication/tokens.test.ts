import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audienceOf, issuerOf } from '#core/tokens.ts';
import { refusalOf, startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { createAdapter } from './adapter.ts';
import { deleteExpiredSignInRows } from './sweeper.ts';
import { authorize, type Browser, redeem, requestToken } from './testing/browser.ts';
import { makePerson, setTestPassword, signedIn, tokensOf } from './testing/people.ts';

const editor = 'test-editor';
let server: TestServer;
let person: TestAccount;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer();
  person = await makePerson(server);
  browser = await signedIn(server, person);
  await createAdapter(server.services.database)('Client').upsert(
    editor,
    {
      client_id: editor,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: ['http://127.0.0.1/callback'],
    } as never,
    0,
  );
});
afterAll(() => server.close());

test('redeems a code once in eight concurrent requests', async () => {
  const request = authorize(server);
  const back = await browser.get(request.url);
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(server, request, back)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  expect(answers.filter((answer) => answer.error === 'invalid_grant')).toHaveLength(7);
});

test('consumes a code once in eight concurrent uses', async () => {
  const codes = createAdapter(server.services.database)('AuthorizationCode');
  await codes.upsert('raced', { jti: 'raced' }, 60);
  const uses = await Promise.allSettled(Array.from({ length: 8 }, () => codes.consume('raced')));
  expect(uses.filter((use) => use.status === 'fulfilled')).toHaveLength(1);
  expect(await codes.find('raced')).toMatchObject({ consumed: expect.any(Number) });
});

test('requires the verifier and redirect URL that a code was created for', async () => {
  const first = authorize(server);
  const code = await browser.get(first.url);
  expect(await redeem(server, { ...first, verifier: 'x'.repeat(43) }, code)).toMatchObject({ error: 'invalid_grant' });
  const second = authorize(server);
  const elsewhere = { ...second, redirectUri: `${server.config.PUBLIC_URL}/auth/silent` };
  expect(await redeem(server, elsewhere, await browser.get(second.url))).toMatchObject({ error: 'invalid_grant' });
});

test.each([
  ['no challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
  ['a method without a challenge', { code_challenge: '' }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['another audience', { audience: 'https://api.example' }, 'invalid_target'],
  ['another resource', { resource: 'https://api.example' }, 'invalid_target'],
  ['an implicit token', { response_type: 'token' }, 'unsupported_response_type'],
  ['an organization that is no id', { organization: "x' or 1=1" }, 'invalid_request'],
])('rejects %s', async (_what, wrong, error) => {
  const back = await browser.get(authorize(server, wrong).url);
  const answer = new URLSearchParams(back.url.search || back.url.hash.slice(1));
  expect(answer.get('error')).toBe(error);
});

test.each(['audience', 'resource'])('accepts the API as %s', async (name) => {
  const tokens = await tokensOf(server, browser, { [name]: audienceOf(server.config.PUBLIC_URL) });
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => tokens.access_token });
  expect(await call(getAccount, {})).toMatchObject({ nid: person.id });
});

test('issues no refresh token to the web app, even on request', async () => {
  const tokens = await tokensOf(server, browser, { scope: 'openid offline_access', prompt: 'none' });
  expect(tokens).not.toHaveProperty('refresh_token');
});

const editorTokens = () => tokensOf(server, browser, { redirect_uri: 'http://127.0.0.1:4321/callback' }, editor);
const refresh = (token = '') =>
  requestToken(server, { grant_type: 'refresh_token', client_id: editor, refresh_token: token });

test('accepts a refresh token once in two concurrent requests', async () => {
  const { refresh_token } = await editorTokens();
  const answers = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
});

test('rotates a refresh token, and reuse of the old one revokes the new one', async () => {
  const first = await editorTokens();
  const second = await refresh(first.refresh_token);
  expect(second).toMatchObject({ status: 200 });
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await refresh(first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('keeps the organization on refresh until the membership ends', async () => {
  const { id, owner } = await server.make.organization();
  await setTestPassword(server, owner);
  const asked = { redirect_uri: 'http://127.0.0.1:4321/callback', organization: id };
  const first = await tokensOf(server, await signedIn(server, owner), asked, editor);
  const second = await refresh(first.refresh_token);
  expect(decodeJwt(second.access_token ?? '')).toMatchObject({ orgID: id });
  await server.services.database.withOrg(id, ({ db }) =>
    db.updateTable('member').set({ status: 'deactivated' }).execute(),
  );
  expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('accepts only tokens signed with the server key', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const { keys } = (await (await fetch(`${server.url}/oidc/jwks`)).json()) as { keys: { kid: string; d?: string }[] };
  expect(keys.every((key) => key.d === undefined)).toBe(true);
  const kid = keys[0]?.kid ?? '';
  const claims = { email: person.email };
  const filled = <T extends SignJWT | UnsecuredJWT>(jwt: T) =>
    jwt
      .setSubject(person.id)
      .setIssuer(issuerOf(server.config.PUBLIC_URL))
      .setAudience(audienceOf(server.config.PUBLIC_URL))
      .setIssuedAt()
      .setExpirationTime('10m') as T;
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)));
  const forged = [
    filled(new UnsecuredJWT(claims)).encode(),
    await filled(new SignJWT(claims)).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid }).sign(privateKey),
    await filled(new SignJWT(claims)).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid }).sign(secret),
    // An ID token is signed by the server but is not an access token.
    (await tokensOf(server, browser)).id_token ?? '',
  ];
  for (const token of forged) {
    const call = createClient({ baseUrl: `${server.url}/api`, token: () => token });
    expect(await refusalOf(call(getAccount, {}))).toMatchObject({ status: 401 });
  }
});

test('does not find expired entries, and deletes them', async () => {
  const { database } = server.services;
  const codes = createAdapter(database)('AuthorizationCode');
  await codes.upsert('old', { jti: 'old' }, 60);
  await database.global(({ db }) =>
    db
      .updateTable('oidc_payload')
      .set({ expires_at: new Date(0) })
      .where('id', '=', 'old')
      .execute(),
  );
  expect(await codes.find('old')).toBeUndefined();
  await deleteExpiredSignInRows(database);
  const left = await database.global(({ db }) =>
    db.selectFrom('oidc_payload').select('id').where('id', '=', 'old').execute(),
  );
  expect(left).toEqual([]);
});

test('a renewal in progress does not restore an ended session', async () => {
  const sessions = createAdapter(server.services.database)('Session');
  const payload = { jti: 'ended', uid: 'ended uid', accountId: person.id };
  await sessions.upsert('ended', payload, 60);
  await sessions.destroy('ended');
  await sessions.upsert('ended', payload, 60);
  expect(await sessions.find('ended')).toBeUndefined();
  expect(await sessions.findByUid('ended uid')).toBeUndefined();
});

test('accepts no pushed authorization requests', async () => {
  const answer = await fetch(`${server.url}/oidc/request`, {
    method: 'POST',
    body: new URLSearchParams(authorize(server).url.split('?')[1]),
  });
  expect(answer.status).toBe(404);
  const metadata = await fetch(`${server.url}/oidc/.well-known/openid-configuration`);
  expect(await metadata.json()).not.toHaveProperty('pushed_authorization_request_endpoint');
});
