import { createClient } from '@sightline/contract/core/client.ts';
import { checkMayCreateOrganization, createOrganization } from '@sightline/contract/organization/organizations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { authorize, openBrowser } from './testing/browser.ts';
import { accountOf, type LoginScene, signInWith, startLogins } from './testing/logins.ts';
import { firstLinkOf, invite, makePerson, password, signedIn, tokensOf, waitForMail } from './testing/people.ts';

const rule =
  'Accounts on this server are for addresses of acme.example, and for people whom an Account Owner of an organization invited.';

let scene: LoginScene;
let server: TestServer;
beforeAll(async () => {
  scene = await startLogins(() => ({
    SIGN_UP: 'domains',
    SIGN_UP_DOMAINS: 'Acme.Example',
    ORGANIZATION_CREATION: 'operator',
  }));
  server = scene.server;
});
afterAll(() => scene.close());

async function signUp(email: string) {
  const browser = openBrowser(server);
  const form = await browser.get(authorize(server, { screen_hint: 'signup' }).url);
  expect(form.text).toContain(rule);
  return browser.submit(form, { name: 'Sam Signer', email, password });
}

test('creates an account for an address of an allowed domain and for an invited address', async () => {
  const { id } = await server.make.organization();
  await invite(server, id, { email: 'guest@elsewhere.example', roleId: 'rol_reviewer' });
  for (const email of ['ada@acme.example', 'guest@elsewhere.example']) {
    expect((await signUp(email)).url.pathname).toBe('/auth/verify');
    expect(firstLinkOf(await waitForMail(server, email))).toContain('/oidc/verify?token=');
  }
});

test('shows the same page for another address, and only the email reports that there is no account', async () => {
  const { id } = await server.make.organization();
  await invite(server, id, {
    email: 'late@elsewhere.example',
    roleId: 'rol_owner',
    changes: { expires_at: new Date(0) },
  });
  await invite(server, id, {
    email: 'gone@elsewhere.example',
    roleId: 'rol_owner',
    changes: { revoked_at: new Date() },
  });
  const emails = ['late', 'gone', 'stranger'].map((name) => `${name}@elsewhere.example`);
  for (const email of [...emails, 'eve@acme.example.evil.example']) {
    const screen = await signUp(email);
    expect([screen.url.pathname, screen.url.searchParams.has('user_id')]).toEqual(['/auth/verify', true]);
    const mail = await waitForMail(server, email);
    expect(mail).toContain('sign-up for a Sightline account');
    expect(mail).toContain(rule);
    expect(await accountOf(server, email)).toBeUndefined();
  }
});

test('an external login creates an account only for a person who may sign up', async () => {
  const uninvited = { login: 'stranger', email: 'stranger@elsewhere.example' };
  const refused = await signInWith(server, { browser: openBrowser(server), connection: 'acme', user: uninvited });
  expect(refused.text).toContain(rule);
  expect(await accountOf(server, uninvited.email)).toBeUndefined();
  // Without a confirmed address, the page requests one by email.
  const browser = openBrowser(server);
  const form = await signInWith(server, { browser, connection: 'acme', user: { login: 'nameless' } });
  expect((await browser.submit(form, { email: 'nameless@elsewhere.example' })).url.pathname).toBe('/auth/verify');
  expect(await waitForMail(server, 'nameless@elsewhere.example')).toContain(rule);

  const admitted = await signInWith(server, {
    browser: openBrowser(server),
    connection: 'acme',
    user: { login: 'bo', email: 'bo@acme.example' },
  });
  expect(admitted.url.searchParams.get('code')).toBeTruthy();
});

test('only the operator creates organizations', async () => {
  const person = await makePerson(server);
  const { access_token: token } = await tokensOf(server, await signedIn(server, person));
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => token });
  const forbidden = { status: 403, code: 'forbidden' };
  expect(await refusalOf(call(checkMayCreateOrganization, {}))).toEqual(forbidden);
  expect(await refusalOf(call(createOrganization, { body: { displayName: 'Mine' } }))).toEqual(forbidden);
  await operatorCliOf(server).ask('org', 'create', '--name', 'Mine', '--owner', person.email);
});

test('a closed server offers no sign-up', async () => {
  const { config } = server.services;
  const open = { ...config };
  Object.assign(config, { SIGN_UP: 'closed', SIGN_UP_DOMAINS: [] });
  try {
    const browser = openBrowser(server);
    const page = await browser.get(authorize(server, { screen_hint: 'signup' }).url);
    expect(page.text).toContain('operator of this server creates accounts');
    expect(page.text).not.toContain('name="password"');
    const { id } = await server.make.organization();
    await invite(server, id, { email: 'cy@acme.example', roleId: 'rol_reviewer' });
    const upstream = await signInWith(server, {
      browser: openBrowser(server),
      connection: 'acme',
      user: { login: 'cy', email: 'cy@acme.example' },
    });
    expect(upstream.text).toContain('operator of this server creates accounts');
    expect(await accountOf(server, 'cy@acme.example')).toBeUndefined();
  } finally {
    Object.assign(config, open);
  }
});
