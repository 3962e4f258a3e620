import { realtimePath } from '@sightline/contract/delivery/realtime.ts';
import {
  archiveOrganization,
  getOrganization,
  leaveOrganization,
  listOrganizations,
  restoreOrganization,
  updateOrganization,
} from '@sightline/contract/organization/organizations.ts';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const day = 86_400_000;

const statuses = ({ id }: TestOrganization) =>
  server.services.database.withOrg(id, async ({ db }) => {
    const rows = await db.selectFrom('member').select(['account_id', 'status']).where('org_id', '=', id).execute();
    return new Map(rows.map((row) => [row.account_id, row.status]));
  });

const setStatus = ({ id }: TestOrganization, account: TestAccount, status: string) =>
  server.services.database.withOrg(id, ({ db }) =>
    db.updateTable('member').set({ status }).where('org_id', '=', id).where('account_id', '=', account.id).execute(),
  );

const archivedAt = ({ id }: TestOrganization, at: Date) =>
  server.services.database.withOrg(id, ({ db }) =>
    db.updateTable('organization').set({ archived_at: at }).where('id', '=', id).execute(),
  );

const auditTrail = ({ id }: TestOrganization) =>
  server.services.database.withOrg(id, ({ db }) =>
    db.selectFrom('audit_event').select(['action', 'data']).where('org_id', '=', id).orderBy('at').execute(),
  );

test('deactivates all members except owners on archiving and reactivates exactly those on restoring', async () => {
  const org = await server.make.organization('Kestrel');
  const [coOwner, contributor, reviewer, auditor, deactivated] = [
    await server.make.member(org.id, 'rol_owner'),
    await server.make.member(org.id, 'rol_contributor'),
    await server.make.member(org.id, 'rol_reviewer'),
    await server.make.member(org.id, 'rol_auditor'),
    await server.make.member(org.id, 'rol_contributor'),
  ];
  await setStatus(org, reviewer, 'accepted');
  await setStatus(org, deactivated, 'deactivated');
  const call = server.as(org.owner, org.id);

  const archived = await call(archiveOrganization, {});
  expect(Date.parse(archived.restorableUntil ?? '') - Date.parse(archived.archivedAt ?? '')).toBe(30 * day);
  expect(await statuses(org)).toEqual(
    new Map([
      [org.owner.id, 'active'],
      [coOwner.id, 'active'],
      [contributor.id, 'deactivated'],
      [reviewer.id, 'deactivated'],
      [auditor.id, 'deactivated'],
      [deactivated.id, 'deactivated'],
    ]),
  );
  expect(await refusalOf(server.as(contributor, org.id)(getOrganization, {}))).toMatchObject({ status: 403 });
  expect(await server.as(contributor)(listOrganizations, {})).toEqual([]);
  expect(await server.as(coOwner, org.id)(getOrganization, {})).toMatchObject({ archivedAt: archived.archivedAt });
  expect(await server.as(coOwner)(listOrganizations, {})).toMatchObject([{ id: org.id }]);

  const restored = await server.as(coOwner, org.id)(restoreOrganization, {});
  expect(restored).toMatchObject({ archivedAt: null, restorableUntil: null });
  expect(await statuses(org)).toEqual(
    new Map([
      [org.owner.id, 'active'],
      [coOwner.id, 'active'],
      [contributor.id, 'active'],
      [reviewer.id, 'accepted'],
      [auditor.id, 'active'],
      [deactivated.id, 'deactivated'],
    ]),
  );
  expect(await server.as(contributor, org.id)(getOrganization, {})).toMatchObject({ role: 'rol_contributor' });
  expect(await auditTrail(org)).toEqual([
    {
      action: 'organization.archived',
      data: { before: { archived: false }, after: { archived: true }, membersDeactivated: 3, restorableDays: 30 },
    },
    {
      action: 'organization.restored',
      data: { before: { archived: true }, after: { archived: false }, membersReactivated: 3 },
    },
  ]);
});

test('rejects changes to and archiving of an archived organization, and restoring of an active one', async () => {
  const org = await server.make.organization();
  const call = server.as(org.owner, org.id);
  expect(await refusalOf(call(restoreOrganization, {}))).toEqual({ status: 409, code: 'conflict' });
  await call(archiveOrganization, {});
  const change = { displayName: 'Other', description: '' };
  expect(await refusalOf(call(updateOrganization, { body: change }))).toEqual({ status: 409, code: 'conflict' });
  expect(await refusalOf(call(archiveOrganization, {}))).toEqual({ status: 409, code: 'conflict' });
});

test('allows restoring an archived organization for thirty days only', async () => {
  const org = await server.make.organization();
  const call = server.as(org.owner, org.id);
  await call(archiveOrganization, {});
  await archivedAt(org, new Date(Date.now() - 30 * day - 1_000));
  const late = await call(restoreOrganization, {}).catch((error) => error.refusal);
  expect(late).toMatchObject({
    code: 'conflict',
    message: 'This organization can no longer be restored.',
    cause: expect.stringContaining('more than 30 days ago'),
  });
  await archivedAt(org, new Date(Date.now() - 30 * day + 60_000));
  expect(await call(restoreOrganization, {})).toMatchObject({ archivedAt: null });
});

test('allows an owner to leave an archived organization while another owner remains', async () => {
  const org = await server.make.organization();
  const coOwner = await server.make.member(org.id, 'rol_owner');
  await server.as(org.owner, org.id)(archiveOrganization, {});
  expect(await server.as(coOwner, org.id)(leaveOrganization, {})).toEqual({ left: true });
  expect(await refusalOf(server.as(org.owner, org.id)(leaveOrganization, {}))).toEqual({
    status: 409,
    code: 'sole_owner',
  });
});

test('disconnects members deactivated by archiving at once and refuses reconnection', async () => {
  const org = await server.make.organization();
  const contributor = await server.make.member(org.id, 'rol_contributor');
  const token = await server.token(contributor, org.id);
  const options = { path: realtimePath, auth: { token }, transports: ['websocket'], reconnection: false };
  const socket = io(`${server.url}/auth0mgm`, { ...options, forceNew: true });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const cut = new Promise((resolve) => socket.once('disconnect', resolve));
  await server.as(org.owner, org.id)(archiveOrganization, {});
  await cut;
  const refused = await new Promise<Error>((resolve) => socket.once('connect_error', resolve).connect());
  expect(refused.message).toBe('Sign in to continue.');
  socket.disconnect();
});
