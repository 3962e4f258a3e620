import {
  createOrganization,
  getOrganization,
  listOrganizations,
  maySetUpOrganization,
} from '@sightline/contract/organizations.ts';
import { roleIds } from '@sightline/contract/permissions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { refusal, startTestServer, type TestServer } from '#testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test.each([getOrganization, listOrganizations, createOrganization, maySetUpOrganization])(
  '$method $path needs a token',
  async ({ method, path }) => {
    expect((await fetch(`${server.url}/api${path}`, { method })).status).toBe(401);
  },
);

test('whoever creates an organization owns it at once, with an audit entry', async () => {
  const account = await server.make.account();
  const made = await server.as(account)(createOrganization, { body: { displayName: ' Kestrel Payments! ' } });
  expect(made).toMatchObject({
    displayName: 'Kestrel Payments!',
    role: 'rol_owner',
    owners: [account.id],
    ownerEmails: [account.email],
    invitation: null,
  });
  expect(await server.as(account, made.id)(getOrganization, {})).toEqual(made);
  expect(await server.as(account)(listOrganizations, {})).toEqual([made]);
  const entries = await server.services.database.withOrg(made.id, ({ db }) =>
    db.selectFrom('audit_event').select(['action', 'actor_id', 'data']).execute(),
  );
  expect(entries).toEqual([
    { action: 'organization.created', actor_id: account.id, data: { name: 'Kestrel Payments!' } },
  ]);
});

test('two organizations may have one name', async () => {
  const account = await server.make.account();
  const names = ['Same Name', 'Same Name', '!!!', '@@@'];
  for (const displayName of names) await server.as(account)(createOrganization, { body: { displayName } });
  expect((await server.as(account)(listOrganizations, {})).map((org) => org.displayName).sort()).toEqual(
    [...names].sort(),
  );
});

test.each(['', '   ', 'a/b', 'Ünder', 'x'.repeat(65), '<b>'])('%j is no name for one', async (displayName) => {
  const account = await server.make.account();
  const call = server.as(account)(createOrganization, { body: { displayName } });
  expect(await refusal(call)).toEqual({ status: 400, code: 'validation_failed' });
});

test('an unconfirmed address may not create one, nor may an account that owns twenty', async () => {
  const id = newId();
  const unconfirmed = { id, email: `${id}@example.org`, name: 'Una' };
  await server.services.database.global(({ db }) => db.insertInto('account').values(unconfirmed).execute());
  expect(await refusal(server.as(unconfirmed)(maySetUpOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });

  const busy = await server.make.account();
  for (let made = 0; made < 20; made += 1) {
    expect(await server.as(busy)(maySetUpOrganization, {})).toEqual({ allowed: true });
    await server.as(busy)(createOrganization, { body: { displayName: `Org ${made}` } });
  }
  expect(await refusal(server.as(busy)(maySetUpOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });
  const more = server.as(busy)(createOrganization, { body: { displayName: 'One more' } });
  expect(await refusal(more)).toEqual({ status: 403, code: 'forbidden' });
});

test('every role reads its own organization, a stranger and a deactivated member none', async () => {
  const { id, owner } = await server.make.organization('Acme');
  for (const roleId of roleIds) {
    const member = await server.make.member(id, roleId);
    const seen = await server.as(member, id)(getOrganization, {});
    expect(seen.role).toBe(roleId);
    expect(seen.owners).toContain(owner.id);
  }
  const stranger = await server.make.account();
  expect(await refusal(server.as(stranger, id)(getOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });
  expect(await server.as(stranger)(listOrganizations, { query: { include_invitations: 'true' } })).toEqual([]);

  const former = await server.make.member(id, 'rol_contributor');
  await server.services.database.withOrg(id, ({ db }) =>
    db.updateTable('member').set({ status: 'deactivated' }).where('account_id', '=', former.id).execute(),
  );
  expect(await server.as(former)(listOrganizations, {})).toEqual([]);
});

test('the list names the owners of each organization apart', async () => {
  const [one, two] = [await server.make.organization('One'), await server.make.organization('Two')];
  await server.services.database.withOrg(two.id, ({ db }) =>
    db
      .insertInto('member')
      .values({ org_id: two.id, account_id: one.owner.id, role_id: 'rol_auditor', status: 'active' })
      .execute(),
  );
  const listed = await server.as(one.owner)(listOrganizations, {});
  expect(listed.map(({ displayName, role, owners }) => ({ displayName, role, owners }))).toEqual([
    { displayName: 'One', role: 'rol_owner', owners: [one.owner.id] },
    { displayName: 'Two', role: 'rol_auditor', owners: [two.owner.id] },
  ]);
});
