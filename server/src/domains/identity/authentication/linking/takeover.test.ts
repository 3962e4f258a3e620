import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import {
  listIdentities,
  listSimilarAccounts,
  startLink,
  unlinkIdentity,
} from '@sightline/contract/identity/identities.ts';
import { generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadSigningKeys, type SigningKeys } from '#core/signing-keys.ts';
import { issuerOf } from '#core/tokens.ts';
import { refusalOf, type TestAccount, type TestServer } from '#testing/server.ts';
import { webClientId } from '../provider.ts';
import { authorize, type Browser, openBrowser, redeem } from '../testing/browser.ts';
import { accountLog, type LoginScene, signInWith, startLogins, submitSandboxSignIn } from '../testing/logins.ts';
import { firstLinkOf, password, setTestPassword, signedIn, tokensOf, waitForMail } from '../testing/people.ts';

let scene: LoginScene;
let server: TestServer;
let keys: SigningKeys;
beforeAll(async () => {
  scene = await startLogins();
  server = scene.server;
  keys = await loadSigningKeys(server.services.database, server.services.secrets);
});
afterAll(() => scene.close());

interface PersonInBrowser {
  account: TestAccount;
  orgId: string;
  browser: Browser;
  token: string;
}

let victim: PersonInBrowser;
let attacker: PersonInBrowser;
beforeEach(async () => {
  [victim, attacker] = [await owner(), await owner()];
});

/** Creates an Account Owner of a new organization, with a GitHub login. */
async function owner(): Promise<PersonInBrowser> {
  const org = await server.make.organization();
  await setTestPassword(server, org.owner);
  const browser = await signedIn(server, org.owner);
  const { access_token: token = '' } = await tokensOf(server, browser, { organization: org.id });
  const { url } = await callAs(token)(startLink, { body: { connection: 'github' } });
  await browser.get(await submitSandboxSignIn(await browser.get(url), { login: `gh-${org.owner.id.slice(-12)}` }));
  return { account: org.owner, orgId: org.id, browser, token };
}

const callAs = (token: string | undefined) => createClient({ baseUrl: `${server.url}/api`, token: () => token });

/** The account of the victim is unchanged, and the audit log of their organization contains the attempt. */
async function expectUnchanged(reason: string | undefined): Promise<void> {
  const identities = await callAs(victim.token)(listIdentities, {});
  expect(identities.map(({ connection }) => connection)).toEqual(['Username-Password-Authentication', 'github']);
  expect(await callAs(victim.token)(getAccount, {})).toMatchObject({ email: victim.account.email });
  if (reason === undefined) return;
  expect((await accountLog(server, victim.account.id)).at(-1)).toMatchObject({
    action: 'identity.refused',
    data: { reason },
  });
  const entries = await server.services.database.withOrg(victim.orgId, ({ db }) =>
    db.selectFrom('audit_event').select('data').where('action', '=', 'identity.refused').execute(),
  );
  expect(entries.map((entry) => entry.data)).toContainEqual(expect.objectContaining({ reason }));
}

const expectRecorded = async (person: PersonInBrowser, reason: string): Promise<void> =>
  expect(await accountLog(server, person.account.id)).toContainEqual(
    expect.objectContaining({ action: 'identity.refused', data: expect.objectContaining({ reason }) }),
  );

const linkWith = (token: string, id: string, link_with: unknown) =>
  fetch(`${server.url}/oidc/api/v2/users/${id}/identities`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ link_with }),
  });

/** An ID token for the victim, signed by the server, with claims chosen by the attacker. */
async function idToken(claims: Record<string, unknown> = {}): Promise<string> {
  const [signer] = keys.private.keys;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: issuerOf(server.config.PUBLIC_URL),
    aud: webClientId,
    sub: victim.account.id,
    iat: now,
    exp: now + 3600,
    auth_time: now,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: signer?.kid ?? '' })
    .sign(await importJWK(signer ?? {}, 'RS256'));
}

test('1: rejects an upstream account with the address of the victim, unconfirmed there', async () => {
  const browser = openBrowser(server);
  const user = { login: `un-${victim.account.id.slice(-12)}`, email: victim.account.email, verified: false };
  const page = await signInWith(server, { browser, connection: 'github', user });
  expect(page.url.searchParams.has('code')).toBe(false);
  await expectUnchanged('unconfirmed address');
  const sent = await browser.submit(page, { email: victim.account.email });
  expect(sent.url.pathname).toBe('/auth/verify');
  expect(await waitForMail(server, victim.account.email, 3)).toContain('already');
  await expectUnchanged('address not confirmed here');
});

test('2: rejects an upstream account with the address of the victim, confirmed there', async () => {
  const user = { login: `co-${victim.account.id.slice(-12)}`, email: victim.account.email };
  const page = await signInWith(server, { browser: openBrowser(server), connection: 'google-oauth2', user });
  expect(page.text).toContain('You already have an account');
  expect(page.url.searchParams.has('code')).toBe(false);
  await expectUnchanged('login not connected');
});

test('3: rejects link_with with a token of a stale sign-in', async () => {
  // A password set after that sign-in would also invalidate the token.
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_password')
      .set({ changed_at: new Date(0) })
      .where('account_id', '=', victim.account.id)
      .execute(),
  );
  const old = Math.floor(Date.now() / 1000) - 301;
  for (const stale of [{ auth_time: old }, { iat: old }, { iat: old, auth_time: old }]) {
    const answer = await linkWith(attacker.token, attacker.account.id, await idToken(stale));
    expect(answer.status).toBe(403);
  }
  await expectUnchanged('stale proof');
  await expectRecorded(attacker, 'stale proof');
});

test.each([
  { aud: 'another-client' },
  { aud: 'http://localhost:1/api' },
  { iss: 'https://evil.example/' },
  { auth_time: undefined },
  { exp: 1 },
])('4: rejects link_with with invalid token claims: %o', async (claims) => {
  const answer = await linkWith(attacker.token, attacker.account.id, await idToken(claims));
  expect(answer.status).toBe(403);
  await expectUnchanged('exp' in claims ? 'stale proof' : 'proof not acceptable');
});

test('5: rejects link_with with a token that is unsigned or signed by another key', async () => {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuerOf(server.config.PUBLIC_URL),
    aud: webClientId,
    sub: victim.account.id,
    iat: now,
    exp: now + 600,
    auth_time: now,
  };
  const { privateKey } = await generateKeyPair('RS256');
  const kid = keys.private.keys[0]?.kid ?? '';
  const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  for (const token of [new UnsecuredJWT(claims).encode(), forged, 'nonsense', `${await idToken()}x`]) {
    expect((await linkWith(attacker.token, attacker.account.id, token)).status).toBe(403);
  }
  await expectUnchanged(undefined);
  await expectRecorded(attacker, 'proof not acceptable');
});

test('6: rejects the ID of the victim in the path or in the body', async () => {
  const own = await idToken({ sub: attacker.account.id });
  expect((await linkWith(attacker.token, victim.account.id, own)).status).toBe(404);
  await expectUnchanged('account of another');
  await expectRecorded(attacker, 'account of another');
  for (const body of [
    { link_with: victim.account.id },
    { provider: 'github', user_id: 'x' },
    { link_with: '', id: victim.account.id },
  ]) {
    const answer = await fetch(`${server.url}/oidc/api/v2/users/${attacker.account.id}/identities`, {
      method: 'POST',
      headers: { authorization: `Bearer ${attacker.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([400, 403]).toContain(answer.status);
  }
  await expectUnchanged(undefined);
});

test('7: rejects an upstream response used a second time or in another browser', async () => {
  const login = `re-${victim.account.id.slice(-12)}`;
  const request = authorize(server, { connection: 'acme' });
  const at = await victim.browser.get(request.url);
  const back = await submitSandboxSignIn(at, { login, email: `${login}@example.org` });
  const response = await attacker.browser.get(back);
  expect([response.status, response.url.searchParams.has('state') && response.text.includes('Start again')]).toEqual([
    400,
    true,
  ]);

  const { url } = await callAs(victim.token)(startLink, { body: { connection: 'acme' } });
  const linkBack = await submitSandboxSignIn(await victim.browser.get(url), { login: `${login}2` });
  expect((await attacker.browser.get(linkBack)).status).toBe(400);
  await expectUnchanged('another browser');
  const gone = await victim.browser.get(linkBack);
  expect(gone.url.href).toMatch(/^http:\/\/localhost:1\/link\?path=/);
  expect((await victim.browser.get(linkBack)).status).toBe(400);
  await expectRecorded(victim, 'answer used twice');
  const identities = await callAs(victim.token)(listIdentities, {});
  expect(identities.map(({ connection }) => connection)).toContain('acme');
});

test('8: lists no similar accounts for an unconfirmed address', async () => {
  const { database } = server.services;
  const { url } = await callAs(attacker.token)(startLink, { body: { connection: 'acme' } });
  const user = { login: `si-${victim.account.id.slice(-12)}`, email: victim.account.email, verified: false };
  await attacker.browser.get(await submitSandboxSignIn(await attacker.browser.get(url), user));
  expect(await callAs(attacker.token)(listSimilarAccounts, {})).toEqual([]);
  await database.global(({ db }) =>
    db.updateTable('account').set({ email_verified_at: null }).where('id', '=', attacker.account.id).execute(),
  );
  expect(await refusalOf(callAs(attacker.token)(listSimilarAccounts, {}))).toEqual({ status: 403, code: 'forbidden' });
  await expectRecorded(attacker, 'unconfirmed address');
  await expectUnchanged(undefined);
});

test('9: rejects a link ticket opened in the victim browser or requested by forgery', async () => {
  const { url } = await callAs(attacker.token)(startLink, { body: { connection: 'github' } });
  const page = await victim.browser.get(url);
  expect(page.url.href).toBe('http://localhost:1/link?error=other-account');
  await expectUnchanged('another browser');
  await expectRecorded(attacker, 'another browser');
  // A form of another site has no token: the cookie alone starts nothing.
  const forged = await fetch(`${server.url}/api/v2/auth/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    body: 'connection=github',
  });
  expect([401, 415]).toContain(forged.status);
  const guessed = await attacker.browser.get('/oidc/link?ticket=guessed');
  expect(guessed.url.href).toBe('http://localhost:1/link?error=expired');
});

test('10: refuses to remove or take over the login of the victim', async () => {
  const github = (await callAs(victim.token)(listIdentities, {})).find(({ connection }) => connection === 'github');
  for (const id of [github?.id ?? '', 'github|1']) {
    const attempt = callAs(attacker.token)(unlinkIdentity, { params: { id } });
    expect(await refusalOf(attempt)).toEqual({ status: 404, code: 'not_found' });
  }
  await expectUnchanged('login of another');
  await expectRecorded(attacker, 'login of another');
});

test('11: refuses a merge with only the first of two factors', async () => {
  const { secrets, database } = server.services;
  const { id } = victim.account;
  const secret = secrets.seal({ org: '-', table: 'account_totp', field: id }, Buffer.alloc(20, 7));
  await database.global(({ db }) =>
    db.insertInto('account_totp').values({ account_id: id, secret, last_step: 0 }).execute(),
  );
  const { url } = await callAs(attacker.token)(startLink, { body: { connection: 'Username-Password-Authentication' } });
  const confirm = await attacker.browser.submit(await attacker.browser.get(url), {
    email: victim.account.email,
    password,
  });
  for (const code of ['', '000000', '123456'])
    expect((await attacker.browser.submit(confirm, { code })).status).toBe(400);
  await expectUnchanged('second factor missing');
});

test('12: rejects a stale proof of the attacker session and accepts the legitimate flow', async () => {
  const own = await redeemFresh(victim);
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_session')
      .set({ authenticated_at: new Date(Date.now() - 301_000) })
      .where('account_id', '=', attacker.account.id)
      .execute(),
  );
  expect((await linkWith(attacker.token, attacker.account.id, own)).status).toBe(403);
  await expectUnchanged(undefined);
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_session')
      .set({ authenticated_at: new Date() })
      .where('account_id', '=', attacker.account.id)
      .execute(),
  );
  const answer = await linkWith(attacker.token, attacker.account.id, own);
  expect(answer.status).toBe(201);
  expect(await answer.json()).toEqual([
    expect.objectContaining({ connection: 'Username-Password-Authentication', isSocial: false }),
    expect.objectContaining({ connection: 'github', isSocial: true }),
    expect.objectContaining({ connection: 'github', isSocial: true }),
  ]);
});

test('13: rejects a merge with an account whose password was reset since the proof', async () => {
  const { url } = await callAs(attacker.token)(startLink, { body: { connection: 'Username-Password-Authentication' } });
  const confirm = await attacker.browser.submit(await attacker.browser.get(url), {
    email: victim.account.email,
    password,
  });
  expect(confirm.text).toContain(victim.account.email);
  await resetPassword();
  expect((await attacker.browser.submit(confirm)).status).toBe(400);
  expect(await mergedInto()).toBeNull();
});

test('14: rejects link_with with a token of a sign-in before the password was reset', async () => {
  const before = await idToken({ auth_time: Math.floor(Date.now() / 1000) - 30 });
  await resetPassword();
  expect((await linkWith(attacker.token, attacker.account.id, before)).status).toBe(403);
  expect(await mergedInto()).toBeNull();
});

test('15: rejects a sign-in with the old password that is resumed after the password was reset', async () => {
  const browser = openBrowser(server);
  const form = await browser.get(authorize(server).url);
  const resume = await browser.submitOnly(form, { email: victim.account.email, password });
  expect(resume).toMatch(/\/oidc\/authorize\//);
  await resetPassword();
  const resumed = await browser.get(resume);
  expect([resumed.status, resumed.url.searchParams.has('code')]).toEqual([400, false]);
});

/** Resets the password of the victim by email. */
async function resetPassword(): Promise<void> {
  const { email } = victim.account;
  await victim.browser.submit(await victim.browser.get('/oidc/forgot'), { email });
  const mail = await vi.waitFor(async () => {
    const mails = await server.services.database.global(({ db }) =>
      db.selectFrom('mail').select('body_text').where('recipient', '=', email).execute(),
    );
    return mails.find(({ body_text }) => body_text.includes('/oidc/reset')) ?? expect.unreachable('no mail yet');
  }, 20_000);
  const page = await victim.browser.get(firstLinkOf(mail.body_text));
  const home = await victim.browser.submit(page, { password: 'a brand new password' });
  expect(home.url.href).toBe('http://localhost:1/');
}

const mergedInto = async (): Promise<string | null> => {
  const account = await server.services.database.global(({ db }) =>
    db.selectFrom('account').select('merged_into').where('id', '=', victim.account.id).executeTakeFirstOrThrow(),
  );
  return account.merged_into;
};

/** The ID token of a sign-in that was just completed. */
async function redeemFresh({ account }: PersonInBrowser): Promise<string> {
  const browser = openBrowser(server);
  const request = authorize(server, { prompt: 'login' });
  const back = await browser.submit(await browser.get(request.url), { email: account.email, password });
  return (await redeem(server, request, back)).id_token ?? '';
}
