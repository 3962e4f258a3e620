import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';
import { authorize, openBrowser } from './testing/browser.ts';
import { makePerson, signedIn, tokensOf } from './testing/people.ts';

let server: TestServer;
let second: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  second = await startTestServer({ beside: server });
});
afterAll(async () => {
  await second?.app.close();
  await server?.close();
});

const kidOf = (token = '') => decodeProtectedHeader(token).kid;
const callAs = (to: TestServer, token: string | undefined) =>
  createClient({ baseUrl: `${to.url}/api`, token: () => token });

/** Makes a new key sign at once. */
const startKeys = () =>
  server.services.database.global(({ db }) =>
    db.updateTable('oidc_key').set({ signs_from: new Date() }).where('signs_from', '>', new Date()).execute(),
  );

test('a new key signs on every server, and earlier signatures remain valid', { tags: 'full' }, async () => {
  const person = await makePerson(server);
  const browser = await signedIn(server, person);
  const before = (await tokensOf(server, browser)).access_token;
  const form = await openBrowser(server).get(authorize(server).url);
  expect(form.status).toBe(200);
  await operatorCliOf(server).ask('keys', 'rotate-tokens');
  // The key does not sign until every server has loaded it.
  expect(kidOf((await tokensOf(server, browser)).access_token)).toBe(kidOf(before));
  await startKeys();
  let after: string | undefined;
  await expect
    .poll(
      async () => {
        after = (await tokensOf(server, browser)).access_token;
        return kidOf(after);
      },
      { timeout: 20_000, interval: 500 },
    )
    .not.toBe(kidOf(before));
  for (const to of [server, second])
    for (const token of [before, after])
      expect(await callAs(to, token)(getAccount, {})).toMatchObject({ email: person.email });
});

test('a revoked key invalidates everything that it signed', async () => {
  const browser = await signedIn(server, await makePerson(server));
  const { access_token: token } = await tokensOf(server, browser);
  await operatorCliOf(server).ask('keys', 'rotate-tokens', '--revoke');
  for (const to of [server, second])
    await expect
      .poll(() => refusalOf(callAs(to, token)(getAccount, {})), { timeout: 20_000, interval: 500 })
      .toEqual({ status: 401, code: 'unauthenticated' });
  expect((await browser.get(authorize(server, { prompt: 'none' }).url)).url.searchParams.get('error')).toBe(
    'login_required',
  );
  const again = await signedIn(second, await makePerson(server));
  expect((await tokensOf(second, again)).access_token).toBeDefined();
});
