import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { endOtherSessions, endSession, listSessions } from '@sightline/contract/identity/sessions.ts';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { authorize } from '../authentication/testing/browser.ts';
import { makePerson, setTestPassword, tokensOf } from '../authentication/testing/people.ts';
import { openSession } from '../second-factors/testing/session.ts';
import { deviceOf } from './device.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refused = { status: 401, code: 'unauthenticated' };

test('lists the sessions of an account, the current one first and marked', async () => {
  const person = await makePerson(server);
  const [here, there] = [await openSession(server, person), await openSession(server, person)];
  await openSession(server, await makePerson(server));
  const list = await here.call(listSessions, {});
  expect(list.map(({ current }) => current)).toEqual([true, false]);
  expect(list[0]).toMatchObject({ address: '127.0.0.1', device: 'other' });
  expect((await there.call(listSessions, {})).map(({ id }) => id)).toEqual(list.map(({ id }) => id).toReversed());
});

test('ends one session with its token, renewal and sockets at once, and no other session', async () => {
  const { id: orgId, owner } = await server.make.organization();
  await setTestPassword(server, owner);
  const [here, there] = [await openSession(server, owner, orgId), await openSession(server, owner, orgId)];
  const otherSession = await openSession(server, await makePerson(server));
  const socket = io(`${server.url}/auth0mgm`, {
    path: '/api/v2/ws',
    transports: ['websocket'],
    reconnection: false,
    auth: { token: there.token },
  });
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
  const cut = new Promise((resolve) => socket.once('disconnect', resolve));
  const other = (await here.call(listSessions, {})).find(({ current }) => !current);
  const sessionId = other?.id ?? '';

  expect(await refusalOf(otherSession.call(endSession, { params: { sessionId } }))).toEqual({
    status: 404,
    code: 'not_found',
  });
  expect(await refusalOf(here.call(endSession, { params: { sessionId: newId() } }))).toMatchObject({ status: 404 });
  expect(await there.call(getAccount, {})).toBeTruthy();
  const left = await here.call(endSession, { params: { sessionId } });
  expect(left.map(({ current }) => current)).toEqual([true]);
  await cut;
  expect(await refusalOf(there.call(getAccount, {}))).toEqual(refused);
  const silent = await there.browser.get(authorize(server, { prompt: 'none' }).url);
  expect(silent.url.searchParams.get('error')).toBe('login_required');
  expect(await here.call(getAccount, {})).toBeTruthy();
  expect((await tokensOf(server, here.browser)).status).toBe(200);
  expect(await refusalOf(here.call(endSession, { params: { sessionId } }))).toMatchObject({ status: 404 });
  const entries = await server.services.database.withOrg(orgId, ({ db }) =>
    db.selectFrom('audit_event').select(['data']).where('action', '=', 'login.session_ended').execute(),
  );
  expect(entries).toEqual([{ data: { sessions: 1 } }]);
});

test('ends all other sessions at once, also on other nodes through the database', async () => {
  const person = await makePerson(server);
  const here = await openSession(server, person);
  const others = [await openSession(server, person), await openSession(server, person)];
  const elsewhere = await import('#core/ended-sessions.ts').then(({ createEndedSessions }) =>
    createEndedSessions(server.services.database),
  );
  const ids = (await here.call(listSessions, {})).filter(({ current }) => !current).map(({ id }) => id);
  expect(await here.call(endOtherSessions, {})).toHaveLength(1);
  for (const { call } of others) expect(await refusalOf(call(getAccount, {}))).toEqual(refused);
  expect(await Promise.all(ids.map((id) => elsewhere.has(id)))).toEqual([true, true]);
  expect(await here.call(getAccount, {})).toBeTruthy();
});

test('rejects a session immediately after sign-out', async () => {
  const person = await makePerson(server);
  const { browser, token, call } = await openSession(server, person);
  const tokens = await tokensOf(server, browser);
  const page = await browser.get(`/oidc/session/end?id_token_hint=${tokens.id_token}`);
  await browser.submit(page, { logout: 'yes' });
  expect(token).toBeTruthy();
  expect(await refusalOf(call(getAccount, {}))).toEqual(refused);
});

test('parses a user agent into browser, system and device', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
  expect(deviceOf(firefox)).toEqual({ browser: 'Firefox 128', system: 'Linux', device: 'desktop' });
  expect(deviceOf(safari)).toEqual({ browser: 'Safari 17', system: 'iOS 17.5', device: 'phone' });
  expect(deviceOf(chrome)).toEqual({ browser: 'Chrome 131', system: 'Windows', device: 'desktop' });
  expect(deviceOf('')).toEqual({ browser: '', system: '', device: 'other' });
});
