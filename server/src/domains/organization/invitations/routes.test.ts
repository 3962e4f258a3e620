import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { inviteMembers, revokeInvitation } from '@sightline/contract/organization/invitations.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import type { MailMessage } from '#providers/mail.ts';
import { refusalOf, startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { acceptInvitation } from '../../identity/invitation-tickets/commands.ts';
import { findInvitation } from '../../identity/invitation-tickets/queries.ts';
import { declineInvitation } from './commands.ts';
import { invitationJobs } from './jobs.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const inviteAs = (owner: TestAccount, orgId: string, emails: string[], roleID: RoleId = 'rol_contributor') =>
  server.as(owner, orgId)(inviteMembers, { body: { invite: { emails, roleID } } });

/** Moves the invitations of an organization a minute into the past. */
const ageInvitations = (orgId: string) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('invitation')
      .set({ created_at: new Date(Date.now() - 61_000) })
      .execute(),
  );

/** Runs the email job of an invitation. */
function runMailJob(
  send: (message: MailMessage) => Promise<void>,
  data: { orgId: string; invitationId: string },
): Promise<void> {
  const [job] = invitationJobs({ ...server.services, mail: { local: false, send: (_, message) => send(message) } });
  if (!job) throw new Error('invitations have one job');
  return (job.handle as (data: object) => Promise<void>)(data);
}

/** Sends the email of an invitation and returns it. */
async function mailed(orgId: string, invitationId: string): Promise<{ text: string; html: string; token: string }> {
  const sent: MailMessage[] = [];
  await runMailJob(async (message) => void sent.push(message), { orgId, invitationId });
  const text = sent[0]?.text ?? '';
  return { text, html: sent[0]?.html ?? '', token: /invitation=([\w-]+)/.exec(text)?.[1] ?? '' };
}

const actorOf = ({ id, email }: TestAccount) => ({ accountId: id, email, requestId: 'test', address: undefined });

test('invites each address once and gives the reason for skipped ones', async () => {
  const { id, owner } = await server.make.organization('Kestrel');
  const result = await inviteAs(owner, id, ['New@X.example', 'new@x.example', 'nonsense', owner.email, 'b@x.example']);
  expect(result.invited.map(({ email }) => email)).toEqual(['new@x.example', 'b@x.example']);
  expect(result.skipped).toEqual([
    { email: 'nonsense', reason: 'invalid' },
    { email: owner.email, reason: 'already_member' },
  ]);
  const again = await inviteAs(owner, id, ['new@x.example'], 'rol_owner');
  expect(again).toEqual({
    invited: [],
    skipped: [{ email: 'new@x.example', reason: 'already_pending', retryAfter: expect.any(Number) }],
  });
  expect(await refusalOf(inviteAs(owner, id, []))).toEqual({ status: 400, code: 'validation_failed' });
  expect(await refusalOf(inviteAs(owner, id, Array(101).fill('a@x.example')))).toMatchObject({ status: 400 });
  expect(await refusalOf(inviteAs(owner, id, ['a@x.example'], 'rol_auditor'))).toMatchObject({ status: 400 });
  for (const role of ['rol_contributor', 'rol_reviewer', 'rol_auditor'] as const) {
    const member = await server.make.member(id, role);
    expect(await refusalOf(inviteAs(member, id, ['c@x.example']))).toEqual({ status: 403, code: 'forbidden' });
  }
});

test('the email names organization, inviter, role and expiry; its link works once for its address', async () => {
  const { id, owner } = await server.make.organization('Kestrel');
  const guest = await server.make.account();
  const { invited } = await inviteAs(owner, id, [guest.email], 'rol_reviewer');
  const invitationId = invited[0]?.invitation_id ?? '';
  const { text, html, token } = await mailed(id, invitationId);
  expect(text).toContain('join Kestrel on Sightline as Digest Reviewer');
  expect(text).toContain(owner.email);
  expect(html).toContain('>K<');
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const [stored] = await server.services.database.withOrg(id, ({ db }) =>
    db.selectFrom('invitation').select(['token_hash', 'mailed_at', 'expires_at']).execute(),
  );
  expect(stored?.token_hash.toString()).not.toContain(token);
  expect(stored?.mailed_at).not.toBeNull();
  expect(Math.round(((stored?.expires_at.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(7);

  const outsider = await server.make.account();
  expect(await refusalOf(acceptInvitation(server.services, actorOf(outsider), token))).toMatchObject({ status: 403 });
  await acceptInvitation(server.services, actorOf(guest), token);
  const { rows } = await server.as(owner, id)(listMembers, { query: { search: guest.email } });
  expect(rows).toMatchObject([{ user_id: guest.id, status: 'accepted', invitedBy: { user_id: owner.id } }]);
  // After the member was removed, the old link is invalid.
  await server.services.database.withOrg(id, ({ db }) =>
    db.deleteFrom('member').where('org_id', '=', id).where('account_id', '=', guest.id).execute(),
  );
  expect(await refusalOf(acceptInvitation(server.services, actorOf(guest), token))).toMatchObject({ status: 410 });
});

test('an earlier invitation does not readmit a deactivated member', async () => {
  const { id, owner } = await server.make.organization();
  const guest = await server.make.account();
  const { invited } = await inviteAs(owner, id, [guest.email], 'rol_owner');
  const { token } = await mailed(id, invited[0]?.invitation_id ?? '');
  const deactivatedMember = { org_id: id, account_id: guest.id, role_id: 'rol_contributor', status: 'deactivated' };
  await server.services.database.withOrg(id, ({ db }) => db.insertInto('member').values(deactivatedMember).execute());
  expect(await refusalOf(acceptInvitation(server.services, actorOf(guest), token))).toMatchObject({ status: 403 });
  const { rows } = await server.as(owner, id)(listMembers, { query: { status: ['deactivated'] } });
  expect(rows).toMatchObject([{ user_id: guest.id, role: { id: 'rol_contributor' } }]);
});

test('resending invalidates the old link and may change the role', async () => {
  const { id, owner } = await server.make.organization();
  const guest = await server.make.account();
  const first = (await inviteAs(owner, id, [guest.email])).invited[0]?.invitation_id ?? '';
  const { token } = await mailed(id, first);
  await ageInvitations(id);
  const second = (await inviteAs(owner, id, [guest.email], 'rol_owner')).invited[0]?.invitation_id ?? '';
  expect(await refusalOf(acceptInvitation(server.services, actorOf(guest), token))).toMatchObject({ status: 410 });
  // A late job does not send the email of the first invitation anymore.
  expect((await mailed(id, first)).text).toBe('');
  const newMail = await mailed(id, second);
  await acceptInvitation(server.services, actorOf(guest), newMail.token);
  const { rows } = await server.as(owner, id)(listMembers, { query: { search: guest.email } });
  expect(rows).toMatchObject([{ role: { id: 'rol_owner' } }]);
  const actions = await server.services.database.withOrg(id, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select(['action', 'data'])
      .where('action', 'like', 'invitation.%')
      .orderBy('at')
      .execute(),
  );
  expect(actions).toMatchObject([
    { action: 'invitation.sent' },
    { action: 'invitation.resent', data: { replaces: first, after: { role: 'rol_owner' } } },
  ]);
});

test('shows a failed email in the list, and a later successful one', async () => {
  const { id, owner } = await server.make.organization();
  const { invited } = await inviteAs(owner, id, ['lost@x.example']);
  const data = { orgId: id, invitationId: invited[0]?.invitation_id ?? '' };
  await expect(runMailJob(() => Promise.reject(new Error('no route')), data)).rejects.toThrow('no route');
  const deliveryOf = async () =>
    (await server.as(owner, id)(listMembers, { query: { search: 'lost' } })).rows[0]?.delivery;
  expect(await deliveryOf()).toBe('failed');
  await mailed(id, data.invitationId);
  expect(await deliveryOf()).toBe('sent');
});

test('an invitation is revoked once, and declined only by the invited person', async () => {
  const { id, owner } = await server.make.organization();
  const guest = await server.make.account();
  const call = server.as(owner, id);
  const { invited } = await inviteAs(owner, id, [guest.email, 'other@x.example']);
  const [mine = '', other = ''] = invited.map(({ invitation_id }) => invitation_id);
  const { token } = await mailed(id, other);
  expect(await call(revokeInvitation, { params: { invitationId: other } })).toEqual({ revoked: true });
  expect((await findInvitation(server.services, token))?.state).toBe('over');
  expect(await refusalOf(call(revokeInvitation, { params: { invitationId: other } }))).toMatchObject({ status: 409 });
  expect(await refusalOf(call(revokeInvitation, { params: { invitationId: newId() } }))).toMatchObject({ status: 404 });

  const key = { orgId: id, invitationId: mine };
  const outsider = actorOf(await server.make.account());
  expect(await refusalOf(declineInvitation(server.services, outsider, key))).toMatchObject({ status: 404 });
  await declineInvitation(server.services, actorOf(guest), key);
  expect(await refusalOf(declineInvitation(server.services, actorOf(guest), key))).toMatchObject({ status: 410 });
  expect((await call(listMembers, { query: { status: ['pending', 'outdated'] } })).total).toBe(0);
});

test('reinvites a declined address at once, and a revoked one only after a minute', async () => {
  const { id, owner } = await server.make.organization();
  const guest = await server.make.account();
  const { invited } = await inviteAs(owner, id, [guest.email, 'other@x.example']);
  const [mine = '', other = ''] = invited.map(({ invitation_id }) => invitation_id);
  await declineInvitation(server.services, actorOf(guest), { orgId: id, invitationId: mine });
  await server.as(owner, id)(revokeInvitation, { params: { invitationId: other } });
  const again = await inviteAs(owner, id, [guest.email, 'other@x.example']);
  expect(again.invited.map(({ email }) => email)).toEqual([guest.email]);
  expect(again.skipped).toMatchObject([{ email: 'other@x.example', reason: 'already_pending' }]);
  expect((await inviteAs(owner, id, [guest.email])).skipped).toMatchObject([{ reason: 'already_pending' }]);
});

test('limits emails to ten a day per address, and invitations per organization', async () => {
  const { id, owner } = await server.make.organization();
  for (let times = 0; times < 10; times += 1) {
    expect((await inviteAs(owner, id, ['busy@x.example'])).invited).toHaveLength(1);
    await ageInvitations(id);
  }
  expect((await inviteAs(owner, id, ['busy@x.example'])).skipped).toMatchObject([{ reason: 'already_pending' }]);
  await server.services.database.withOrg(id, (tx) =>
    tx.query({
      name: 'test.many',
      text: `insert into invitation (org_id, id, email, role_id, token_hash, invited_by, expires_at)
             select $1::uuid, gen_random_uuid(), n || '@x.example', 'rol_reviewer', sha256(($1::uuid || ' ' || n)::bytea), $1::uuid, now()
             from generate_series(1, 1990) n`,
      values: [id],
    }),
  );
  expect(await refusalOf(inviteAs(owner, id, ['late@x.example']))).toEqual({ status: 429, code: 'rate_limited' });
});

test('omits a name that reads like a link from the email', async () => {
  const { id, owner } = await server.make.organization();
  await server.services.database.global(({ db }) =>
    db.updateTable('account').set({ name: 'Win at evil.example now' }).where('id', '=', owner.id).execute(),
  );
  const { invited } = await inviteAs(owner, id, ['guest@x.example']);
  const { text, html } = await mailed(id, invited[0]?.invitation_id ?? '');
  expect(text).toContain(owner.email);
  for (const words of [text, html]) expect(words).not.toContain('evil.example');
});
