import {
  addPasskey,
  beginPasskey,
  getSecondFactors,
  removePasskey,
} from '@sightline/contract/identity/second-factors.ts';
import { beginPasskeyProof, getReauthentication, reauthenticate } from '@sightline/contract/identity/sessions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser } from '../authentication/testing/browser.ts';
import { makePerson, password, tokensOf } from '../authentication/testing/people.ts';
import { type Authenticator, createAuthenticator } from './testing/authenticator.ts';
import { openSession, type SignedIn } from './testing/session.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type ChallengeOptions = { challenge: string };
const bad = { status: 400, code: 'validation_failed' };

async function addKey({ call }: SignedIn, key: Authenticator): Promise<string> {
  const options = (await call(beginPasskey, {})) as ChallengeOptions;
  const body = { name: 'Blue key', passkey: key.create(options) };
  const { secondFactors } = await call(addPasskey, { body });
  return secondFactors.passkeys[0]?.id ?? '';
}

test('adds, uses and removes a passkey, and rejects replay, another origin and another account', async () => {
  const { PUBLIC_URL } = server.config;
  const session = await openSession(server, await makePerson(server));
  const other = await openSession(server, await makePerson(server));
  const key = createAuthenticator(PUBLIC_URL, { checksPerson: false });
  const options = (await session.call(beginPasskey, {})) as ChallengeOptions;
  const add = ({ call }: SignedIn, passkey: Record<string, unknown>) =>
    call(addPasskey, { body: { name: 'Blue key', passkey } });

  expect(await refusalOf(add(other, key.create(options)))).toEqual(bad);
  expect(await refusalOf(add(session, key.create({ challenge: 'aW52ZW50ZWQ' })))).toEqual(bad);
  const elsewhere = createAuthenticator('https://evil.example');
  expect(await refusalOf(add(session, elsewhere.create(options)))).toEqual(bad);
  expect(await refusalOf(add(session, {}))).toEqual(bad);
  const { secondFactors, recoveryCodes } = await add(session, key.create(options));
  expect(secondFactors.passkeys).toMatchObject([{ name: 'Blue key', lastUsedAt: null, synced: false }]);
  expect(recoveryCodes).toHaveLength(10);
  expect(await refusalOf(add(session, key.create(options)))).toEqual(bad);
  const again = (await session.call(beginPasskey, {})) as ChallengeOptions;
  expect(await refusalOf(add(session, key.create(again)))).toMatchObject({ code: 'conflict' });

  expect(await session.call(getReauthentication, {})).toMatchObject({ proofs: ['passkey', 'code'] });
  const requestOptions = (await session.call(beginPasskeyProof, {})) as ChallengeOptions;
  const right = key.get(requestOptions);
  // A challenge for creating a passkey is invalid for using one, and vice versa.
  const mixed = (await session.call(beginPasskey, {})) as ChallengeOptions;
  expect(await refusalOf(session.call(reauthenticate, { body: { passkey: key.get(mixed) } }))).toEqual(bad);
  expect(await session.call(reauthenticate, { body: { passkey: right } })).toMatchObject({ needed: false });
  expect(await refusalOf(session.call(reauthenticate, { body: { passkey: right } }))).toEqual(bad);
  expect((await session.call(getSecondFactors, {})).passkeys[0]?.lastUsedAt).toBeTruthy();

  const [passkey] = secondFactors.passkeys;
  const params = { passkeyId: passkey?.id ?? '' };
  expect(await refusalOf(other.call(removePasskey, { params }))).toMatchObject({ status: 404 });
  expect(await session.call(removePasskey, { params })).toMatchObject({ passkeys: [], recoveryCodesLeft: null });
});

test('requests the passkey after the password at sign-in', async () => {
  const person = await makePerson(server);
  const key = createAuthenticator(server.config.PUBLIC_URL, { checksPerson: false });
  await addKey(await openSession(server, person), key);
  const browser = openBrowser(server);
  const page = await browser.submit(await browser.get(authorize(server).url), { email: person.email, password });
  expect(page.text).toContain('Use a passkey');
  const given = /data-options="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const wrong = await browser.submit(page, { passkey: '{"id":"nobody"}' });
  expect([wrong.status, wrong.text.includes('was not accepted')]).toEqual([400, true]);
  const done = await browser.submit(page, { passkey: JSON.stringify(key.get(JSON.parse(given) as ChallengeOptions)) });
  expect(done.url.searchParams.has('code')).toBe(true);
});

test('signs in with a user-verifying passkey alone, once per page, but not a security key', async () => {
  const { PUBLIC_URL } = server.config;
  const person = await makePerson(server);
  const session = await openSession(server, person);
  const key = createAuthenticator(PUBLIC_URL, { userHandle: person.id });
  await addKey(session, key);
  const bare = createAuthenticator(PUBLIC_URL, { checksPerson: false });
  await addKey(session, bare);

  const browser = openBrowser(server);
  const page = await browser.get(authorize(server).url);
  expect(page.text).toContain('Sign in with a passkey');
  const given = /data-options="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const options = JSON.parse(given) as ChallengeOptions & { allowCredentials?: unknown };
  expect(options.allowCredentials).toBeUndefined();
  const post = (passkey: unknown) =>
    browser.submit(
      { ...page, text: page.text.slice(page.text.indexOf('data-passkey') - 200) },
      { passkey: JSON.stringify(passkey) },
    );
  expect((await post(bare.get(options))).text).toContain('was not accepted');
  expect((await post(key.get({ challenge: 'aW52ZW50ZWQ' }))).status).toBe(400);
  const answer = key.get(options);
  // The attempt with the security key consumed the challenge of this page.
  expect((await post(answer)).status).toBe(400);
  const again = await browser.get(authorize(server).url);
  const fresh = /data-options="([^"]*)"/.exec(again.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const done = await browser.submit(
    { ...again, text: again.text.slice(again.text.indexOf('data-passkey') - 200) },
    { passkey: JSON.stringify(key.get(JSON.parse(fresh) as ChallengeOptions)) },
  );
  expect(done.url.searchParams.has('code')).toBe(true);
  expect((await tokensOf(server, browser)).status).toBe(200);
});
