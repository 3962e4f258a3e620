import { removeTotp } from '@sightline/contract/identity/second-factors.ts';
import { getReauthentication } from '@sightline/contract/identity/sessions.ts';
import { updateOrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { addAuthenticatorApp, openSession, sessionOf, totpCodeOf } from '../second-factors/testing/session.ts';
import { authorize, type Browser, openBrowser, redeem, type Visited } from './testing/browser.ts';
import { makePerson, password, setTestPassword, tokensOf } from './testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Returns the page after the password. */
async function pastPassword(
  email: string,
  extra: Record<string, string> = {},
): Promise<{ browser: Browser; page: Visited }> {
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server, extra).url);
  return { browser, page: await browser.submit(page, { email, password }) };
}
const hasCode = ({ url }: Visited) => url.searchParams.has('code');

test('requests the code after the password, without script, and accepts no code twice', async () => {
  const person = await makePerson(server);
  const { secret, used } = await addAuthenticatorApp(await openSession(server, person));
  const { browser, page } = await pastPassword(person.email);
  expect(page.text).toContain('Confirm it is you');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(hasCode(page)).toBe(false);
  // The code of the setup is used, and older codes are invalid too.
  const replayed = await browser.submit(page, { code: used });
  expect([replayed.status, replayed.text.includes('code is wrong')]).toEqual([400, true]);
  const home = await browser.submit(replayed, { code: totpCodeOf(secret, 1) });
  expect(hasCode(home)).toBe(true);
  // The session passed the second factor, so no page is shown.
  expect((await tokensOf(server, browser)).status).toBe(200);
});

test('issues no token for the password alone, silently or otherwise', async () => {
  const person = await makePerson(server);
  await addAuthenticatorApp(await openSession(server, person));
  const { browser, page } = await pastPassword(person.email);
  expect(page.text).toContain('Confirm it is you');
  const silent = await browser.get(authorize(server, { prompt: 'none' }).url);
  expect(silent.url.searchParams.get('error')).toBe('interaction_required');
  expect((await browser.get(authorize(server).url)).text).toContain('Confirm it is you');
  // Neither direct navigation nor a form without its secret bypasses the factor.
  const path = page.url.pathname;
  expect((await browser.submit({ ...page, text: `<form action="${path}/done">` }, {})).status).toBe(400);
  expect(hasCode(await browser.submit(page, { code: '' }))).toBe(false);
});

test('does not count a sign-in by password alone as a recent one, where a second factor is set up', async () => {
  const person = await makePerson(server);
  const session = await openSession(server, person);
  await addAuthenticatorApp(session);
  await server.services.database.global(({ db }) =>
    db
      .updateTable('account_session')
      .set({ authenticated_at: new Date(Date.now() - 3_600_000) })
      .where('account_id', '=', person.id)
      .execute(),
  );
  const page = await session.browser.get(authorize(server, { prompt: 'login' }).url);
  const back = await session.browser.submit(page, { email: person.email, password });
  expect(hasCode(back)).toBe(true);
  expect(await session.call(getReauthentication, {})).toEqual({ needed: true, proofs: ['code'] });
  expect(await refusalOf(session.call(removeTotp, {}))).toEqual({ status: 403, code: 'reauthentication_required' });
});

test('accepts a recovery code once', async () => {
  const person = await makePerson(server);
  const { recoveryCodes } = await addAuthenticatorApp(await openSession(server, person));
  const [code = ''] = recoveryCodes;
  const first = await pastPassword(person.email);
  const form = await first.browser.get(`${first.page.url.pathname}?way=recovery`);
  expect(form.text).toContain('Recovery code');
  expect(hasCode(await first.browser.submit(form, { code }))).toBe(true);
  const second = await pastPassword(person.email);
  const again = await second.browser.submit(second.page, { code });
  expect(again.text).toContain('recovery code is wrong');
});

test('requires the second factor in another session once it is set up', async () => {
  const person = await makePerson(server);
  const [here, there] = [await openSession(server, person), await openSession(server, person)];
  await addAuthenticatorApp(here);
  expect((await tokensOf(server, here.browser)).status).toBe(200);
  expect((await there.browser.get(authorize(server).url)).text).toContain('Confirm it is you');
});

test('an organization that requires a second factor leads through its setup and then signs in', async () => {
  const { id, owner } = await server.make.organization('Kestrel');
  await setTestPassword(server, owner);
  const session = await openSession(server, owner, id);
  await addAuthenticatorApp(session);
  await session.call(updateOrganizationSecurity, { body: { requireSecondFactor: true } });
  const member = await server.make.member(id, 'rol_contributor');
  await setTestPassword(server, member);

  const { browser, page } = await pastPassword(member.email, { organization: id });
  expect(page.text).toContain('Set up a second factor');
  expect(page.text).toContain('<b>Kestrel</b>');
  const secret = /class="key">([^<]*)</.exec(page.text)?.[1]?.replaceAll(' ', '') ?? '';
  const wrong = await browser.submit(page, { code: '000000' });
  expect(wrong.text).toContain('code is wrong or expired');
  expect(wrong.text).toContain(/class="key">([^<]*)</.exec(page.text)?.[0]);
  const codes = await browser.submit(wrong, { code: totpCodeOf(secret) });
  expect(codes.text.match(/<li>/g)).toHaveLength(10);
  expect(hasCode(await browser.submit(codes))).toBe(true);
  expect(await sessionOf(server, browser, id)).toBeTruthy();
});

test('requires a second factor in that organization only, and rejects its refresh without one', async () => {
  const { id, owner } = await server.make.organization();
  await setTestPassword(server, owner);
  const member = await server.make.member(id, 'rol_reviewer');
  await setTestPassword(server, member);
  const before = await openSession(server, member, id);
  const underWay = authorize(server, { organization: id });
  const back = await before.browser.get(underWay.url);
  const session = await openSession(server, owner, id);
  await addAuthenticatorApp(session);
  await session.call(updateOrganizationSecurity, { body: { requireSecondFactor: true } });
  expect((await tokensOf(server, before.browser)).status).toBe(200);
  const silent = await before.browser.get(authorize(server, { organization: id, prompt: 'none' }).url);
  expect(silent.url.searchParams.get('error')).toBe('interaction_required');
  // The code that was issued before yields no token either.
  expect(back.url.searchParams.get('code')).toBeTruthy();
  expect(await redeem(server, underWay, back)).toMatchObject({ error: 'invalid_grant' });
});
