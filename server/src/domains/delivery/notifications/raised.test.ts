import { changeNotifications, MAX_NOTIFICATION_EVENTS } from '@sightline/contract/delivery/notifications.ts';
import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import { declineInvitation, leaveOrganization } from '@sightline/contract/organization/organizations.ts';
import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import { getEvent, queryEvents } from '@sightline/contract/timeline/events.ts';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import { getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { decideWaiver, requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { factId, newId } from '#core/ids.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { invitationJobs } from '../../organization/invitations/jobs.ts';
import { joinMember } from '../../organization/members/commands.ts';
import { recordSightings } from '../../tools/tools/record-sightings.ts';
import { waiverJobs } from '../../vulnerabilities/waivers/jobs.ts';
import { type NewNotification, raiseNotifications } from './commands.ts';
import { inboxOf, runJob } from './testing/scene.ts';

let server: TestServer;
let org: TestOrganization;
let second: TestAccount;
let contributor: TestAccount;
let reviewer: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  second = await server.make.member(org.id, 'rol_owner');
  contributor = await server.make.member(org.id, 'rol_contributor');
  reviewer = await server.make.member(org.id, 'rol_reviewer');
});
afterAll(() => server.close());

const as = (who: TestAccount) => server.as(who, org.id);
/** The notifications of an account since the last call, newest first: reason, type and title. */
async function deliveredTo(who: TestAccount): Promise<string[]> {
  await runJob(server, 'notifications.deliver', org.id);
  const { items } = await inboxOf(server, org.id, who);
  return items.map(({ reason, type, title }) => `${reason} ${type}: ${title}`);
}
const inOrg: <R>(run: Parameters<typeof server.services.database.withOrg<R>>[1]) => Promise<R> = (run) =>
  server.services.database.withOrg(org.id, run);

test('notifies the other owners and the affected member of membership changes', async () => {
  const params = { userId: contributor.id };
  const body = { oldRole: 'rol_contributor', newRole: 'rol_reviewer' } as const;
  await as(org.owner)(changeMemberRole, { params, body });
  expect(await deliveredTo(second)).toEqual(['owner member.role_changed: contributor Person is Digest Reviewer now']);
  expect(await deliveredTo(contributor)).toEqual([
    'assigned member.role_changed: contributor Person is Digest Reviewer now',
  ]);
  // The actor is not notified.
  expect(await deliveredTo(org.owner)).toEqual([]);
  await as(org.owner)(deactivateMember, { params });
  await as(org.owner)(reinstateMember, { params });
  await as(org.owner)(deleteMember, { params });
  await as(reviewer)(leaveOrganization, {});
  const guest = await server.make.account('Grace Hopper');
  const actor = { accountId: guest.id, email: guest.email, requestId: 'test', address: undefined };
  await inOrg((tx) => joinMember(server.services, tx, { account: actor, orgId: org.id, roleId: 'rol_reviewer' }));
  expect((await deliveredTo(second)).toSorted()).toEqual(
    [
      'owner member.role_changed: contributor Person is Digest Reviewer now',
      'owner member.deactivated: contributor Person was reinstated',
      'owner member.left: contributor Person was removed',
      'owner member.left: reviewer Person left the organization',
      'owner member.joined: Grace Hopper joined as Digest Reviewer',
    ].toSorted(),
  );
  expect(await deliveredTo(guest)).toEqual([]);
});

test('notifies owners and the sender once when an invitation is declined or undeliverable', async () => {
  const guest = await server.make.account('Grace Hopper');
  const invite = { emails: [guest.email], roleID: 'rol_reviewer' as const };
  const { invited } = await as(org.owner)(inviteMembers, { body: { invite } });
  const invitationId = invited[0]?.invitation_id ?? '';
  const [job] = invitationJobs({
    ...server.services,
    mail: { local: false, send: async () => Promise.reject(new Error('no such host')) },
  });
  for (const _try of [1, 2]) {
    await expect((async () => job?.handle({ orgId: org.id, invitationId } as never))()).rejects.toThrow('no such host');
  }
  expect(await deliveredTo(org.owner)).toEqual([
    `author invitation.failed: The invitation of ${guest.email} could not be delivered`,
  ]);
  await server.as(guest)(declineInvitation, { params: { orgId: org.id, invitationId } });
  expect((await deliveredTo(second)).at(0)).toBe(`owner invitation.declined: ${guest.email} declined the invitation`);
  expect(await deliveredTo(reviewer)).toEqual([]);
});

test('notifies once of an expired invitation, unless a newer one replaced it', async () => {
  const [late, again] = [await server.make.account('Late'), await server.make.account('Again')];
  const invite = { emails: [late.email, again.email], roleID: 'rol_reviewer' as const };
  await as(org.owner)(inviteMembers, { body: { invite } });
  const expire = (email: string) =>
    inOrg(({ db }) =>
      db
        .updateTable('invitation')
        .set({ created_at: new Date(Date.now() - 8 * 86_400_000), expires_at: new Date(Date.now() - 86_400_000) })
        .where('org_id', '=', org.id)
        .where('email', '=', email)
        .execute(),
    );
  for (const { email } of [late, again]) await expire(email);
  await as(org.owner)(inviteMembers, { body: { invite: { ...invite, emails: [again.email] } } });
  for (const _twice of [1, 2]) await runJob(server, 'notifications.remind', org.id);
  const ofInvitations = async (person: typeof second) =>
    (await deliveredTo(person)).filter((line) => line.includes('invitation.expired'));
  expect(await ofInvitations(second)).toEqual([`owner invitation.expired: The invitation of ${late.email} expired`]);
  expect((await ofInvitations(org.owner))[0]).toContain('author invitation.expired');
  expect(await ofInvitations(reviewer)).toEqual([]);
});

test('notifies members with access to a repository of its changes, except the actor', async () => {
  const name = `api-${newId().slice(-6)}`;
  const id = await createTestRepository(server, org, name);
  await addContributor(id, contributor);
  const other = await server.make.member(org.id, 'rol_contributor');
  await as(org.owner)(enableRepositories, {
    body: { providerRepos: { github: { acme: [{ id, tracked: false }] } } },
  });
  const line = `repository.disabled: acme/${name} was disabled`;
  expect(await deliveredTo(second)).toEqual([`owner ${line}`]);
  expect(await deliveredTo(reviewer)).toEqual([`subscribed ${line}`]);
  expect(await deliveredTo(contributor)).toEqual([`subscribed ${line}`]);
  expect(await deliveredTo(other)).toEqual([]);
  expect(await deliveredTo(org.owner)).toEqual([]);
});

test('notifies contributors of findings only in their repositories and above their severity threshold', async () => {
  const { send, repositoryId } = await createTestScanner(server, org);
  await addContributor(repositoryId, contributor);
  const elsewhere = await createTestScanner(server, org);
  await send([createScanResult({ severity: 'low' }), createScanResult({ path: 'b.ts', severity: 'medium' })]);
  await elsewhere.send([createScanResult({ severity: 'info' })]);
  const [line, ...others] = await deliveredTo(contributor);
  expect(line).toMatch(/^subscribed finding.new: A new vulnerability in/);
  expect(others).toEqual([]);
  expect(await deliveredTo(reviewer)).toHaveLength(1);
  await send([createScanResult({ severity: 'low' }), createScanResult({ path: 'b.ts', severity: 'critical' })]);
  expect((await deliveredTo(contributor))[0]).toMatch(
    /^subscribed finding.severity_changed: The severity of a vulnerability/,
  );
});

test('notifies approvers of a waiver request, the requester of the decision, and both of expiry', async () => {
  const { send, findings } = await createTestScanner(server, org);
  await send([createScanResult()]);
  const [finding] = await findings();
  const findingId = finding?.id ?? '';
  const until = new Date(Date.now() + 6 * 86_400_000).toISOString();
  await as(org.owner)(requestFindingWaivers, { body: { ids: [findingId], until, reason: 'Removed soon.' } });
  expect((await deliveredTo(reviewer))[0]).toMatch(/^subscribed exception.requested: A waiver for sql-injection/);
  const [requested] = (await inboxOf(server, org.id, reviewer)).items;
  const [eventId = '', ...more] = requested?.eventIds ?? [];
  expect(more).toEqual([]);
  expect((await as(reviewer)(getEvent, { params: { eventId } })).summary.phrase).toMatch(/requested a waiver/);
  const { waivers } = await as(org.owner)(getFinding, { params: { findingId } });
  const params = { waiverId: waivers[0]?.id ?? '' };
  await as(reviewer)(decideWaiver, { params, body: { approve: true, comment: '' } });
  expect((await deliveredTo(org.owner))[0]).toBe(
    'author exception.decided: Your waiver for sql-injection in the code was approved',
  );
  // The request was made less than a week before the expiry, so that no reminder is sent.
  await runJob(server, 'notifications.remind', org.id);
  expect((await deliveredTo(org.owner))[0]).not.toContain('exception.expiring');
  const decidedAt = new Date(Date.now() - 30 * 86_400_000);
  await inOrg(({ db }) =>
    db.updateTable('finding_waiver').set({ decided_at: decidedAt }).where('org_id', '=', org.id).execute(),
  );
  for (const _twice of [1, 2]) await runJob(server, 'notifications.remind', org.id);
  expect((await deliveredTo(org.owner))[0]).toBe(
    'author exception.expiring: The waiver for sql-injection in the code expires soon',
  );
  expect((await inboxOf(server, org.id, reviewer)).items[0]).toMatchObject({ type: 'exception.expiring', count: 1 });
  await inOrg(({ db }) =>
    db
      .updateTable('finding_waiver')
      .set({ valid_until: new Date(0) })
      .where('org_id', '=', org.id)
      .execute(),
  );
  await waiverJobs(server.services)
    .find(({ name }) => name === 'waivers.expire')
    ?.handle({ orgId: org.id } as never);
  expect((await deliveredTo(reviewer))[0]).toMatch(/^subscribed exception.expired: /);
  expect(await deliveredTo(contributor)).toEqual([]);
  // Each links to its event; an upcoming expiry has none.
  const { items } = await inboxOf(server, org.id, org.owner);
  const phrases = items.map(async ({ type, eventIds: [eventId] }) => [
    type,
    eventId && (await as(org.owner)(getEvent, { params: { eventId } })).summary.phrase,
  ]);
  expect(Object.fromEntries(await Promise.all(phrases))).toMatchObject({
    'exception.decided': '{0} approved a waiver for {1} in {2} until {3}',
    'exception.expiring': undefined,
    'exception.expired': expect.stringMatching(/^The waiver for /),
  });
});

test('lists the related events in a notification, newest last, up to the maximum', async () => {
  const { send } = await createTestScanner(server, org);
  const scans: string[] = [];
  for (let scan = 0; scan <= MAX_NOTIFICATION_EVENTS; scan += 1) {
    scans.push((await send([createScanResult({ ruleId: `rule-${scan}` })])).id);
    // Some are delivered immediately, the others are merged with unread ones.
    if (scan % 7 === 0) await runJob(server, 'notifications.deliver', org.id);
  }
  const params = { userId: contributor.id };
  await as(org.owner)(changeMemberRole, { params, body: { oldRole: 'rol_contributor', newRole: 'rol_reviewer' } });
  await as(org.owner)(enableRepositories, {
    body: {
      providerRepos: { github: { acme: [{ id: await createTestRepository(server, org, 'quiet'), tracked: false }] } },
    },
  });
  await runJob(server, 'notifications.deliver', org.id);
  const { items } = await inboxOf(server, org.id, second);
  const phrasesOf = async (type: NewNotification['type']) => {
    const { eventIds = [] } = items.find((item) => item.type === type) ?? {};
    const events = eventIds.map((eventId) => as(second)(getEvent, { params: { eventId } }));
    return (await Promise.all(events)).map(({ summary }) => summary.phrase);
  };
  expect(items.find(({ type }) => type === 'finding.new')?.eventIds).toEqual(
    scans.slice(-MAX_NOTIFICATION_EVENTS).map((id) => factId('scan', id)),
  );
  expect(await phrasesOf('finding.new')).toHaveLength(MAX_NOTIFICATION_EVENTS);
  const unread = async (who: TestAccount) => {
    const body = { query: 'is:unread kind:vuln', pagination: { events: 100, cursors: {} } };
    return (await as(who)(queryEvents, { body })).events.length;
  };
  expect(await unread(second)).toBe(MAX_NOTIFICATION_EVENTS);
  await as(second)(changeNotifications, { body: { ids: items.map(({ id }) => id), status: 'read' } });
  expect(await unread(second)).toBe(0);
  expect(await phrasesOf('member.role_changed')).toEqual(['{0} changed the role of {1} from {2} to {3}']);
  expect(await phrasesOf('repository.disabled')).toEqual([]);
});

test('links a new-tool notification to the event of first use and ignores known tools', async () => {
  const report = (who: TestAccount, ids: string[]) =>
    as(who)(reportTools, {
      body: { deviceId: newId(), type: 'vscode', version: '1.105.0', tools: ids.map((id) => ({ id })) },
    });
  const readEventTexts = async () => {
    await runJob(server, 'notifications.deliver', org.id);
    const { items } = await inboxOf(server, org.id, second);
    const { eventIds = [] } = items.find(({ type }) => type === 'tool.new') ?? {};
    const events = eventIds.map((eventId) => as(second)(getEvent, { params: { eventId } }));
    return (await Promise.all(events)).map(({ summary }) => summary.parameters.map(({ display }) => display).join(' '));
  };
  await report(contributor, ['github.copilot']);
  const first = await readEventTexts();
  expect(first.toSorted()).toEqual([
    'contributor Person GitHub Copilot Visual Studio Code',
    'contributor Person Visual Studio Code',
  ]);
  await report(reviewer, ['github.copilot', 'anthropic.claude-code']);
  expect(await readEventTexts()).toEqual([...first, expect.stringMatching(/reviewer Person Claude Code/)]);
});

test('counts new vulnerabilities only for the scanner that the notification names', async () => {
  const { send, repositoryId } = await createTestScanner(server, org);
  await send(
    ['a', 'b', 'c', 'd', 'e'].map((name) => createScanResult({ ruleId: name, path: `${name}.ts`, severity: 'high' })),
  );
  const tool = { key: 'secret-scanning', name: 'Secret scanning', version: null };
  await send([createScanResult({ ruleId: 'key', path: 'key.ts', severity: 'critical', category: 'secret' })], { tool });
  await runJob(server, 'notifications.deliver', org.id);
  const { items } = await inboxOf(server, org.id, second);
  const name = items[0]?.subject.ident;
  expect(items.map(({ title, body }) => [title, body]).toSorted()).toEqual([
    [`5 new vulnerabilities in ${name}`, '5 high · Found by CodeQL'],
    [`A new vulnerability in ${name}`, '1 critical · Found by Secret scanning'],
  ]);
  expect(repositoryId).not.toBe('');
});

test('combines new tools from consecutive reports into one notification with one count', async () => {
  const tools = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `tool-${from + index}`, name: `Tool ${from + index}` }));
  for (const batch of [tools(1, 36), tools(37, 16)]) {
    await raise({ type: 'tool.new', tools: batch } as never);
    await runJob(server, 'notifications.deliver', org.id);
  }
  const { items } = await inboxOf(server, org.id, second);
  expect(items.map(({ title, body }) => [title, body])).toEqual([
    ['52 tools were detected for the first time', 'Including Tool 37, Tool 38, Tool 39, Tool 40, Tool 41'],
  ]);
});

test('reports a tool as new only once', async () => {
  const entry = { id: 'npm', name: 'npm', vendor: null, icon: null, kind: 'package-manager', categories: [] } as const;
  const sighting = { tab: 'ci/cd', entry, source: 'github-actions', at: new Date() } as never;
  expect(await inOrg((tx) => recordSightings(tx, org.id, [sighting]))).toEqual([{ id: 'npm', name: 'npm' }]);
  expect(await inOrg((tx) => recordSightings(tx, org.id, [sighting]))).toEqual([]);
});

test('notifies only the owner of an extension, once, after a week of inactivity', async () => {
  const id = newId();
  const long = new Date(Date.now() - 8 * 86_400_000);
  await inOrg(({ db }) =>
    db
      .insertInto('extension_grant')
      .values({
        org_id: org.id,
        id,
        account_id: contributor.id,
        side: 'ide',
        type: 'vscode',
        device: '',
        hash: Buffer.from(id),
        created_at: long,
      })
      .execute(),
  );
  for (const _twice of [1, 2]) await runJob(server, 'notifications.remind', org.id);
  expect(await deliveredTo(contributor)).toEqual([
    expect.stringMatching(/^assigned extension.disconnected: Your extension in .* does not report$/),
  ]);
  expect((await inboxOf(server, org.id, contributor)).items[0]?.count).toBe(1);
  expect(await deliveredTo(org.owner)).toEqual([]);
});

test('groups failed deliveries and auditor requests into one notification each for members able to act', async () => {
  const to = { kind: 'webhook', id: newId(), name: 'hooks.example' } as const;
  const portal = { id: newId(), name: 'Audit of 2026' };
  const auditor = 'Petra Lang';
  const fail = (deliveryId: string) =>
    raise({ type: 'delivery.failed', to, deliveryId, because: 'The receiver responded with status 500.' });
  await raise({ type: 'portal.requested', portal, auditor, control: null });
  for (const deliveryId of ['one', 'two', 'three']) await fail(deliveryId);
  expect(await deliveredTo(org.owner)).toEqual([
    'owner delivery.failed: 3 deliveries to hooks.example failed',
    'owner portal.requested: Petra Lang requested evidence',
  ]);
  await raise({ type: 'portal.requested', portal, auditor, control: 'CHG-01' });
  await fail('four');
  expect((await deliveredTo(org.owner)).toSorted()).toEqual([
    'owner delivery.failed: 4 deliveries to hooks.example failed',
    'owner portal.requested: Petra Lang requested evidence 2 times',
  ]);
  const { items } = await inboxOf(server, org.id, org.owner);
  expect(items.map(({ link }) => link).toSorted()).toEqual([
    `/evidence/auditor-portals/${portal.id}`,
    `/organization/webhooks/${to.id}?delivery=four`,
  ]);
  // Reviewers answer requests, but do not manage webhooks.
  expect(await deliveredTo(reviewer)).toEqual(['subscribed portal.requested: Petra Lang requested evidence 2 times']);
  expect(await deliveredTo(contributor)).toEqual([]);
  await fail('five');
  await raise({ type: 'webhook.disabled', webhookId: to.id, url: to.name });
  expect((await deliveredTo(org.owner))[0]).toBe('owner webhook.disabled: A webhook was disabled');
  expect(await deliveredTo(org.owner)).toHaveLength(2);
});

test('deletes old read notifications unless they are saved', async () => {
  const createRow = (status: string, saved: boolean, scope: string) => ({
    org_id: org.id,
    account_id: org.owner.id,
    id: newId(),
    type: 'tool.new',
    severity: 3,
    title: scope,
    titles: scope,
    body: '',
    link: '/tools',
    reason: 'owner',
    scope_key: scope,
    count: 1,
    status,
    saved,
    in_app: true,
    subject: '{}',
    created_at: new Date(0),
    updated_at: new Date(0),
  });
  await inOrg(({ db }) =>
    db
      .insertInto('notification')
      .values([
        createRow('read', false, 'old'),
        createRow('archived', true, 'saved'),
        createRow('unread', false, 'unread'),
      ])
      .execute(),
  );
  await runJob(server, 'notifications.remind', org.id);
  const remaining = await inOrg(({ db }) =>
    db.selectFrom('notification').select('title').where('org_id', '=', org.id).orderBy('title').execute(),
  );
  expect(remaining).toEqual([{ title: 'saved' }, { title: 'unread' }]);
});

const raise = (notification: NewNotification) =>
  inOrg((tx) =>
    raiseNotifications(server.services, tx, org.id, { actor: { clock: true }, notifications: [notification] }),
  );

/** Makes an account a contributor of a repository. */
const addContributor = (repositoryId: string, who: TestAccount) =>
  inOrg((tx) =>
    tx.query({
      name: '',
      text: `insert into contributor (org_id, repository_id, person_id, name, email, commits, last_commit)
             select $1, $2, person_id, 'Grace Hopper', 'x@example.org', 1, now() from identity
             where org_id = $1 and kind = 'account' and value = $3`,
      values: [org.id, repositoryId, who.id],
    }),
  );
