import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser } from './testing/browser.ts';
import { firstLinkOf, password, setTestPassword, signedIn, tokensOf, waitForMail } from './testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ jobs: true });
});
afterAll(() => server.close());

/** The sign-in entries in the audit log of an organization, oldest first. */
const loginsOf = (orgId: string) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select(['action', 'actor_kind', 'actor_id', 'subject_id', 'data', 'address'])
      .where('org_id', '=', orgId)
      .where('action', 'like', 'login.%')
      .orderBy('at')
      .execute(),
  );

const actionsOf = async (orgId: string) => (await loginsOf(orgId)).map(({ action }) => action);

async function member(orgId: string, roleId: RoleId = 'rol_auditor'): Promise<TestAccount> {
  const person = await server.make.member(orgId, roleId);
  await setTestPassword(server, person);
  return person;
}

test('records entry to an organization once per browser session, also across token renewals', {
  tags: 'full',
}, async () => {
  const [one, two] = [await server.make.organization('One'), await server.make.organization('Two')];
  const person = await member(one.id);
  const browser = await signedIn(server, person);
  expect(await actionsOf(one.id)).toEqual([]);
  for (let renewal = 0; renewal < 3; renewal += 1) {
    expect((await tokensOf(server, browser, { organization: one.id })).status).toBe(200);
  }
  expect(await loginsOf(one.id)).toEqual([
    {
      action: 'login.succeeded',
      actor_kind: 'account',
      actor_id: person.id,
      subject_id: person.id,
      data: { connection: 'Username-Password-Authentication' },
      address: '127.0.0.1',
    },
  ]);
  await tokensOf(server, await signedIn(server, person), { organization: one.id });
  expect(await actionsOf(one.id)).toEqual(['login.succeeded', 'login.succeeded']);
  expect(await actionsOf(two.id)).toEqual([]);
});

test('records no sign-in for a refused page or without a token request', { tags: 'full' }, async () => {
  const org = await server.make.organization();
  const account = await server.make.account();
  await setTestPassword(server, account);
  const browser = await signedIn(server, account);
  const refused = await browser.get(authorize(server, { organization: org.id }).url);
  expect(refused.url.searchParams.get('error')).toBe('access_denied');
  const person = await member(org.id);
  const back = await (await signedIn(server, person)).get(authorize(server, { organization: org.id }).url);
  expect(back.url.searchParams.get('code')).toBeTruthy();
  expect(await actionsOf(org.id)).toEqual([]);
});

test('records a sign-out where the session had entered', async () => {
  const [one, two] = [await server.make.organization('One'), await server.make.organization('Two')];
  const person = await member(one.id);
  await server.services.database.withOrg(two.id, async (tx) => {
    const row = { org_id: two.id, account_id: person.id, role_id: 'rol_auditor', status: 'active' };
    await tx.db.insertInto('member').values(row).execute();
    const names = [{ kind: 'account', value: person.id } as const];
    await server.services.people.resolve(tx, two.id, [{ names, display: null, picture: null, source: 'sightline' }]);
  });
  const browser = await signedIn(server, person);
  const { id_token = '' } = await tokensOf(server, browser, { organization: one.id });
  const logoutPage = await browser.get(`/oidc/session/end?${new URLSearchParams({ id_token_hint: id_token })}`);
  await browser.submit(logoutPage, { logout: 'yes' });
  await vi.waitFor(async () => expect(await actionsOf(one.id)).toEqual(['login.succeeded', 'login.ended']), 20_000);
  expect(await actionsOf(two.id)).toEqual([]);
});

test('signs out while the demo organization of the account is deleted', async () => {
  const demo = await server.make.organization('Harborline', { isDemo: true });
  const person = await member(demo.id);
  const browser = await signedIn(server, person);
  const { id_token = '' } = await tokensOf(server, browser, { organization: demo.id });
  const { database } = server.services;
  await database.withOrg(demo.id, ({ db }) =>
    db.updateTable('organization').set({ archived_at: new Date() }).where('id', '=', demo.id).execute(),
  );
  await database.withOrg(demo.id, async (tx) => {
    await tx.query({ name: '', text: 'select delete_demo_organization()', values: [] });
    const page = await browser.get(`/oidc/session/end?${new URLSearchParams({ id_token_hint: id_token })}`);
    expect(await browser.submit(page, { logout: 'yes' })).toMatchObject({ status: 200 });
  });
});

test('records a failed sign-in in every organization of the account, without a known actor', {
  tags: 'full',
}, async () => {
  const org = await server.make.organization();
  const person = await member(org.id);
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server).url);
  await browser.submit(page, { email: 'nobody@example.org', password: 'not the password' });
  await browser.submit(page, { email: person.email, password: 'not the password' });
  await vi.waitFor(async () => expect(await actionsOf(org.id)).toEqual(['login.failed']), { timeout: 15_000 });
  expect(await loginsOf(org.id)).toMatchObject([
    { actor_kind: 'system', actor_id: 'stranger', subject_id: person.id, address: '127.0.0.1' },
  ]);
});

test('records a password reset by email', { tags: 'full' }, async () => {
  const org = await server.make.organization();
  const person = await member(org.id);
  const browser = openBrowser(server);
  await browser.submit(await browser.get('/oidc/forgot'), { email: person.email });
  const page = await browser.get(firstLinkOf(await waitForMail(server, person.email)));
  await browser.submit(page, { password: `${password} anew` });
  expect(await actionsOf(org.id)).toEqual(['login.password_reset']);
});
