import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { changePassword, requestPasswordLink } from '@sightline/contract/identity/passwords.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser } from './testing/browser.ts';
import { firstLinkOf, makePerson, password, signedIn, tokensOf, waitForMail } from './testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ jobs: true });
});
afterAll(() => server.close());

test('resets a forgotten password by email and ends every other session', async () => {
  const person = await makePerson(server);
  const before = await signedIn(server, person);
  const { access_token } = await tokensOf(server, before);
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => access_token });
  expect(await call(getAccount, {})).toMatchObject({ nid: person.id });
  const browser = openBrowser(server);
  expect((await browser.get(authorize(server).url)).text).toContain('href="/oidc/forgot"');
  const sent = await browser.submit(await browser.get('/oidc/forgot'), { email: person.email });
  expect(sent.status).toBe(200);
  const link = firstLinkOf(await waitForMail(server, person.email));

  const page = await browser.get(link);
  const short = await browser.submit(page, { password: 'short' });
  expect([short.status, short.text.includes('Use at least 12 characters.')]).toEqual([400, true]);
  const home = await browser.submit(page, { password: 'a brand new password' });
  expect(home.url.href).toBe(`${server.config.PUBLIC_URL}/`);
  expect((await browser.get(authorize(server).url)).url.searchParams.has('code')).toBe(true);
  expect((await browser.get(link)).status).toBe(410);
  expect((await browser.submit(page, { password: 'another new password' })).status).toBe(410);

  expect(await refusalOf(call(getAccount, {}))).toMatchObject({ status: 401 });
  const elsewhere = await before.get(authorize(server, { prompt: 'none' }).url);
  expect(elsewhere.url.searchParams.get('error')).toBe('login_required');
  const signIn = await before.get(authorize(server).url);
  expect((await before.submit(signIn, { email: person.email, password })).status).toBe(400);
  const again = await before.submit(signIn, { email: person.email, password: 'a brand new password' });
  expect(again.url.searchParams.has('code')).toBe(true);
});

test('a reset request does not reveal an account and is rate limited', async () => {
  const person = await makePerson(server);
  const ask = async (email: string) => {
    const browser = openBrowser(server);
    return browser.submit(await browser.get('/oidc/forgot'), { email });
  };
  const [known, unknown] = [await ask(person.email), await ask('nobody@example.org')];
  expect(unknown.text).toBe(known.text);
  expect([(await ask(person.email)).status, (await ask('nobody@example.org')).status]).toEqual([429, 429]);
  expect((await ask('not an address')).status).toBe(400);
});

test('an account without a password sets one by a link it requested', async () => {
  const account = await server.make.account();
  const call = server.as(account);
  const change = call(changePassword, {
    body: { currentPassword: 'any', newPassword: 'a brand new password', endOtherSessions: false },
  });
  expect(await refusalOf(change)).toEqual({ status: 409, code: 'conflict' });
  expect(await call(requestPasswordLink, {})).toEqual({ sent: true });
  expect(await refusalOf(call(requestPasswordLink, {}))).toEqual({ status: 429, code: 'rate_limited' });
  const browser = openBrowser(server);
  const page = await browser.get(firstLinkOf(await waitForMail(server, account.email)));
  await browser.submit(page, { password: 'a brand new password' });
  const other = openBrowser(server);
  const signIn = await other.get(authorize(server).url);
  const back = await other.submit(signIn, { email: account.email, password: 'a brand new password' });
  expect(back.url.searchParams.has('code')).toBe(true);
});
