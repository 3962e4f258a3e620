import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { inviteMembers, revokeInvitation } from '@sightline/contract/organization/invitations.ts';
import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  findHandle,
  getMembersSummary,
  listMembers,
  recordHomeVisit,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import { getOrganization, leaveOrganization } from '@sightline/contract/organization/organizations.ts';
import { listRoles } from '@sightline/contract/organization/roles.ts';
import { sql } from 'kysely';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { refusalOf, shareTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { joinMember } from './commands.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

const inOrg = <Result>(orgId: string, work: (db: Tx['db']) => Promise<Result>) =>
  server.services.database.withOrg(orgId, ({ db }) => work(db));

const rolesOf = (orgId: string) =>
  inOrg(orgId, (db) => db.selectFrom('member').select(['account_id', 'role_id', 'status']).execute());

const entriesOf = (orgId: string, action: string) =>
  inOrg(orgId, (db) =>
    db
      .selectFrom('audit_event')
      .select(['actor_id', 'subject_id', 'data', 'personal'])
      .where('action', '=', action)
      .execute(),
  );

const refusalsOf = (attempts: readonly Promise<unknown>[]) => Promise.all(attempts.map(refusalOf));

test('a visit to Home continues until an hour has passed without a request, for each member alone', async () => {
  const { id, owner } = await server.make.organization();
  const auditor = await server.make.member(id, 'rol_auditor');
  const visit = (account: TestAccount) => server.as(account, id)(recordHomeVisit, {});
  const leave = (minutes: number) =>
    inOrg(id, (db) =>
      db
        .updateTable('member')
        .set({ home_seen_at: sql`now() - make_interval(mins => ${minutes})` })
        .where('org_id', '=', id)
        .where('account_id', '=', owner.id)
        .returning('home_seen_at')
        .executeTakeFirstOrThrow(),
    );
  expect([await visit(owner), await visit(owner)]).toEqual([{ previousAt: null }, { previousAt: null }]);
  const { home_seen_at: left } = await leave(61);
  const previousAt = left?.toISOString();
  expect(await visit(owner)).toEqual({ previousAt });
  await leave(59);
  expect(await visit(owner)).toEqual({ previousAt });
  expect(await visit(auditor)).toEqual({ previousAt: null });
});

test('finds a login that a code host reported in the organization, ignoring case', async () => {
  const { id, owner } = await server.make.organization();
  const other = await server.make.organization();
  const identity = { kind: 'github', value: 'zoe-a', source: 'test', confidence: 'declared' };
  await server.services.database.withOrg(id, async ({ db }) =>
    db
      .insertInto('identity')
      .values({ ...identity, org_id: id, person_id: await server.personOf(id, owner) })
      .execute(),
  );
  const find = (org: typeof other, handle: string) => server.as(org.owner, org.id)(findHandle, { params: { handle } });
  expect(await find({ ...other, id, owner }, 'Zoe-A')).toEqual({ handle: 'zoe-a' });
  expect(await refusalOf(find({ ...other, id, owner }, owner.email))).toEqual({ status: 404, code: 'not_found' });
  expect(await refusalOf(find(other, 'zoe-a'))).toEqual({ status: 404, code: 'not_found' });
});

test('changes a role, audits the old and new role, and rejects a stale role with 409', async () => {
  const { id, owner } = await server.make.organization();
  const member = await server.make.member(id, 'rol_contributor');
  const call = server.as(owner, id);
  const change = (oldRole: RoleId, newRole: RoleId) =>
    call(changeMemberRole, { params: { userId: member.id }, body: { oldRole, newRole } });

  expect(await change('rol_contributor', 'rol_reviewer')).toMatchObject({
    user_id: member.id,
    role: { id: 'rol_reviewer', name: 'Digest Reviewer' },
    status: 'active',
    allowed: { changeRole: true, deactivate: true, delete: true, reinstate: false },
  });
  expect(await entriesOf(id, 'member.role_changed')).toEqual([
    {
      actor_id: owner.id,
      subject_id: member.id,
      data: { before: { role: 'rol_contributor' }, after: { role: 'rol_reviewer' } },
      personal: { name: member.name, email: member.email },
    },
  ]);
  expect(await refusalOf(change('rol_contributor', 'rol_owner'))).toEqual({ status: 409, code: 'conflict' });
  expect(await refusalOf(change('rol_reviewer', 'rol_reviewer'))).toEqual({ status: 400, code: 'validation_failed' });
  // Auditor is a business role, and business roles are disabled.
  expect(await refusalOf(change('rol_reviewer', 'rol_auditor'))).toEqual({ status: 400, code: 'validation_failed' });
  // The change applies at once: the token has the permissions of the new role.
  expect((await server.as(member, id)(getOrganization, {})).role).toBe('rol_reviewer');
});

test('refuses to demote, deactivate or delete the only active owner, or oneself', async () => {
  const { id, owner } = await server.make.organization();
  const call = server.as(owner, id);
  const params = { userId: owner.id };
  const attempts = () => [
    call(changeMemberRole, { params, body: { oldRole: 'rol_owner', newRole: 'rol_reviewer' } }),
    call(deactivateMember, { params }),
    call(deleteMember, { params }),
  ];
  // A deactivated owner, or one who has only accepted, does not count.
  for (const status of ['accepted', 'deactivated']) {
    const other = await server.make.member(id, 'rol_owner');
    await inOrg(id, (db) => db.updateTable('member').set({ status }).where('account_id', '=', other.id).execute());
  }
  for (const refused of await refusalsOf(attempts())) expect(refused).toEqual({ status: 409, code: 'sole_owner' });
  await server.make.member(id, 'rol_owner');
  for (const refused of await refusalsOf(attempts())) expect(refused).toEqual({ status: 403, code: 'forbidden' });
  expect((await rolesOf(id)).filter(({ role_id }) => role_id === 'rol_owner')).toHaveLength(4);
});

test('keeps at least one active owner under a hundred concurrent changes among owners', {
  tags: ['full'],
}, async () => {
  const { id, owner } = await server.make.organization();
  const owners = [owner];
  for (let more = 0; more < 9; more += 1) owners.push(await server.make.member(id, 'rol_owner'));
  const attempts = Array.from({ length: 100 }, (_, index) => {
    const actor = owners[index % 10] as TestAccount;
    const target = owners[(index * 7 + 3) % 10] as TestAccount;
    const call = server.as(actor, id);
    const params = { userId: target.id };
    switch (index % 4) {
      case 0:
        return call(changeMemberRole, { params, body: { oldRole: 'rol_owner', newRole: 'rol_contributor' } });
      case 1:
        return call(deactivateMember, { params });
      case 2:
        return call(deleteMember, { params });
      default:
        return call(leaveOrganization, {});
    }
  });
  const outcomes = await Promise.allSettled(attempts);
  const remaining = (await rolesOf(id)).filter(({ role_id, status }) => role_id === 'rol_owner' && status === 'active');
  expect(remaining.length).toBeGreaterThanOrEqual(1);
  // Every attempt changed a member or was refused with a reason.
  const refused = await refusalsOf(attempts.filter((_, index) => outcomes[index]?.status === 'rejected'));
  for (const { status } of refused) expect([403, 404, 409]).toContain(status);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
});

test('revokes access of a deactivated member at once, including sockets, until reinstatement', async () => {
  const { id, owner } = await server.make.organization();
  const member = await server.make.member(id, 'rol_reviewer');
  const other = await server.make.organization();
  const account = { accountId: member.id, email: member.email, requestId: 'test', address: undefined };
  await server.services.database.withOrg(other.id, (tx) =>
    joinMember(server.services, tx, { account, orgId: other.id, roleId: 'rol_reviewer' }),
  );
  const connect = async (orgId: string) => {
    const token = await server.token(member, orgId);
    const socket = io(`${server.url}/auth0mgm`, {
      path: realtimePath,
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
    });
    await new Promise((resolve, reject) =>
      socket.once('connect', () => resolve(undefined)).once('connect_error', reject),
    );
    return socket;
  };
  const [socket, elsewhere] = [await connect(id), await connect(other.id)];
  const cut = new Promise((resolve) => socket.once('disconnect', resolve));
  const call = server.as(member, id);
  await call(listMembers, {});

  const answer = await server.as(owner, id)(deactivateMember, { params: { userId: member.id } });
  expect(answer).toMatchObject({
    status: 'deactivated',
    allowed: { reinstate: true, delete: true, deactivate: false },
  });
  await cut;
  expect(elsewhere.connected).toBe(true);
  elsewhere.close();
  socket.close();
  expect(await refusalOf(call(listMembers, {}))).toEqual({ status: 403, code: 'forbidden' });
  await expect(connect(id)).rejects.toThrow();

  const again = server.as(owner, id)(deactivateMember, { params: { userId: member.id } });
  expect(await refusalOf(again)).toEqual({ status: 409, code: 'conflict' });
  // Reinstating restores the former status: active or accepted.
  const back = await server.as(owner, id)(reinstateMember, { params: { userId: member.id } });
  expect(back.status).toBe('active');
  expect((await call(getOrganization, {})).role).toBe('rol_reviewer');
  const neverActive = await server.make.member(id, 'rol_contributor');
  const accepted = { status: 'accepted' };
  await inOrg(id, (db) => db.updateTable('member').set(accepted).where('account_id', '=', neverActive.id).execute());
  await server.as(owner, id)(deactivateMember, { params: { userId: neverActive.id } });
  expect(await server.as(owner, id)(reinstateMember, { params: { userId: neverActive.id } })).toMatchObject(accepted);
});

test('removes a deleted member from the list but keeps their person and audit entries', async () => {
  const { id, owner } = await server.make.organization();
  const member = await server.make.member(id, 'rol_contributor');
  const call = server.as(owner, id);
  expect(await call(deleteMember, { params: { userId: member.id } })).toEqual({ deleted: true });
  expect((await call(listMembers, {})).rows.map(({ user_id }) => user_id)).toEqual([owner.id]);
  const known = await inOrg(id, (db) =>
    db
      .selectFrom('identity')
      .select('person_id')
      .where('kind', '=', 'account')
      .where('value', '=', member.id)
      .execute(),
  );
  expect(known).toHaveLength(1);
  expect(await entriesOf(id, 'member.removed')).toMatchObject([
    { subject_id: member.id, personal: { name: member.name } },
  ]);
  expect(await refusalOf(call(deleteMember, { params: { userId: member.id } }))).toEqual({
    status: 404,
    code: 'not_found',
  });
});

test('allows only owners to manage members and returns 404 for members of another organization', async () => {
  const [ours, theirs] = [await server.make.organization(), await server.make.organization()];
  const member = await server.make.member(ours.id, 'rol_contributor');
  const params = { userId: member.id };
  const attemptsAs = (who: TestAccount, orgId: string) => {
    const call = server.as(who, orgId);
    return [
      call(changeMemberRole, { params, body: { oldRole: 'rol_contributor', newRole: 'rol_owner' } }),
      call(deactivateMember, { params }),
      call(deleteMember, { params }),
      call(revokeInvitation, { params: { invitationId: newId() } }),
    ];
  };
  for (const role of ['rol_contributor', 'rol_reviewer', 'rol_auditor'] as const) {
    const actor = await server.make.member(ours.id, role);
    for (const { status } of await refusalsOf(attemptsAs(actor, ours.id))) expect(status).toBe(403);
  }
  for (const refused of await refusalsOf(attemptsAs(theirs.owner, theirs.id))) {
    expect(refused).toEqual({ status: 404, code: 'not_found' });
  }
});

test('merges members, invitations and committers in one list with search, filters, sorting and paging', async () => {
  const { id, owner } = await server.make.organization();
  const call = server.as(owner, id);
  const [zoe, adam] = [await server.make.member(id, 'rol_reviewer'), await server.make.member(id, 'rol_contributor')];
  await server.services.database.global(async ({ db }) => {
    await db.updateTable('account').set({ name: 'Zoë 100% Ångström' }).where('id', '=', zoe.id).execute();
    await db.updateTable('account').set({ name: 'adam' }).where('id', '=', adam.id).execute();
  });
  const invited = await call(inviteMembers, {
    body: { invite: { emails: ['new@x.example', 'old@x.example', 'carol@code.example'], roleID: 'rol_reviewer' } },
  });
  const old = invited.invited[1]?.invitation_id ?? '';
  await inOrg(id, (db) =>
    db
      .updateTable('invitation')
      .set({ expires_at: new Date(0) })
      .where('id', '=', old)
      .execute(),
  );
  await commitAs(id, [
    { name: 'Carol', email: 'carol@code.example' },
    { name: 'Adam at work', email: adam.email },
    { name: 'Mallory', email: '1+mallory@users.noreply.github.com', login: 'mallory' },
    { name: 'Dave', email: 'dave@code.example' },
    { name: 'renovate[bot]', email: 'bot@renovate.example', login: 'renovate[bot]' },
  ]);

  const namesOf = async (query: object) => (await call(listMembers, { query })).rows.map(({ name }) => name);
  expect((await namesOf({ sort: 'name-asc' })).toSorted()).toEqual(
    [
      'Dave',
      'Mallory',
      owner.name,
      'Zoë 100% Ångström',
      'adam',
      'carol@code.example',
      'new@x.example',
      'old@x.example',
    ].toSorted(),
  );
  const status = async (query: object) =>
    (await call(listMembers, { query })).rows.map(({ name, status: word }) => [name, word]);
  expect(await status({ search: 'x.example', sort: 'name-asc' })).toEqual([
    ['new@x.example', 'pending'],
    ['old@x.example', 'outdated'],
  ]);
  expect(await namesOf({ search: 'ÅNGSTRÖM' })).toEqual(['Zoë 100% Ångström']);
  expect(await namesOf({ search: '100%' })).toEqual(['Zoë 100% Ångström']);
  expect(await namesOf({ search: '_' })).toEqual([]);
  expect(await namesOf({ status: ['uninvited'], sort: 'name-desc' })).toEqual(['Mallory', 'Dave']);
  expect(await namesOf({ role: ['rol_owner', 'rol_contributor'], sort: 'role-asc' })).toEqual([owner.name, 'adam']);
  const paged = await call(listMembers, { query: { page: 2, perPage: 5, sort: 'name-asc' } });
  expect([paged.rows.length, paged.total]).toEqual([3, 8]);
  expect(await call(listMembers, { query: { page: 9 } })).toEqual({ rows: [], total: 8 });

  expect(await namesOf({})).toEqual(await namesOf({ sort: 'date-desc' }));
  expect(await namesOf({})).not.toEqual(await namesOf({ sort: 'date-asc' }));

  const rows = (await call(listMembers, { query: { perPage: 40 } })).rows;
  expect(rows.find(({ user_id }) => user_id === owner.id)).toMatchObject({
    name: owner.name,
    email: owner.email,
    picture: null,
    image: null,
    status: 'active',
    invitation_id: null,
    role: { id: 'rol_owner', name: 'Account Owner' },
  });
  expect(rows.find(({ name }) => name === 'Mallory')).toMatchObject({
    email: null,
    role: null,
    source: 'git',
    allowed: { invite: false },
    blocked: { invite: 'no_address', resend: 'no_invitation' },
  });
  expect(rows.find(({ name }) => name === 'new@x.example')).toMatchObject({
    user_id: null,
    invitedBy: { user_id: owner.id },
    delivery: 'queued',
    allowed: { changeRole: true, resend: true, revoke: true, delete: false },
  });
  expect(await call(getMembersSummary, {})).toEqual({
    total: 3,
    byStatus: { active: 3, accepted: 0, pending: 2, outdated: 1, deactivated: 0, uninvited: 2 },
    byRole: [
      { id: 'rol_owner', name: 'Account Owner', count: 1 },
      { id: 'rol_contributor', name: 'Code Contributor', count: 1 },
      { id: 'rol_reviewer', name: 'Digest Reviewer', count: 1 },
      { id: 'rol_auditor', name: 'Auditor', count: 0 },
    ],
  });

  // Without the permission to read invitations, the list omits them and allows no actions.
  const seen = await server.as(zoe, id)(listMembers, { query: { perPage: 40 } });
  expect(seen.total).toBe(5);
  expect(seen.rows.flatMap(({ allowed }) => Object.values(allowed))).not.toContain(true);
  expect((await server.as(zoe, id)(getMembersSummary, {})).byStatus).not.toHaveProperty('pending');

  // Disabling the repository removes its committers, enabling it restores them.
  const track = (tracked: boolean) => inOrg(id, (db) => db.updateTable('repository').set({ tracked }).execute());
  await track(false);
  expect(await namesOf({ status: ['uninvited'] })).toEqual([]);
  await track(true);
  expect(await namesOf({ status: ['uninvited'], sort: 'name-asc' })).toEqual(['Dave', 'Mallory']);
  // After revoking the invitation, its committer is uninvited again.
  const carol = invited.invited[2]?.invitation_id ?? '';
  await call(revokeInvitation, { params: { invitationId: carol } });
  expect(await namesOf({ status: ['uninvited'], sort: 'name-asc' })).toEqual(['Carol', 'Dave', 'Mallory']);
});

test('lists roles in order with the contributor role as the default', async () => {
  const { id } = await server.make.organization();
  const member = await server.make.member(id, 'rol_contributor');
  const roles = await server.as(member, id)(listRoles, {});
  expect(roles.map(({ name, assignable, default: first }) => [name, assignable, first])).toEqual([
    ['Account Owner', true, false],
    ['Code Contributor', true, true],
    ['Digest Reviewer', true, false],
    ['Auditor', false, false],
  ]);
  expect(roles[0]).toMatchObject({
    id: 'rol_owner',
    isAccountOwner: true,
    isCodeContributor: false,
    description: expect.stringMatching(/\w+/) as string,
    permissions: expect.arrayContaining(['create:invitation', 'read:org-members']) as string[],
  });
  expect(roles[1]).toMatchObject({ id: 'rol_contributor', isAccountOwner: false, isCodeContributor: true });
  expect(roles[1]?.permissions).not.toContain('create:invitation');
});

/** Stores commits of these people in one enabled repository, as an import does. */
async function commitAs(
  orgId: string,
  authors: readonly { name: string; email: string; login?: string }[],
): Promise<void> {
  await server.services.database.withOrg(orgId, async (tx) => {
    const repositoryId = newId();
    await tx.db
      .insertInto('repository')
      .values({
        org_id: orgId,
        id: repositoryId,
        provider: 'github',
        provider_repo_id: repositoryId,
        installation_id: '1',
        owner: 'acme',
        name: 'api',
        full_name: 'acme/api',
        default_branch: 'main',
        is_private: true,
        html_url: 'https://code.example/acme/api',
        tracked: true,
      })
      .execute();
    const people = await server.services.people.resolve(
      tx,
      orgId,
      authors.map(({ name, email }) => ({
        names: [{ kind: 'email', value: email }],
        display: name,
        picture: null,
        source: 'github',
      })),
    );
    await tx.db
      .insertInto('contributor')
      .values(
        authors.map(({ name, email, login }, index) => ({
          org_id: orgId,
          repository_id: repositoryId,
          person_id: people[index] ?? '',
          name,
          email,
          login: login ?? null,
          commits: 1,
          last_commit: new Date(),
        })),
      )
      .execute();
  });
}
