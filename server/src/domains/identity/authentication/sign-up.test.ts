import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount, registerAccount, resendVerification } from '@sightline/contract/identity/accounts.ts';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser, redeem } from './testing/browser.ts';
import { firstLinkOf, invite, makePerson, password, waitForMail } from './testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ jobs: true });
});
afterAll(() => server.close());

const newcomer = (name: string) => ({
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@example.org`,
  password,
});

test('a new user signs up, confirms the address and calls the API', async () => {
  const browser = openBrowser(server);
  const person = newcomer('Nora Newcomer');
  const form = await browser.get(authorize(server, { screen_hint: 'signup' }).url);
  expect(form.text).toContain('Create an account');

  const screen = await browser.submit(form, person);
  expect(screen.url.pathname).toBe('/auth/verify');
  expect(screen.url.searchParams.get('user_id')).toBeTruthy();

  const link = firstLinkOf(await waitForMail(server, person.email));
  // A scanner that opens the link repeatedly does not consume it.
  await openBrowser(server).get(link);
  const page = await browser.get(link);
  expect(page.text).toContain(person.email);
  expect(page.text).not.toContain('type="password"');
  const home = await browser.submit(page);
  expect(home.url.href).toBe(`${server.config.PUBLIC_URL}/`);
  expect((await browser.get(link)).status).toBe(410);

  const request = authorize(server);
  const tokens = await redeem(server, request, await browser.get(request.url));
  const claims = decodeJwt(tokens.access_token ?? '');
  expect(claims).toMatchObject({
    email: person.email,
    aud: `${server.config.PUBLIC_URL}/api`,
    scope: 'read:current_user',
  });
  expect(claims).not.toHaveProperty('orgID');
  expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ sub: claims.sub, email: person.email, name: person.name });

  const call = createClient({ baseUrl: `${server.url}/api`, token: () => tokens.access_token });
  expect(await call(registerAccount, { body: {} })).toMatchObject({ nid: claims.sub, email: person.email });
  expect(await call(getAccount, {})).toMatchObject({
    linkedIdentities: [{ connection: 'Username-Password-Authentication' }],
  });
});

test('another browser that opens the link requires the password', async () => {
  const person = newcomer('Paul Phone');
  const firstBrowser = openBrowser(server);
  await firstBrowser.submit(await firstBrowser.get(authorize(server, { screen_hint: 'signup' }).url), person);
  const link = firstLinkOf(await waitForMail(server, person.email));

  const phone = openBrowser(server);
  const page = await phone.get(link);
  expect(page.text).toContain('type="password"');
  expect((await phone.submit(page, { password: 'something else entirely' })).status).toBe(400);
  expect((await phone.submit(page, { password })).url.pathname).toBe('/');
});

test('never confirms a password chosen by another person for the address', async () => {
  const person = newcomer('Vera Victim');
  const victim = openBrowser(server);
  await victim.submit(await victim.get(authorize(server, { screen_hint: 'signup' }).url), person);
  const first = firstLinkOf(await waitForMail(server, person.email));
  // The second sign-up arrives after the minute between two emails to one address.
  await server.services.database.global(({ db }) => db.deleteFrom('attempt').execute());
  const attacker = openBrowser(server);
  const page = await attacker.get(authorize(server, { screen_hint: 'signup' }).url);
  await attacker.submit(page, { ...person, password: 'chosen by the stranger' });
  const second = firstLinkOf(await waitForMail(server, person.email, 2));

  expect((await victim.get(first)).status).toBe(410);
  const confirm = await victim.get(second);
  expect(confirm.text).toContain('type="password"');
  expect((await victim.submit(confirm, { password })).status).toBe(400);
});

test('an address with an account gets the same page, and an email about the account', async () => {
  const known = await makePerson(server, 'Kim Known');
  const browser = openBrowser(server);
  const form = await browser.get(authorize(server, { screen_hint: 'signup' }).url);
  const screen = await browser.submit(form, { name: 'Kim', email: known.email, password: 'a very different one' });
  expect(screen.url.pathname).toBe('/auth/verify');
  expect(screen.url.searchParams.get('user_id')).toBeTruthy();
  expect(browser.cookies.has('sightline_sign_up /')).toBe(true);
  expect(await waitForMail(server, known.email)).toContain('You already have an account');

  const signIn = await browser.get(authorize(server).url);
  expect((await browser.submit(signIn, { email: known.email, password: 'a very different one' })).status).toBe(400);
  expect((await browser.submit(signIn, { email: known.email, password })).url.pathname).toBe('/auth');
});

test('reports the error of every field', async () => {
  const browser = openBrowser(server);
  const form = await browser.get(authorize(server, { screen_hint: 'signup' }).url);
  const again = await browser.submit(form, { name: ' ', email: 'nora<b>@nowhere', password: 'short' });
  expect(again.status).toBe(400);
  expect(again.text).toContain('Enter your name.');
  expect(again.text).toContain('Enter an email address');
  expect(again.text).toContain('Use at least 12 characters.');
  expect(again.text).toContain('value="nora&lt;b&gt;@nowhere"');
  const long = await browser.submit(again, { ...newcomer('Lee Long'), password: 'long '.repeat(30) });
  expect(long.text).toContain('Use at most 128 characters.');
});

test('resends the email to an unconfirmed address at sign-in, at most once a minute', async () => {
  const person = newcomer('Una Unconfirmed');
  const browser = openBrowser(server);
  const form = await browser.get(authorize(server, { screen_hint: 'signup' }).url);
  const screen = await browser.submit(form, person);
  await waitForMail(server, person.email);

  const signIn = await browser.get(authorize(server).url);
  expect((await browser.submit(signIn, person)).url.pathname).toBe('/auth/verify');
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => undefined });
  const userId = screen.url.searchParams.get('user_id') ?? '';
  expect(await call(resendVerification, { body: { userId } })).toEqual({ accepted: true });
  expect(await call(resendVerification, { body: { userId: 'made up' } })).toEqual({ accepted: true });
  const waiting = await server.services.database.global(({ db }) =>
    db.selectFrom('mail').select('id').where('recipient', '=', person.email).execute(),
  );
  expect(waiting).toHaveLength(1);

  await server.services.database.global(({ db }) => db.deleteFrom('attempt').execute());
  await call(resendVerification, { body: { userId } });
  await waitForMail(server, person.email, 2);
});

test('sign-up from an invitation email uses and confirms its address and accepts in one step', async () => {
  const { id } = await server.make.organization('Kestrel Payments');
  const person = newcomer('Ivy Invited');
  const invitation = await invite(server, id, { email: person.email, roleId: 'rol_contributor' });
  const browser = openBrowser(server);
  const request = authorize(server, { invitation, organization: id, screen_hint: 'signup' });
  const form = await browser.get(request.url);
  expect(form.text).toContain('Kestrel Payments');
  expect(form.text).toContain(`value="${person.email}"`);
  const tokens = await redeem(server, request, await browser.submit(form, person));
  expect(decodeJwt(tokens.access_token ?? '')).toMatchObject({
    orgID: id,
    authorization: { roles: ['Code Contributor'] },
  });
  const mails = await server.services.database.global(({ db }) =>
    db.selectFrom('mail').select('id').where('recipient', '=', person.email).execute(),
  );
  expect(mails).toEqual([]);
});

test('an invitation confirms only its own address, and none after its end', async () => {
  const { id } = await server.make.organization('Kestrel Payments');
  const [person, other] = [newcomer('Ivy Invited'), newcomer('Otto Other')];
  const invitation = await invite(server, id, { email: person.email, roleId: 'rol_contributor' });
  const revoked = await invite(server, id, {
    email: other.email,
    roleId: 'rol_contributor',
    changes: { revoked_at: new Date() },
  });
  for (const secret of [invitation, revoked]) {
    const browser = openBrowser(server);
    const form = await browser.get(
      authorize(server, { invitation: secret, organization: id, screen_hint: 'signup' }).url,
    );
    expect((await browser.submit(form, other)).url.pathname).toBe('/auth/verify');
    await server.services.database.global(({ db }) => db.deleteFrom('attempt').execute());
  }
  const [row] = await server.services.database.global(({ db }) =>
    db.selectFrom('account').select('email_verified_at').where('email', '=', other.email).execute(),
  );
  expect(row?.email_verified_at).toBeNull();
});
