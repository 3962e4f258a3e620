import { roleIds } from '@sightline/contract/core/permissions.ts';
import {
  checkMayCreateOrganization,
  createOrganization,
  declineInvitation,
  getOrganization,
  leaveOrganization,
  listOrganizations,
  updateOrganization,
} from '@sightline/contract/organization/organizations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { refusalOf, shareTestServer, type TestServer } from '#testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

test.each([getOrganization, listOrganizations, createOrganization, checkMayCreateOrganization])(
  '$method $path requires a token',
  async ({ method, path }) => {
    expect((await fetch(`${server.url}/api${path}`, { method })).status).toBe(401);
  },
);

test('makes the creator of an organization its owner at once and writes an audit entry', async () => {
  const account = await server.make.account();
  const made = await server.as(account)(createOrganization, { body: { displayName: ' Kestrel Payments! ' } });
  expect(made).toMatchObject({
    id: expect.stringMatching(/^.+$/) as string,
    name: 'Kestrel Payments!',
    displayName: 'Kestrel Payments!',
    description: '',
    logoUrl: null,
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
    { action: 'organization.created', actor_id: account.id, data: { after: { displayName: 'Kestrel Payments!' } } },
  ]);
});

test('allows two organizations with the same name', async () => {
  const account = await server.make.account();
  const names = ['Same Name', 'Same Name', '!!!', '@@@'];
  for (const displayName of names) await server.as(account)(createOrganization, { body: { displayName } });
  expect((await server.as(account)(listOrganizations, {})).map((org) => org.displayName).sort()).toEqual(
    [...names].sort(),
  );
});

test.each(['', '   ', 'a/b', 'Ünder', 'x'.repeat(65), '<b>'])(
  'rejects %j as an organization name',
  async (displayName) => {
    const account = await server.make.account();
    const call = server.as(account)(createOrganization, { body: { displayName } });
    expect(await refusalOf(call)).toEqual({ status: 400, code: 'validation_failed' });
  },
);

test('refuses creation by an account with an unconfirmed address or with twenty organizations', async () => {
  const id = newId();
  const unconfirmed = { id, email: `${id}@example.org`, name: 'Una' };
  await server.services.database.global(({ db }) => db.insertInto('account').values(unconfirmed).execute());
  expect(await refusalOf(server.as(unconfirmed)(checkMayCreateOrganization, {}))).toEqual({
    status: 403,
    code: 'forbidden',
  });

  const busy = await server.make.account();
  for (let made = 0; made < 20; made += 1) {
    expect(await server.as(busy)(checkMayCreateOrganization, {})).toEqual({ allowed: true });
    await server.as(busy)(createOrganization, { body: { displayName: `Org ${made}` } });
  }
  expect(await refusalOf(server.as(busy)(checkMayCreateOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });
  const more = server.as(busy)(createOrganization, { body: { displayName: 'One more' } });
  expect(await refusalOf(more)).toEqual({ status: 403, code: 'forbidden' });
});

test('allows each role to read its own organization and denies outsiders and deactivated members', async () => {
  const { id, owner } = await server.make.organization('Acme');
  for (const roleId of roleIds) {
    const member = await server.make.member(id, roleId);
    const seen = await server.as(member, id)(getOrganization, {});
    expect(seen.role).toBe(roleId);
    expect(seen.owners).toContain(owner.id);
  }
  const outsider = await server.make.account();
  expect(await refusalOf(server.as(outsider, id)(getOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });
  expect(await server.as(outsider)(listOrganizations, { query: { include_invitations: 'true' } })).toEqual([]);

  const former = await server.make.member(id, 'rol_contributor');
  await server.services.database.withOrg(id, ({ db }) =>
    db.updateTable('member').set({ status: 'deactivated' }).where('account_id', '=', former.id).execute(),
  );
  expect(await server.as(former)(listOrganizations, {})).toEqual([]);
});

test('lists the owners of each organization separately', async () => {
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

const auditTrail = (orgId: string) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select(['action', 'actor_id', 'data'])
      .where('org_id', '=', orgId)
      .orderBy('at')
      .execute(),
  );

test('lets an owner change name and description and audits the values before and after', async () => {
  const { id, owner } = await server.make.organization('Acme');
  const call = server.as(owner, id);
  const read = await call(getOrganization, {});
  // The complete response can be sent back: only the two fields change.
  const body = {
    ...read,
    displayName: ' Acme Payments ',
    description: 'Cards\nand more',
    role: 'rol_auditor' as const,
  };
  const changed = await call(updateOrganization, { body });
  expect(changed).toEqual({
    ...read,
    name: 'Acme Payments',
    displayName: 'Acme Payments',
    description: 'Cards\nand more',
  });
  await call(updateOrganization, { body });
  expect(await auditTrail(id)).toEqual([
    {
      action: 'organization.updated',
      actor_id: owner.id,
      data: {
        before: { displayName: 'Acme', description: '' },
        after: { displayName: 'Acme Payments', description: 'Cards\nand more' },
      },
    },
  ]);
});

test('denies changes by other roles and by owners of another organization', async () => {
  const { id } = await server.make.organization('Acme');
  const outsider = await server.make.organization('Theirs');
  const body = { displayName: 'Mine', description: '' };
  for (const roleId of ['rol_contributor', 'rol_reviewer', 'rol_auditor'] as const) {
    const member = await server.make.member(id, roleId);
    const call = server.as(member, id)(updateOrganization, { body });
    expect(await refusalOf(call)).toEqual({ status: 403, code: 'forbidden' });
  }
  const named = server.as(outsider.owner, outsider.id)(updateOrganization, { body: { ...body, id } });
  expect(await refusalOf(named)).toEqual({ status: 404, code: 'not_found' });
  for (const wrong of [
    { displayName: 'a/b', description: '' },
    { displayName: ' ', description: '' },
    { displayName: 'Fine', description: 'x'.repeat(501) },
  ]) {
    const call = server.as(outsider.owner, outsider.id)(updateOrganization, { body: wrong });
    expect(await refusalOf(call)).toEqual({ status: 400, code: 'validation_failed' });
  }
});

test('ends membership when a member leaves and refuses to let the only owner leave', async () => {
  const { id, owner } = await server.make.organization();
  const contributor = await server.make.member(id, 'rol_contributor');
  expect(await server.as(contributor, id)(leaveOrganization, {})).toEqual({ left: true });
  expect(await refusalOf(server.as(contributor, id)(getOrganization, {}))).toEqual({ status: 403, code: 'forbidden' });
  expect(await server.as(contributor)(listOrganizations, {})).toEqual([]);
  expect(await auditTrail(id)).toEqual([
    { action: 'member.left', actor_id: contributor.id, data: { before: { role: 'rol_contributor' } } },
  ]);
  expect(await refusalOf(server.as(owner, id)(leaveOrganization, {}))).toEqual({ status: 409, code: 'sole_owner' });
  expect(await server.as(owner, id)(getOrganization, {})).toMatchObject({ owners: [owner.id] });
});

test('does not count deactivated or never activated owners when an owner leaves', async () => {
  const { id, owner } = await server.make.organization();
  const [deactivated, accepted] = [
    await server.make.member(id, 'rol_owner'),
    await server.make.member(id, 'rol_owner'),
  ];
  const set = (account: { id: string }, status: string) =>
    server.services.database.withOrg(id, ({ db }) =>
      db.updateTable('member').set({ status }).where('org_id', '=', id).where('account_id', '=', account.id).execute(),
    );
  await set(deactivated, 'deactivated');
  await set(accepted, 'accepted');
  expect(await refusalOf(server.as(owner, id)(leaveOrganization, {}))).toEqual({ status: 409, code: 'sole_owner' });
});

test('keeps one owner when all owners leave concurrently', async () => {
  const { id, owner } = await server.make.organization();
  const owners = [owner];
  while (owners.length < 20) owners.push(await server.make.member(id, 'rol_owner'));
  const outcomes = await Promise.all(owners.map((each) => refusalOf(server.as(each, id)(leaveOrganization, {}))));
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(outcomes.filter(({ code }) => code === 'sole_owner')).toHaveLength(1);
});

test('lists inviter and expiry of an invitation, and lets only the invited account decline it', async () => {
  const { id, owner } = await server.make.organization('Acme');
  const [invited, outsider] = [await server.make.account('Ivy'), await server.make.account()];
  const invitationId = newId();
  const expiresAt = new Date(Date.now() + 86_400_000);
  await server.services.database.withOrg(id, ({ db }) =>
    db
      .insertInto('invitation')
      .values({
        org_id: id,
        id: invitationId,
        email: invited.email,
        role_id: 'rol_reviewer',
        token_hash: Buffer.from(invitationId),
        invited_by: owner.id,
        expires_at: expiresAt,
      })
      .execute(),
  );
  const pending = { query: { include_invitations: 'true' as const } };
  expect(await server.as(invited)(listOrganizations, pending)).toMatchObject([
    {
      displayName: 'Acme',
      role: 'rol_reviewer',
      owners: [],
      invitation: { invitation_id: invitationId, invitedBy: owner.name, expiresAt: expiresAt.toISOString() },
    },
  ]);
  const params = { orgId: id, invitationId };
  expect(await refusalOf(server.as(outsider)(declineInvitation, { params }))).toEqual({
    status: 404,
    code: 'not_found',
  });
  expect(await server.as(invited)(declineInvitation, { params })).toEqual({ declined: true });
  expect(await server.as(invited)(listOrganizations, pending)).toEqual([]);
  expect(await refusalOf(server.as(invited)(declineInvitation, { params }))).toEqual({
    status: 410,
    code: 'invitation_expired',
  });
});
