import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listConnections, listIdentities } from '@sightline/contract/identity/identities.ts';
import { getReauthentication } from '@sightline/contract/identity/sessions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '#testing/server.ts';
import { authorize, openBrowser, redeem } from '../testing/browser.ts';
import {
  accountLog,
  accountOf,
  type LoginScene,
  signInWith,
  startLogins,
  submitSandboxSignIn,
} from '../testing/logins.ts';
import { firstLinkOf, invite, makePerson, password, signedIn, tokensOf, waitForMail } from '../testing/people.ts';

let scene: LoginScene;
let server: TestServer;
beforeAll(async () => {
  scene = await startLogins();
  server = scene.server;
});
afterAll(() => scene.close());

const callAs = (token: string | undefined) => createClient({ baseUrl: `${server.url}/api`, token: () => token });
const codeOf = (url: URL) => url.searchParams.get('code');

test('the sign-in page and the API list the configured connections', async () => {
  const page = await openBrowser(server).get(authorize(server).url);
  for (const label of ['GitHub', 'Google', 'Acme']) expect(page.text).toContain(`Continue with ${label}`);
  expect((await openBrowser(server).get(authorize(server, { screen_hint: 'signup' }).url)).text).toContain(
    'Continue with GitHub',
  );
  expect(await callAs(undefined)(listConnections, {})).toEqual([
    { connection: 'github', label: 'GitHub', kind: 'github', sandbox: false },
    { connection: 'google-oauth2', label: 'Google', kind: 'google', sandbox: false },
    { connection: 'acme', label: 'Acme', kind: 'oidc', sandbox: false },
    { connection: 'Username-Password-Authentication', label: 'Email / Password', kind: 'password', sandbox: false },
  ]);
});

test('a repeated sign-in counts as recent only if the issuer had the person sign in now', async () => {
  const user = { login: 'stella', email: 'stella@example.org' };
  const browser = openBrowser(server);
  await signInWith(server, { browser, connection: 'acme', user: { ...user, name: 'Stella' } });
  const call = callAs((await tokensOf(server, browser)).access_token);
  const { nid } = await call(getAccount, {});
  await server.services.database.global(async ({ db }) => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await db
      .updateTable('account_session')
      .set({ authenticated_at: anHourAgo })
      .where('account_id', '=', nid)
      .execute();
    await db
      .updateTable('oidc_payload')
      .set({
        payload: sql`jsonb_set(payload, '{loginTs}', to_jsonb(${Math.floor(anHourAgo.getTime() / 1000)}::bigint))`,
      })
      .where('model', '=', 'Session')
      .where(sql`payload ->> 'accountId'`, '=', nid)
      .execute();
  });
  const at = await browser.get(authorize(server, { connection: 'acme', prompt: 'login' }).url);
  expect([at.url.searchParams.get('prompt'), at.url.searchParams.get('max_age')]).toEqual(['login', '0']);
  for (const age of ['3600', 'unknown']) {
    const answer = await signInWith(server, {
      browser,
      connection: 'acme',
      user: { ...user, age },
      extra: { prompt: 'login' },
    });
    expect([age, codeOf(answer.url)]).toEqual([age, null]);
  }
  expect(await call(getReauthentication, {})).toEqual({ needed: true, proofs: ['sign-in'] });
  expect(
    codeOf((await signInWith(server, { browser, connection: 'acme', user, extra: { prompt: 'login' } })).url),
  ).toBeTruthy();
  expect(await call(getReauthentication, {})).toMatchObject({ needed: false });
});

test.each(['github', 'google-oauth2', 'acme'])(
  'a new user signs up with %s and returns to the same account',
  async (connection) => {
    const email = `new.${connection}@example.org`;
    const user = { login: `new-${connection}`, name: 'New Person', email };
    const browser = openBrowser(server);
    const request = authorize(server, { connection });
    const at = await browser.get(request.url);
    const tokens = await redeem(server, request, await browser.get(await submitSandboxSignIn(at, user)));
    const account = await callAs(tokens.access_token)(getAccount, {});
    expect(account).toMatchObject({ email, name: 'New Person', linkedIdentities: [{ connection }] });
    const [identity] = await callAs(tokens.access_token)(listIdentities, {});
    expect(identity).toMatchObject({
      connection,
      usedForLogin: true,
      blocked: expect.stringContaining("can't disconnect"),
    });
    expect(account.traits.github).toEqual(connection === 'github' ? { login: 'new-github', name: 'New Person' } : null);

    const again = openBrowser(server);
    const second = authorize(server, { connection });
    const back = await again.get(await submitSandboxSignIn(await again.get(second.url), { login: user.login }));
    expect(await callAs((await redeem(server, second, back)).access_token)(getAccount, {})).toMatchObject({
      nid: account.nid,
    });
    expect((await accountLog(server, account.nid)).map((entry) => entry.action)).toEqual([
      'account.created',
      'identity.linked',
    ]);
  },
);

test('connects an upstream login to an existing account only by sign-in, not by address alone', async () => {
  const person = await makePerson(server);
  const browser = openBrowser(server);
  const request = authorize(server, { connection: 'github' });
  const at = await browser.get(request.url);
  const user = { login: 'proves-it', email: person.email };
  const page = await browser.get(await submitSandboxSignIn(at, user));
  expect(page.text).toContain('You already have an account');
  expect(codeOf(page.url)).toBeNull();
  const wrong = await browser.submit(page, { password: 'not the password' });
  expect(wrong.status).toBe(400);
  expect(await callAs(await server.token(person))(listIdentities, {})).toHaveLength(1);

  const tokens = await redeem(server, request, await browser.submit(page, { password }));
  const identities = await callAs(tokens.access_token)(listIdentities, {});
  expect(identities.map(({ connection, usedForLogin }) => [connection, usedForLogin])).toEqual([
    ['Username-Password-Authentication', true],
    ['github', false],
  ]);
  expect(await waitForMail(server, person.email)).toContain('Another login was connected');
  const next = await signInWith(server, {
    browser: openBrowser(server),
    connection: 'github',
    user: { login: 'proves-it' },
  });
  expect(codeOf(next.url)).toBeTruthy();
});

test('does not connect the login to another account that signs in meanwhile', async () => {
  const [person, other] = [await makePerson(server), await makePerson(server)];
  const browser = openBrowser(server);
  const page = await signInWith(server, {
    browser,
    connection: 'github',
    user: { login: 'meanwhile', email: person.email },
  });
  const other_ = await browser.submit(page, { email: other.email, password });
  expect(codeOf(other_.url)).toBeTruthy();
  for (const one of [person, other]) {
    expect(await callAs(await server.token(one))(listIdentities, {})).toHaveLength(1);
  }
});

test('connects no login by an unconfirmed address, and none to an account with a second factor', async () => {
  const [plain, careful] = [await makePerson(server), await makePerson(server)];
  const secret = server.services.secrets.seal(
    { org: '-', table: 'account_totp', field: careful.id },
    Buffer.alloc(20, 7),
  );
  await server.services.database.global(({ db }) =>
    db.insertInto('account_totp').values({ account_id: careful.id, secret, last_step: 0 }).execute(),
  );
  for (const [person, user] of [
    [plain, { login: 'unconfirmed-there', email: plain.email, verified: false }],
    [careful, { login: 'second-factor-here', email: careful.email }],
  ] as const) {
    const browser = openBrowser(server);
    const page = await signInWith(server, { browser, connection: 'github', user });
    const form = await browser.get(`${page.url.pathname}?screen=sign-in`);
    expect((await browser.submit(form, { email: person.email, password })).status).toBeLessThan(400);
    expect(await callAs(await server.token(person))(listIdentities, {})).toHaveLength(1);
  }
});

test('confirms an unconfirmed address by email, in the same browser', async () => {
  const email = 'later@example.org';
  const browser = openBrowser(server);
  const page = await signInWith(server, {
    browser,
    connection: 'github',
    user: { login: 'later', name: 'Later', email, verified: false },
  });
  expect(page.text).toContain('did not confirm your email address');
  expect(await accountOf(server, email)).toBeUndefined();
  const invalid = await browser.submit(page, { email: 'nonsense' });
  expect(invalid.status).toBe(400);
  const sent = await browser.submit(page, { email });
  expect(sent.url.pathname).toBe('/auth/verify');
  expect(await accountOf(server, email)).toMatchObject({ email_verified_at: null });

  const link = firstLinkOf(await waitForMail(server, email));
  expect((await openBrowser(server).get(link)).text).toContain('Open this link in the browser of your sign-up');
  const confirm = await browser.get(link);
  const done = await browser.submit(confirm);
  expect(done.url.pathname).toBe('/');
  const tokens = await tokensOf(server, browser);
  expect(await callAs(tokens.access_token)(listIdentities, {})).toMatchObject([
    { connection: 'github', usedForLogin: true },
  ]);
});

test('locks out an unconfirmed sign-up when the address owner signs in through an upstream', async () => {
  const email = 'squatted@example.org';
  const attacker = openBrowser(server);
  const form = await attacker.get(authorize(server, { screen_hint: 'signup' }).url);
  await attacker.submit(form, { name: 'Squatter', email, password });
  const link = firstLinkOf(await waitForMail(server, email));
  const owner = await signInWith(server, {
    browser: openBrowser(server),
    connection: 'google-oauth2',
    user: {
      login: 'squatted',
      email,
      name: 'Owner',
    },
  });
  expect(codeOf(owner.url)).toBeTruthy();
  expect(await accountOf(server, email)).toMatchObject({ name: 'Owner' });
  const page = await attacker.get(authorize(server).url);
  expect((await attacker.submit(page, { email, password })).text).toContain('is wrong');
  expect((await attacker.get(link)).status).toBe(410);
});

test('returns to the sign-in page with a message after a refusal', async () => {
  const browser = openBrowser(server);
  const page = await signInWith(server, { browser, connection: 'github', user: { login: '' } });
  expect(page.text).toContain('You canceled the sign-in with GitHub');
  const person = await makePerson(server);
  expect(codeOf((await browser.submit(page, { email: person.email, password })).url)).toBeTruthy();
});

test('reports an unavailable upstream and retries at the next sign-in', async () => {
  const down = await startLogins(() => ({ GOOGLE_ISSUER: 'http://127.0.0.1:9' }));
  try {
    const page = await openBrowser(down.server).get(authorize(down.server, { connection: 'google-oauth2' }).url);
    expect([page.status, page.text.includes('Google is not available')]).toEqual([502, true]);
  } finally {
    await down.close();
  }
});

test('accepts an invitation during sign-in when the address matches', async () => {
  const { id } = await server.make.organization();
  const email = 'invited.by.mail@example.org';
  const invitation = await invite(server, id, { email, roleId: 'rol_contributor' });
  const back = await signInWith(server, {
    browser: openBrowser(server),
    connection: 'github',
    user: { login: 'invited', email },
    extra: { invitation, organization: id },
  });
  expect(codeOf(back.url)).toBeTruthy();
  const account = await accountOf(server, email);
  const members = await server.services.database.withOrg(id, ({ db }) =>
    db.selectFrom('member').select(['account_id', 'role_id']).execute(),
  );
  expect(members).toContainEqual({ account_id: account?.id, role_id: 'rol_contributor' });
});

test('a session started with a password still reports it after a visit', async () => {
  const person = await makePerson(server);
  const tokens = await tokensOf(server, await signedIn(server, person));
  expect(await callAs(tokens.access_token)(listIdentities, {})).toMatchObject([{ usedForLogin: true }]);
});
