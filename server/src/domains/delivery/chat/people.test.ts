import { linkOwnChat, listOwnChats, testOwnChat, unlinkOwnChat } from '@sightline/contract/delivery/chat.ts';
import { getNotificationSettings, updateNotificationSettings } from '@sightline/contract/delivery/notifications.ts';
import { userIdOf } from '@sightline/sandbox/slack/api.ts';
import { workflowUrlOf } from '@sightline/sandbox/teams/workflows.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { refusalOf, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { inboxOf } from '../notifications/testing/scene.ts';
import { createChatHelpers, failedIntegration, resetWorkspace, startChatServers } from './connected.fixture.ts';

let github: SandboxGithub;
let server: TestServer;
let close: () => Promise<void>;
let org: TestOrganization;
beforeAll(async () => {
  ({ github, server, close } = await startChatServers());
});
beforeEach(async () => {
  resetWorkspace(github.sandbox.slack);
  org = await server.make.organization();
});
afterAll(() => close?.());

const { connect, raise, send, inOrg, messages } = createChatHelpers(
  () => server,
  () => github,
);
const as = (who: TestAccount) => server.as(who, org.id);
const params = { service: 'slack' } as const;

/** Adds a person with the address of an account to the workspace. Returns the ID of the user. */
function addUser({ id, email }: TestAccount): string {
  const login = `user-${id.slice(-6)}`;
  const user = { id: Number.parseInt(id.slice(-6), 16), login, name: login, type: 'User' as const, emails: [email] };
  const { users } = github.sandbox.host;
  users.byLogin.set(login, user);
  users.byEmail.set(email.toLowerCase(), user);
  return userIdOf(login);
}

const choose = async (who: TestAccount, type: 'integration.failed', channels: object, more: object = {}) => {
  const { matrix, minSeverity, cadence, repositories, quietHours, timezone, sendEmpty } = await as(who)(
    getNotificationSettings,
    {},
  );
  const body = {
    matrix: { ...matrix, [type]: { ...matrix[type], ...channels } },
    minSeverity,
    cadence,
    repositories,
    quietHours,
    timezone,
    sendEmpty,
    ...more,
  };
  return as(who)(updateNotificationSettings, { body });
};
const pass = () =>
  inOrg(org, (tx) =>
    tx.query({
      name: '',
      text: `update chat_message set due_at = now() - interval '1 second' where org_id = $1`,
      values: [org.id],
    }),
  );
const dueTimes = () =>
  inOrg<{ due_at: Date }[]>(org, ({ db }) =>
    db.selectFrom('chat_message').where('org_id', '=', org.id).select('due_at').execute(),
  );

test('sends the selected notifications to the Slack user with the confirmed address, and only to members who asked', async () => {
  await connect(org);
  const second = await server.make.member(org.id, 'rol_owner');
  const [user, other] = [addUser(org.owner), addUser(second)];
  expect(await as(org.owner)(linkOwnChat, { params, body: {} })).toMatchObject({
    available: true,
    linked: { state: 'active' },
  });
  await as(second)(linkOwnChat, { params, body: {} });
  await choose(org.owner, 'integration.failed', { slack: true });
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  // Messages to people are collected for a minute.
  expect(messages(user)).toEqual([]);
  await pass();
  await send(org);
  expect(messages(user).map(({ text }) => text)).toEqual(['GitLab failed']);
  expect(messages(other)).toEqual([]);
});

test('works for a member who wants Slack only', async () => {
  await connect(org);
  const user = addUser(org.owner);
  await as(org.owner)(linkOwnChat, { params, body: {} });
  await choose(org.owner, 'integration.failed', { inApp: false, mail: false, slack: true });
  await raise(org, [failedIntegration('GitLab')]);
  await pass();
  await send(org);
  expect(messages(user)).toHaveLength(1);
  expect((await inboxOf(server, org.id, org.owner)).items).toEqual([]);
});

test('delays messages until the end of quiet hours', async () => {
  await connect(org);
  addUser(org.owner);
  await as(org.owner)(linkOwnChat, { params, body: {} });
  // All day except the minute before now: in the quiet hours at any time.
  const minute = (offset: number) => new Date(Date.now() + offset * 60_000).toISOString().slice(11, 16);
  await choose(
    org.owner,
    'integration.failed',
    { slack: true },
    { quietHours: { from: minute(-10), until: minute(-20) }, timezone: 'UTC' },
  );
  await raise(org, [failedIntegration('GitLab')]);
  const [message] = await dueTimes();
  expect((message?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(22 * 3_600_000);
});

test('sends nothing to a member who was deactivated', async () => {
  await connect(org);
  const second = await server.make.member(org.id, 'rol_owner');
  const user = addUser(second);
  await as(second)(linkOwnChat, { params, body: {} });
  await choose(second, 'integration.failed', { slack: true });
  await raise(org, [failedIntegration('GitLab')]);
  await pass();
  await inOrg(org, ({ db }) =>
    db
      .updateTable('member')
      .set({ status: 'deactivated' })
      .where('org_id', '=', org.id)
      .where('account_id', '=', second.id)
      .execute(),
  );
  await send(org);
  expect(messages(user)).toEqual([]);
});

test('links no user by an unconfirmed address, and none without that address', async () => {
  expect(await refusalOf(as(org.owner)(linkOwnChat, { params, body: {} }))).toMatchObject({ status: 409 });
  await connect(org);
  expect(await refusalOf(as(org.owner)(linkOwnChat, { params, body: {} }))).toMatchObject({ status: 409 });
  addUser(org.owner);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db.updateTable('account').set({ email_verified_at: null }).where('id', '=', org.owner.id).execute(),
  );
  expect(await refusalOf(as(org.owner)(linkOwnChat, { params, body: {} }))).toMatchObject({ status: 409 });
});

test('links a workflow of Teams, tests it, and ends it', async () => {
  const { teams } = github.sandbox;
  const [, , own] = teams.workflows;
  if (!own) throw new Error('There is no workflow.');
  const teamsParams = { service: 'teams' } as const;
  expect(await refusalOf(as(org.owner)(linkOwnChat, { params: teamsParams, body: {} }))).toMatchObject({ status: 400 });
  await as(org.owner)(linkOwnChat, { params: teamsParams, body: { url: workflowUrlOf(teams, own) } });
  expect(await as(org.owner)(testOwnChat, { params: teamsParams })).toEqual({ ok: true, problem: null });
  expect(own.cards).toHaveLength(1);
  await as(org.owner)(unlinkOwnChat, { params: teamsParams });
  expect(await as(org.owner)(listOwnChats, {})).toMatchObject([{ linked: null }, { linked: null }]);
});
