import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '#testing/server.ts';
import { authorize, type Browser, openBrowser } from '../testing/browser.ts';
import {
  accountLog,
  accountOf,
  type LoginScene,
  signInWith,
  startLogins,
  submitSandboxSignIn,
} from '../testing/logins.ts';
import { firstLinkOf, password, waitForMail } from '../testing/people.ts';

let scene: LoginScene;
let server: TestServer;
beforeAll(async () => {
  scene = await startLogins();
  server = scene.server;
});
afterAll(() => scene.close());

/** An attacker signs up with an address of another person. */
async function signUpAsAttacker(email: string): Promise<Browser> {
  const attacker = openBrowser(server);
  const form = await attacker.get(authorize(server, { screen_hint: 'signup' }).url);
  await attacker.submit(form, { name: 'Stranger', email, password });
  await waitForMail(server, email);
  // The owner arrives after the minute between two emails to one address.
  await server.services.database.global(({ db }) => db.deleteFrom('attempt').execute());
  return attacker;
}

/** The owner of the address signs in through GitHub, which does not confirm it, and enters it. */
async function enterAddress(owner: Browser, email: string, login: string) {
  const page = await signInWith(server, {
    browser: owner,
    connection: 'github',
    user: { login, name: 'Owner', email, verified: false },
  });
  expect((await owner.submit(page, { email })).url.pathname).toBe('/auth/verify');
  return { interaction: page.url.pathname, link: firstLinkOf(await waitForMail(server, email, 2)) };
}

const signInAs = async (browser: Browser, email: string) =>
  browser.submit(await browser.get(authorize(server).url), { email, password });

test('a confirmation link confirms nothing after its upstream identity was replaced', async () => {
  const email = 'retries.github@example.org';
  const attacker = await signUpAsAttacker(email);
  const owner = openBrowser(server);
  const { interaction, link } = await enterAddress(owner, email, 'retries-github');
  const at = await owner.get(`${interaction}/upstream/github`);
  await owner.get(await submitSandboxSignIn(at, { login: 'retries-github', name: 'Owner', email, verified: false }));

  expect((await owner.get(link)).status).toBe(410);
  const csrf = { csrf: /name="csrf" value="([^"]+)"/.exec((await owner.get(authorize(server).url)).text)?.[1] ?? '' };
  const token = new URL(link).searchParams.get('token') ?? '';
  expect((await owner.post('/oidc/verify', { ...csrf, token })).status).toBe(410);
  expect(await accountOf(server, email)).toMatchObject({ email_verified_at: null });
  expect((await signInAs(attacker, email)).url.searchParams.has('code')).toBe(false);
});

test('a confirmation link confirms nothing after its upstream identity expired', async () => {
  const email = 'comes.late@example.org';
  const attacker = await signUpAsAttacker(email);
  const owner = openBrowser(server);
  const { link } = await enterAddress(owner, email, 'comes-late');
  const page = await owner.get(link);
  await server.services.database.global(({ db }) =>
    db
      .updateTable('oidc_payload')
      .set({ expires_at: sql<Date>`now()` })
      .where('model', '=', 'PendingIdentity')
      .execute(),
  );
  expect((await owner.submit(page)).status).toBe(410);
  expect(await accountOf(server, email)).toMatchObject({ email_verified_at: null });
  expect((await signInAs(attacker, email)).url.searchParams.has('code')).toBe(false);
});

test('confirming through an upstream identity removes the password of an earlier sign-up', async () => {
  const email = 'confirms.anew@example.org';
  const attacker = await signUpAsAttacker(email);
  const owner = openBrowser(server);
  const { link } = await enterAddress(owner, email, 'confirms-anew');
  expect((await owner.submit(await owner.get(link))).url.pathname).toBe('/');
  const account = await accountOf(server, email);
  expect(account).toMatchObject({ name: 'Owner', email_verified_at: expect.any(Date) });
  expect((await signInAs(attacker, email)).text).toContain('is wrong');
  expect((await accountLog(server, account?.id ?? '')).map((entry) => entry.action)).toContain('account.created');
});

test.each(['github', 'google-oauth2'])(
  'does not treat an address of %s with a Kelvin sign as the one with a k',
  async (connection) => {
    const email = `kim.${connection}@example.org`;
    const attacker = { login: `kelvin-${connection}`, name: 'Kelvin', email: email.replace('k', '\u212A') };
    const page = await signInWith(server, { browser: openBrowser(server), connection, user: attacker });
    expect(page.url.searchParams.get('screen')).toBe('address');
    expect(await accountOf(server, email)).toBeUndefined();
  },
);
