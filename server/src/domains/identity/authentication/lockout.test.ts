import { requestPasswordLink } from '@sightline/contract/identity/passwords.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ATTEMPT_LIMITS, countAttempts } from '#core/attempts.ts';
import { startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { authorize, type Browser, openBrowser, type Visited } from './testing/browser.ts';
import { firstLinkOf, makePerson, password, waitForMail } from './testing/people.ts';

let server: TestServer;
let person: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ jobs: true, environment: { TRUST_PROXY: '1' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await makePerson(server);
  await server.services.database.global(({ db }) => db.deleteFrom('attempt').execute());
});

const browserAt = (address: string): Browser => openBrowser(server, { 'x-forwarded-for': address });
const [home, elsewhere] = ['203.0.113.1', '198.51.100.66'];

async function signIn(browser: Browser, given = password): Promise<Visited> {
  const page = await browser.get(authorize(server, { prompt: 'login' }).url);
  return browser.submit(page, { email: person.email, password: given });
}

const isSignedIn = ({ url }: Visited): boolean => url.searchParams.has('code');

/** Exceeds the free attempts. No wait between attempts ends meanwhile, even on a slow machine. */
async function guess(browser: Browser): Promise<number[]> {
  const statuses: number[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    statuses.push((await signIn(browser, 'a wrong guess')).status);
    await server.services.database.global(({ db }) =>
      db.updateTable('attempt').set({ last_at: sql<Date>`now() + interval '1 hour'` }).execute(),
    );
  }
  return statuses;
}

/** Makes as many attempts at the address as unknown browsers of all networks may make together. */
const exhaustAddress = () =>
  server.services.database.global(async (tx) => {
    for (let tries = 0; tries < ATTEMPT_LIMITS.signInByEmail.most; tries += 1) {
      await countAttempts(tx, [[ATTEMPT_LIMITS.signInByEmail, person.email]]);
    }
  });

const askForReset = async (browser: Browser): Promise<number> =>
  (await browser.submit(await browser.get('/oidc/forgot'), { email: person.email })).status;

test('password guessing locks out neither a known browser nor another network', async () => {
  const known = browserAt(home);
  expect(isSignedIn(await signIn(known))).toBe(true);
  expect(await guess(browserAt(elsewhere))).toEqual([400, 400, 400, 400, 400, 429, 429]);
  expect((await signIn(browserAt(elsewhere))).status).toBe(429);
  expect(isSignedIn(await signIn(known))).toBe(true);
  expect(isSignedIn(await signIn(browserAt(home)))).toBe(true);
});

test('limits unknown browsers of all networks together, and no known one', async () => {
  const known = browserAt(home);
  await signIn(known);
  await exhaustAddress();
  const refused = await signIn(browserAt('192.0.2.7'));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(isSignedIn(await signIn(known))).toBe(true);
});

test('slows down password guessing in a known browser too', async () => {
  const known = browserAt(home);
  await signIn(known);
  expect(await guess(known)).toEqual([400, 400, 400, 400, 400, 429, 429]);
});

test('recognizes a browser only for the account it signed in to, and only with its current password', async () => {
  const known = browserAt(home);
  await signIn(known);
  person = await makePerson(server);
  await exhaustAddress();
  expect((await signIn(known)).status).toBe(429);

  const browser = browserAt(home);
  person = await makePerson(server);
  await signIn(browser);
  const reset = browserAt(elsewhere);
  await askForReset(reset);
  const page = await reset.get(firstLinkOf(await waitForMail(server, person.email)));
  await reset.submit(page, { password: 'a brand new password' });
  await exhaustAddress();
  expect((await signIn(browser, 'a brand new password')).status).toBe(429);
  expect(isSignedIn(await signIn(reset, 'a brand new password'))).toBe(true);
});

test('a correct password takes its attempt back from unknown browsers', async () => {
  for (let tries = 0; tries < 3; tries += 1) expect(isSignedIn(await signIn(browserAt(home)))).toBe(true);
  await server.services.database.global(async (tx) => {
    for (let tries = 0; tries < ATTEMPT_LIMITS.signInByEmail.most; tries += 1) {
      expect(await countAttempts(tx, [[ATTEMPT_LIMITS.signInByEmail, person.email]])).toBe(0);
    }
  });
});

test('sign-ups do not exhaust the password resets of an address, and unknown browsers not those of its owner', async () => {
  const attacker = browserAt(elsewhere);
  const form = await attacker.get(authorize(server, { screen_hint: 'signup' }).url);
  await attacker.submit(form, { name: 'Stranger', email: person.email, password });
  expect(await askForReset(attacker)).toBe(200);
  expect(await askForReset(browserAt('192.0.2.9'))).toBe(429);
  const known = browserAt(home);
  await signIn(known);
  expect([await askForReset(known), await askForReset(known)]).toEqual([200, 429]);
  expect(await server.as(person)(requestPasswordLink, {})).toEqual({ sent: true });
});
