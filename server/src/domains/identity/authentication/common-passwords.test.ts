import { changePassword } from '@sightline/contract/identity/passwords.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser } from './testing/browser.ts';
import { firstLinkOf, makePerson, password, waitForMail } from './testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ jobs: true });
});
afterAll(() => server.close());

const reason = 'one of the most common passwords';

test.each(['unbelievable', '1QAZ2wsx3edc', 'leavemealone'])('rejects %s at sign-up', async (common) => {
  const browser = openBrowser(server);
  const form = await browser.get(authorize(server, { screen_hint: 'signup' }).url);
  const again = await browser.submit(form, { name: 'Nora', email: 'nora@example.org', password: common });
  expect([again.status, again.text.includes(reason)]).toEqual([400, true]);
});

test('rejects a common password at reset and at change', async () => {
  const person = await makePerson(server);
  const browser = openBrowser(server);
  const change = server.as(person)(changePassword, {
    body: { currentPassword: password, newPassword: 'unbelievable', endOtherSessions: false },
  });
  expect(await refusalOf(change)).toEqual({ status: 400, code: 'validation_failed' });
  await browser.submit(await browser.get('/oidc/forgot'), { email: person.email });
  const page = await browser.get(firstLinkOf(await waitForMail(server, person.email)));
  const again = await browser.submit(page, { password: 'unbelievable' });
  expect([again.status, again.text.includes(reason)]).toEqual([400, true]);
});
