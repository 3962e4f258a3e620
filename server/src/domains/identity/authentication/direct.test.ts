import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import {
  authorizeExtension,
  getExtensionSettings,
  redeemExtensionCode,
  revokeExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { endSession, getReauthentication, listSessions } from '@sightline/contract/identity/sessions.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, type TestServer } from '#testing/server.ts';
import { createVerifierPair } from '../extensions/testing/sign-in.ts';
import { deleteExpiredSignInRows } from './sweeper.ts';
import { accountOf, type LoginScene, startLogins } from './testing/logins.ts';
import { invite, makePerson } from './testing/people.ts';
import { createTenant, directEnvironment, exchangeTenantToken as exchangeAt, type Tenant } from './testing/tenant.ts';

let scene: LoginScene;
let server: TestServer;
let tenant: Tenant;
beforeAll(async () => {
  scene = await startLogins(({ issuer }) => directEnvironment(issuer));
  server = scene.server;
  tenant = createTenant(scene.sandbox.sandbox.issuer);
});
afterAll(() => scene.close());

const tenantToken = async (...[person, extra]: Parameters<Tenant['signIn']>) =>
  (await tenant.signIn(person, extra)).access_token;

const callAs = (token: string | undefined) => createClient({ baseUrl: `${server.url}/api`, token: () => token });

const exchange = (token: string, body?: object) => exchangeAt(server, token, body);

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
  expect(await refusalOf(callAs(token)(getOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });
  const invitation = await invite(server, org.id, { email: 'mona@tenant.example', roleId: 'rol_reviewer' });
  const changed = await exchange(token, { organization: org.id, invitation });
  expect(decodeJwt(changed.token)).toMatchObject({ orgID: org.id, authorization: { roles: ['Digest Reviewer'] } });
  for (const good of [token, changed.token]) {
    expect(await callAs(good)(getOrganization, {})).toMatchObject({ id: org.id });
  }
});

test('exchanges only tokens of the tenant', async () => {
  const org = await server.make.organization();
  const invitation = await invite(server, org.id, { email: 'ella@tenant.example', roleId: 'rol_owner' });
  const token = await tenantToken({ login: 'ella', email: 'ella@tenant.example' });
  const own = await exchange(token, { organization: org.id, invitation });
  expect((await exchange(own.token, { organization: org.id })).status).toBe(401);

  const { codeVerifier, codeChallenge } = createVerifierPair();
  const { code } = await callAs(own.token)(authorizeExtension, {
    body: { side: 'ide', type: 'vscode', device: 'desk', codeChallenge },
  });
  const extension = await callAs(undefined)(redeemExtensionCode, { body: { code, codeVerifier, version: '1.0.0' } });
  expect(await callAs(extension.accessToken)(getExtensionSettings, {})).toBeDefined();
  const elsewhere = await server.make.organization();
  for (const organization of [org.id, elsewhere.id, undefined])
    expect((await exchange(extension.accessToken, { organization })).status).toBe(401);
  expect((await refusalOf(callAs(extension.accessToken)(getOrganization, {}))).status).toBe(401);
  await callAs(undefined)(revokeExtensionToken, { body: { refreshToken: extension.refreshToken } });
  expect((await exchange(extension.accessToken, { organization: org.id })).status).toBe(401);
});

test('ends exchanged tokens, and the tokens they were made from, with their session', async () => {
  const user = { login: 'nora', email: 'nora@tenant.example' };
  const [lost, kept] = [await tenantToken(user), await tenantToken(user)];
  const [lostOwn, keptOwn] = [(await exchange(lost)).token, (await exchange(kept)).token];
  const { sid } = decodeJwt(lostOwn);
  const sessions = await callAs(keptOwn)(listSessions, {});
  expect(sessions.map(({ id, current }) => [id, current])).toEqual(
    expect.arrayContaining([
      [sid, false],
      [decodeJwt(keptOwn).sid, true],
    ]),
  );
  await callAs(keptOwn)(endSession, { params: { sessionId: String(sid) } });
  for (const token of [lost, lostOwn]) expect((await refusalOf(callAs(token)(getAccount, {}))).status).toBe(401);
  expect((await exchange(lost)).status).toBe(401);
  for (const token of [kept, keptOwn]) expect(await callAs(token)(getAccount, {})).toMatchObject({ email: user.email });
});

test('rejects an ended session that the tenant continues', async () => {
  const { access_token: token, refresh_token: refreshToken } = await tenant.signIn(
    { login: 'olga', email: 'olga@tenant.example' },
    { scope: 'openid email offline_access' },
  );
  const { sid } = decodeJwt((await exchange(token)).token);
  const longAgo = new Date('2026-01-01');
  await server.services.database.global(({ db }) =>
    db.updateTable('account_session').set({ ended_at: longAgo }).where('id', '=', String(sid)).execute(),
  );
  await deleteExpiredSignInRows(server.services.database);
  const renewed = await tenant.refresh(refreshToken ?? '');
  expect(decodeJwt(renewed.access_token).sid).toBe(decodeJwt(token).sid);
  expect((await exchange(renewed.access_token)).status).toBe(401);
});

test('counts a sign-in that the tenant repeats in the same session as recent', async () => {
  const { access_token: token, refresh_token: refreshToken } = await tenant.signIn(
    { login: 'pia', email: 'pia@tenant.example' },
    { scope: 'openid email offline_access' },
  );
  const { sid } = decodeJwt((await exchange(token)).token);
  // Simulates the session of an earlier sign-in; the `auth_time` of the next token is later.
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_session')
      .set({ authenticated_at: new Date('2026-01-01') })
      .where('id', '=', String(sid))
      .execute(),
  );
  const again = await tenant.refresh(refreshToken ?? '');
  expect(await callAs(again.access_token)(getReauthentication, {})).toMatchObject({ needed: false });
});

test('accepts a tenant that does not name sessions in its tokens', async () => {
  const token = await tenantToken({ login: 'rita', email: 'rita@tenant.example' }, { session: 'unnamed' });
  const exchanged = await exchange(token);
  expect(decodeJwt(exchanged.token).sid).toBeUndefined();
  expect(await callAs(exchanged.token)(getAccount, {})).toMatchObject({ email: 'rita@tenant.example' });
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
  expect(await refusalOf(callAs(taken)(getAccount, {}))).toEqual({ status: 403, code: 'forbidden' });
  const unconfirmed = await tenantToken({ login: 'una', email: 'una@tenant.example', verified: false });
  expect(await refusalOf(callAs(unconfirmed)(getAccount, {}))).toEqual({ status: 403, code: 'forbidden' });
  expect(await accountOf(server, 'una@tenant.example')).toBeUndefined();
});

test('creates no account for a person of the tenant who may not sign up', async () => {
  const { config } = server.services;
  Object.assign(config, { SIGN_UP: 'invited' });
  try {
    const token = await tenantToken({ login: 'vera', email: 'vera@tenant.example' });
    expect(await refusalOf(callAs(token)(getAccount, {}))).toEqual({ status: 403, code: 'forbidden' });
    expect(await accountOf(server, 'vera@tenant.example')).toBeUndefined();
    const { id } = await server.make.organization();
    await invite(server, id, { email: 'vera@tenant.example', roleId: 'rol_reviewer' });
    expect(await callAs(token)(getAccount, {})).toMatchObject({ email: 'vera@tenant.example' });
  } finally {
    Object.assign(config, { SIGN_UP: 'open' });
  }
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
  for (const token of bad) expect((await refusalOf(callAs(token)(getAccount, {}))).status).toBe(401);
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
