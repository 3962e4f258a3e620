import type { ApiError } from '@sightline/contract/core/client.ts';
import { listLedgerEntries } from '@sightline/contract/ledger/ledger.ts';
import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  listMembers,
  type MemberListItem,
} from '@sightline/contract/organization/members.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signLedger } from '#testing/ledger.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { sequenceEntries } from '../../ledger/ledger/sequence.ts';

let server: TestServer;
let org: TestOrganization;
let member: TestAccount;
const sizes: number[] = [];
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  sizes.push(await signLedger(server, org));
  member = await server.make.member(org.id, 'rol_contributor');
  sizes.push(await signLedger(server, org));
  const params = { userId: member.id };
  await owner()(changeMemberRole, { params, body: { oldRole: 'rol_contributor', newRole: 'rol_reviewer' } });
  await owner()(deactivateMember, { params });
  sizes.push(await signLedger(server, org));
  await owner()(deleteMember, { params });
  await owner()(inviteMembers, { body: { invite: { emails: ['new@example.org'], roleID: 'rol_contributor' } } });
  sizes.push(await signLedger(server, org));
});
afterAll(() => server.close());

const owner = () => server.as(org.owner, org.id);
const listAt = (size: number | undefined, query: object = {}) =>
  owner()(listMembers, { query: { sort: 'role-asc', ...query, ledgerSize: `${size}` } });
const rolesOf = (rows: readonly MemberListItem[]) => rows.map(({ name, role, status }) => [name, role?.id, status]);

test('lists the members, roles and statuses that the ledger had recorded at each size', async () => {
  const owners = ['Olga Owner', 'rol_owner', 'active'];
  const seen = [];
  for (const size of sizes) seen.push(rolesOf((await listAt(size)).rows));
  expect(seen).toEqual([
    [owners],
    [owners, [member.name, 'rol_contributor', 'active']],
    [owners, [member.name, 'rol_reviewer', 'deactivated']],
    [owners],
  ]);
  const current = await owner()(listMembers, { query: {} });
  expect(current.rows.map(({ status }) => status)).toEqual(['pending', 'active']);
});

test('names the ledger entry of a row and what was not recorded, and permits no action', async () => {
  const [row] = (await listAt(sizes[2], { role: ['rol_reviewer'] })).rows;
  expect(row).toMatchObject({
    lastActivityAt: null,
    invitedBy: null,
    recorded: { missing: ['lastActivityAt', 'invitedBy'] },
  });
  expect(Object.values(row?.allowed ?? {})).not.toContain(true);
  const index = row?.recorded?.entry?.index ?? -1;
  const [entry] = await owner()(listLedgerEntries, { query: { from: index, to: index + 1 } });
  expect([entry?.id, entry?.kind]).toEqual([row?.recorded?.entry?.id, 'member.changed']);
  expect(JSON.parse(entry?.entry ?? '{}')).toMatchObject({
    subject: { account: member.id, role: 'rol_reviewer', status: 'deactivated' },
  });
});

test('filters, sorts and pages recorded members', async () => {
  const size = sizes[2];
  expect(rolesOf((await listAt(size, { status: ['deactivated'] })).rows)).toEqual([
    [member.name, 'rol_reviewer', 'deactivated'],
  ]);
  expect((await listAt(size, { sort: 'date-asc' })).rows.map(({ id }) => id)).toEqual([org.owner.id, member.id]);
  expect((await listAt(size, { sort: 'name-asc' })).rows.map(({ id }) => id)).toEqual([member.id, org.owner.id]);
  expect(await listAt(size, { sort: 'date-asc', perPage: 1, page: 2 })).toMatchObject({
    total: 2,
    rows: [{ id: member.id }],
  });
});

test('refuses a size that is not signed, and filters on what is not recorded', async () => {
  const last = sizes.at(-1) ?? 0;
  const messageOf = (query: object) =>
    owner()(listMembers, { query }).then(
      () => 'no refusal',
      (error: ApiError) => error.refusal?.message,
    );
  expect(await messageOf({ ledgerSize: `${last + 1}` })).toBe(
    `ledgerSize must be between 1 and ${last}, the size of the last checkpoint.`,
  );
  // An entry that was added, and not signed yet.
  await server.make.member(org.id, 'rol_contributor');
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  expect(await messageOf({ ledgerSize: `${last + 1}` })).toBe(
    `ledgerSize must be between 1 and ${last}, the size of the last checkpoint.`,
  );
  expect(await messageOf({ ledgerSize: '0' })).toMatch(/must be between 1 and/);
  expect(await messageOf({ ledgerSize: '7.1' })).toBe('ledgerSize must name an epoch of the ledger.');
  expect(await messageOf({ ledgerSize: '1', search: 'olga' })).toBe(
    'search cannot be combined with ledgerSize, because the ledger does not record it.',
  );
  expect(await messageOf({ ledgerSize: '1', status: ['pending'] })).toMatch(
    /status must not be pending with ledgerSize/,
  );
  const other = await server.make.organization();
  expect(await refusalOf(server.as(other.owner, other.id)(listMembers, { query: { ledgerSize: '1' } }))).toEqual({
    status: 400,
    code: 'validation_failed',
  });
});
