import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { addAuthenticatorApp, openSession, totpCodeOf } from '../second-factors/testing/session.ts';
import { authorize, type Browser, openBrowser } from './testing/browser.ts';
import { makePerson, password, waitForMail } from './testing/people.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ jobs: true });
});
afterAll(() => server.close());

/** Creates an account that is older than an hour. */
async function makeOldPerson(): Promise<TestAccount> {
  const person = await makePerson(server);
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account')
      .set({ created_at: sql`now() - interval '2 hours'` })
      .where('id', '=', person.id)
      .execute(),
  );
  return person;
}

async function signIn(browser: Browser, { email }: TestAccount) {
  const page = await browser.get(authorize(server, { prompt: 'login' }).url);
  return browser.submit(page, { email, password });
}

/** The new-device emails after all queued jobs are done. */
async function newDeviceMails({ email }: TestAccount): Promise<string[]> {
  const waiting = () =>
    server.services.database.pool.query("select from pgboss.job where name = 'identity.mail' and state < 'completed'");
  await expect.poll(async () => (await waiting()).rowCount).toBe(0);
  const mails = await server.services.database.global(({ db }) =>
    db.selectFrom('mail').select(['subject', 'body_text']).where('recipient', '=', email).execute(),
  );
  return mails.filter(({ subject }) => subject.includes('new device')).map((mail) => mail.body_text);
}

test('notifies the owner of an account by email of a new browser, once', async () => {
  const person = await makeOldPerson();
  const browser = openBrowser(server, { 'user-agent': firefox });
  await signIn(browser, person);
  expect(await waitForMail(server, person.email)).toContain('Firefox 128 on Linux, from 127.0.0.1, on ');
  await signIn(browser, person);
  expect(await newDeviceMails(person)).toHaveLength(1);
  await signIn(openBrowser(server), person);
  expect(await newDeviceMails(person)).toHaveLength(2);
});

test('sends no email for the first device of a new account', async () => {
  const person = await makePerson(server);
  await signIn(openBrowser(server), person);
  expect(await newDeviceMails(person)).toEqual([]);
});

test('waits for the second factor', async () => {
  const person = await makeOldPerson();
  const { secret } = await addAuthenticatorApp(await openSession(server, person));
  const before = (await newDeviceMails(person)).length;
  const browser = openBrowser(server);
  const page = await signIn(browser, person);
  expect(page.text).toContain('Confirm it is you');
  expect(await newDeviceMails(person)).toHaveLength(before);
  await browser.submit(page, { code: totpCodeOf(secret, 1) });
  expect(await newDeviceMails(person)).toHaveLength(before + 1);
});
