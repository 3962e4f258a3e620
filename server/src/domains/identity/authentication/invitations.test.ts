import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { authorize, openBrowser, redeem } from './testing/browser.ts';
import { invite, makePerson, password, setTestPassword, signedIn, tokensOf } from './testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const memberOf = (orgId: string, { id }: TestAccount) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db.selectFrom('member').select(['role_id', 'status']).where('account_id', '=', id).executeTakeFirst(),
  );

const setStatus = (orgId: string, { id }: TestAccount, status: string) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db.updateTable('member').set({ status }).where('account_id', '=', id).execute(),
  );

test('an existing session keeps an invitation; accepting it creates a member, with an audit entry', async () => {
  const { id } = await server.make.organization('Kestrel');
  const person = await makePerson(server);
  const invitation = await invite(server, id, { email: person.email, roleId: 'rol_reviewer' });
  const browser = await signedIn(server, person);

  const request = authorize(server, { invitation, organization: id, screen_hint: 'login' });
  const page = await browser.get(request.url);
  expect(page.text).toContain('Digest Reviewer');
  const tokens = await redeem(server, request, await browser.submit(page));
  expect(decodeJwt(tokens.access_token ?? '')).toMatchObject({
    sub: person.id,
    orgID: id,
    authorization: { roles: ['Digest Reviewer'], permissions: expect.arrayContaining(['approve:exceptions']) },
  });
  expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ org_id: id });
  expect(await memberOf(id, person)).toEqual({ role_id: 'rol_reviewer', status: 'accepted' });
  const [entry] = await server.services.database.withOrg(id, ({ db }) =>
    db.selectFrom('audit_event').selectAll().where('action', '=', 'member.joined').execute(),
  );
  expect(entry).toMatchObject({
    actor_id: person.id,
    subject_id: person.id,
    data: { after: { role: 'rol_reviewer' } },
  });

  // After acceptance, the link only signs in its own member.
  const again = await browser.get(authorize(server, { invitation, organization: id }).url);
  expect(again.text).toContain('expired or was already used');
  const other = await makePerson(server, 'Other Person');
  const otherBrowser = await signedIn(server, other);
  const refused = await otherBrowser.get(authorize(server, { invitation, organization: id }).url);
  const answer = await otherBrowser.submit(refused, { email: other.email, password });
  expect([answer.status, await memberOf(id, other)]).toEqual([400, undefined]);
});

test('creates one member when an invitation is accepted twice at once', async () => {
  const { id } = await server.make.organization();
  const person = await makePerson(server);
  const invitation = await invite(server, id, { email: person.email, roleId: 'rol_auditor' });
  const visits = await Promise.all(
    [1, 2].map(async () => {
      const browser = openBrowser(server);
      return { browser, page: await browser.get(authorize(server, { invitation, organization: id }).url) };
    }),
  );
  const answers = await Promise.all(
    visits.map(({ browser, page }) => browser.submit(page, { email: person.email, password })),
  );
  expect(answers.map((answer) => answer.url.searchParams.has('code'))).toEqual([true, true]);
  const entries = await server.services.database.withOrg(id, ({ db }) =>
    db.selectFrom('audit_event').select('id').where('action', '=', 'member.joined').execute(),
  );
  expect(entries).toHaveLength(1);
});

test.each([
  ['to a different address', 'someone.else@example.org', {}],
  ['out of date', undefined, { expires_at: new Date(Date.now() - 1000) }],
  ['revoked', undefined, { revoked_at: new Date() }],
])('rejects an invitation %s with a message', async (_what, email, changes) => {
  const { id } = await server.make.organization();
  const person = await makePerson(server);
  const invitation = await invite(server, id, { email: email ?? person.email, roleId: 'rol_auditor', changes });
  const browser = openBrowser(server);
  const page = await browser.get(authorize(server, { invitation, organization: id }).url);
  const answer = await browser.submit(page, { email: person.email, password });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('role="alert"');
  expect(await memberOf(id, person)).toBeUndefined();
});

test('rejects an unknown invitation', async () => {
  const browser = await signedIn(server, await makePerson(server));
  const page = await browser.get(authorize(server, { invitation: 'made up' }).url);
  expect(page.text).toContain('expired or was already used');
});

test('lists an invitation for the invited person, and its ticket works for no other account', async () => {
  const { id } = await server.make.organization('Ticketed');
  const [person, other] = [await makePerson(server), await makePerson(server, 'Other Person')];
  await invite(server, id, { email: person.email, roleId: 'rol_contributor' });
  expect(await server.as(person)(listOrganizations, {})).toEqual([]);
  const [listed] = await server.as(person)(listOrganizations, { query: { include_invitations: 'true' } });
  expect(listed).toMatchObject({ id, displayName: 'Ticketed', role: 'rol_contributor', owners: [] });
  const invitation = listed?.invitation?.ticket_id ?? '';

  const otherBrowser = await signedIn(server, other);
  const refused = await otherBrowser.get(authorize(server, { invitation, organization: id }).url);
  expect(refused.text).toContain('sent to a different address');
  const browser = await signedIn(server, person);
  const request = authorize(server, { invitation, organization: id });
  // The accept button in the list counts as acceptance, so no page asks again.
  const tokens = await redeem(server, request, await browser.get(request.url));
  expect(decodeJwt(tokens.access_token ?? '').orgID).toBe(id);
});

test('switching the organization switches the claims without leaking between organizations', async () => {
  const one = await server.make.organization('One');
  const two = await server.make.organization('Two');
  await setTestPassword(server, one.owner);
  await join(two.id, one.owner, 'rol_auditor');
  const browser = await signedIn(server, one.owner);
  const claimsIn = async (organization?: string) =>
    decodeJwt((await tokensOf(server, browser, organization === undefined ? {} : { organization })).access_token ?? '');
  expect(await claimsIn(one.id)).toMatchObject({ orgID: one.id, authorization: { roles: ['Account Owner'] } });
  expect(await claimsIn(two.id)).toMatchObject({ orgID: two.id, authorization: { roles: ['Auditor'] } });
  expect(await claimsIn()).not.toHaveProperty('orgID');
  expect(await claimsIn(one.id)).toMatchObject({ orgID: one.id });
});

test('an owner has the fourteen permissions of the specification in the token', async () => {
  const { id, owner } = await server.make.organization();
  await setTestPassword(server, owner);
  const { access_token: token = '' } = await tokensOf(server, await signedIn(server, owner), { organization: id });
  expect((decodeJwt(token).authorization as { permissions: string[] }).permissions).toEqual(
    expect.arrayContaining([
      ...['create:invitation', 'delete:policies', 'read:bitbucket-repos', 'read:commit-digest', 'read:events'],
      ...['read:github-repos', 'read:gitlab-repos', 'read:invitations', 'read:org', 'read:org-members'],
      ...['read:policies', 'read:policies-status', 'update:org', 'write:policies'],
    ]),
  );
});

test('returns access_denied for non-members, deactivated members and members of archived organizations', async () => {
  const { id } = await server.make.organization();
  const person = await makePerson(server);
  const browser = await signedIn(server, person);
  const denied = async () => {
    const back = await browser.get(authorize(server, { organization: id }).url);
    expect(back.url.pathname).toBe('/auth');
    const { error = null, error_description: why } = Object.fromEntries(back.url.searchParams);
    // The response contains the reason of the refusal.
    if (error !== null) expect(why).toBe('you are not a member of this organization');
    return error;
  };
  expect(await denied()).toBe('access_denied');
  await join(id, person, 'rol_contributor');
  expect(await denied()).toBeNull();
  await setStatus(id, person, 'deactivated');
  expect(await denied()).toBe('access_denied');
  await setStatus(id, person, 'active');
  await server.services.database.withOrg(id, ({ db }) =>
    db.updateTable('organization').set({ archived_at: new Date() }).execute(),
  );
  expect(await denied()).toBe('access_denied');
});

test('an archived organization admits its owners, with read permissions only', async () => {
  const { id } = await server.make.organization();
  const person = await makePerson(server);
  const browser = await signedIn(server, person);
  await join(id, person, 'rol_owner');
  await server.services.database.withOrg(id, ({ db }) =>
    db.updateTable('organization').set({ archived_at: new Date() }).execute(),
  );
  const { authorization } = decodeJwt((await tokensOf(server, browser, { organization: id })).access_token ?? '');
  const { roles, permissions } = authorization as { roles: string[]; permissions: string[] };
  expect(roles).toEqual(['Account Owner']);
  expect(permissions).toContain('read:org');
  expect(permissions.filter((permission) => !permission.startsWith('read:'))).toEqual([]);
});

test('issues no token to a member removed after the code was created', async () => {
  const { id } = await server.make.organization();
  const person = await makePerson(server);
  await join(id, person, 'rol_contributor');
  const browser = await signedIn(server, person);
  const request = authorize(server, { organization: id });
  const back = await browser.get(request.url);
  await setStatus(id, person, 'deactivated');
  expect(await redeem(server, request, back)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

const join = (orgId: string, { id }: TestAccount, roleId: RoleId) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db.insertInto('member').values({ org_id: orgId, account_id: id, role_id: roleId, status: 'active' }).execute(),
  );
