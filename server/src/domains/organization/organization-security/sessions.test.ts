import { createClient } from '@sightline/contract/core/client.ts';
import { countNotifications } from '@sightline/contract/delivery/notifications.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import {
  getOrganizationSecurity,
  updateOrganizationSecurity,
} from '@sightline/contract/organization/organization-security.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { connectionOutcomeOf, createSockets } from '../../../architecture/sockets.ts';
import { authorize, openBrowser } from '../../identity/authentication/testing/browser.ts';
import { password, setTestPassword, signedIn, tokensOf } from '../../identity/authentication/testing/people.ts';

let server: TestServer;
const sockets = createSockets();
beforeAll(async () => {
  server = await startTestServer({ environment: { TRUST_PROXY: '1' } });
});
afterAll(async () => {
  sockets.closeAll();
  await server?.close();
});

/** An owner whose browser is signed in to their organization. */
async function scene() {
  const org = await server.make.organization();
  await setTestPassword(server, org.owner);
  const browser = await signedIn(server, org.owner);
  const { access_token: token = '' } = await tokensOf(server, browser, { organization: org.id });
  const from = (address: string) =>
    createClient({
      baseUrl: `${server.url}/api`,
      token: () => token,
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, 'x-forwarded-for': address } }),
    });
  return { org, browser, token, from, call: from('203.0.113.7') };
}

/** Ages a session in our table and at the identity provider. */
async function setTimes(token: string, times: { signed_in_at?: Date; active_at?: Date }): Promise<void> {
  const { sid, sub } = decodeJwt(token);
  await server.services.database.global(async ({ db }) => {
    await db.updateTable('account_session').set(times).where('id', '=', String(sid)).execute();
    const loginTs = times.signed_in_at && Math.floor(times.signed_in_at.getTime() / 1000);
    if (loginTs === undefined) return;
    await db
      .updateTable('oidc_payload')
      .set({ payload: sql`jsonb_set(payload, '{loginTs}', to_jsonb(${loginTs}::bigint))` })
      .where('model', '=', 'Session')
      .where(sql`payload ->> 'accountId'`, '=', sub)
      .execute();
  });
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const unauthenticated = { status: 401, code: 'unauthenticated' };

test('requires a new sign-in for a session older than the organization allows, then continues it', async () => {
  const { org, browser, token, call } = await scene();
  await call(updateOrganizationSecurity, { body: { sessionHours: 8 } });
  expect(await call(getOrganizationSecurity, {})).toMatchObject({ sessionHours: 8, idleMinutes: null });
  await setTimes(token, { signed_in_at: minutesAgo(8 * 60 - 1) });
  expect(await call(getOrganization, {})).toMatchObject({ id: org.id });

  const other = await scene();
  await other.call(updateOrganizationSecurity, { body: { sessionHours: 8 } });
  await setTimes(other.token, { signed_in_at: minutesAgo(8 * 60 + 1) });
  // The session is cached for five seconds.
  await expect.poll(() => refusalOf(other.call(getOrganization, {})), { timeout: 8_000 }).toEqual(unauthenticated);
  const socket = sockets.connect(server.url, '/user', other.token);
  expect(await connectionOutcomeOf(socket)).toMatchObject({ data: { code: 401 } });
  const silently = await other.browser.get(authorize(server, { organization: other.org.id, prompt: 'none' }).url);
  expect(silently.url.searchParams.get('error')).toBe('login_required');
  const page = await other.browser.get(authorize(server, { organization: other.org.id }).url);
  expect(page.text).toContain('Sign in');
  const back = await other.browser.submit(page, { email: other.org.owner.email, password });
  expect(back.url.searchParams.get('code')).toBeTruthy();
  const { access_token: renewed } = await tokensOf(server, other.browser, { organization: other.org.id });
  const again = createClient({ baseUrl: `${server.url}/api`, token: () => renewed });
  expect(await again(getOrganization, {})).toMatchObject({ id: other.org.id });
  // Another organization has no such limit.
  expect(
    (await browser.get(authorize(server, { organization: org.id }).url)).url.searchParams.get('code'),
  ).toBeTruthy();
});

test('ends an unused session; polling does not count as use', async () => {
  const { token, call } = await scene();
  await call(updateOrganizationSecurity, { body: { idleMinutes: 15 } });
  await setTimes(token, { active_at: minutesAgo(14) });
  await expect.poll(() => activeAt(token), { timeout: 8_000 }).toBeLessThan(minutesAgo(13).getTime());
  await call(countNotifications, {});
  expect(await activeAt(token)).toBeLessThan(minutesAgo(13).getTime());

  const used = await scene();
  await setTimes(used.token, { active_at: minutesAgo(14) });
  await used.call(updateOrganizationSecurity, { body: { idleMinutes: 15 } });
  await used.call(listMembers, { query: {} });
  expect(await activeAt(used.token)).toBeGreaterThan(minutesAgo(1).getTime());

  const idle = await scene();
  await idle.call(updateOrganizationSecurity, { body: { idleMinutes: 15 } });
  await setTimes(idle.token, { active_at: minutesAgo(16) });
  await expect.poll(() => refusalOf(idle.call(getOrganization, {})), { timeout: 8_000 }).toEqual(unauthenticated);
});

const activeAt = (token: string): Promise<number> =>
  server.services.database.global(async ({ db }) => {
    const { active_at: at } = await db
      .selectFrom('account_session')
      .select('active_at')
      .where('id', '=', String(decodeJwt(token).sid))
      .executeTakeFirstOrThrow();
    return at.getTime();
  });

test('accepts members only from the allowed networks of the organization', async () => {
  const { org, browser, token, call, from } = await scene();
  const withOwnNetwork = await call(updateOrganizationSecurity, {
    body: { allowedNetworks: ['203.0.113.77/24', '2001:db8::1', '203.0.113.0/24'] },
  });
  expect(withOwnNetwork).toMatchObject({
    allowedNetworks: ['203.0.113.0/24', '2001:db8::1/128'],
    yourAddress: '203.0.113.7',
  });
  expect(await call(getOrganization, {})).toMatchObject({ id: org.id });
  expect(await from('2001:db8::1')(getOrganization, {})).toMatchObject({ id: org.id });
  const forbidden = { status: 403, code: 'forbidden' };
  for (const address of ['203.0.114.1', '2001:db8::2', '127.0.0.1', '::ffff:198.51.100.1'])
    expect([address, await refusalOf(from(address)(getOrganization, {}))]).toEqual([address, forbidden]);
  expect(await connectionOutcomeOf(sockets.connect(server.url, '/user', token))).toMatchObject({ data: { code: 401 } });
  // This browser is outside of the allowed networks.
  const answer = await browser.get(authorize(server, { organization: org.id }).url);
  expect(answer.url.searchParams.get('error_description')).toContain('does not allow access from this network');
  expect((await openBrowser(server).get(authorize(server).url)).text).toContain('Sign in');
});

test('rejects invalid networks, and settings that would lock out the owner', async () => {
  const { call } = await scene();
  for (const network of ['here', '203.0.113.0/33', '999.1.1.1', '', '10.0.0.0/8; drop'])
    expect([
      network,
      await refusalOf(call(updateOrganizationSecurity, { body: { allowedNetworks: [network] } })),
    ]).toEqual([network, { status: 400, code: 'validation_failed' }]);
  const elsewhere = call(updateOrganizationSecurity, { body: { allowedNetworks: ['198.51.100.0/24'] } });
  expect(await refusalOf(elsewhere)).toEqual({ status: 409, code: 'conflict' });
  for (const body of [{ idleMinutes: 4 }, { sessionHours: 0 }, { sessionHours: 337 }])
    expect((await refusalOf(call(updateOrganizationSecurity, { body }))).status).toBe(400);
  expect(await call(getOrganizationSecurity, {})).toMatchObject({ allowedNetworks: [], idleMinutes: null });
});
