import {
  addChatChannel,
  connectSlack,
  disconnectSlack,
  getSlack,
  listChatMessages,
  listSlackChannels,
  testChatChannel,
  updateChatChannel,
} from '@sightline/contract/delivery/chat.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import {
  currentToken,
  revokeToken,
  setInstalled,
  signingSecretOf,
  verifyRequestURL,
} from '@sightline/sandbox/slack/workspace.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import type { SandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { refusalOf, type TestOrganization, type TestServer } from '#testing/server.ts';
import {
  createChatHelpers,
  failedIntegration,
  general,
  resetWorkspace,
  security,
  startChatServers,
  waiverOf,
} from './connected.fixture.ts';
import { sendDue } from './send-due.ts';

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

const slack = () => github.sandbox.slack;
const { ask, connect, addSlack, raise, send, endDelays, channels, received, messages } = createChatHelpers(
  () => server,
  () => github,
);
const titles = (channel = security) => received(channel).map(([title]) => title);
const fault = (body: object) => github.control('faults', { match: 'chat.postMessage', times: 1, ...body });
const only = <T>(list: readonly T[]): T => {
  expect(list).toHaveLength(1);
  return list[0] as T;
};

test('connects a workspace and sends a notification to a channel once, with a link into the organization', async () => {
  expect(await connect(org)).toMatchObject({
    workspace: { team: 'Sandbox workspace', bot: 'sightline', status: 'active' },
  });
  await addSlack(org);
  await raise(org, [failedIntegration('GitLab')]);
  await Promise.all([send(org), send(org)]);
  const message = only(messages());
  expect(message.text).toBe('GitLab failed');
  const link = `http://localhost:1/integrations/source-code-management?organization=${org.id}`;
  expect(JSON.stringify(message.blocks)).toContain(link);
  const channel = only(await channels(org));
  expect(channel).toMatchObject({ name: '#security', state: 'active', pending: 0, problem: null });
  const { rows } = await ask(org)(listChatMessages, { params: { channelId: channel.id } });
  expect(rows).toMatchObject([
    { type: 'integration.failed', title: 'GitLab failed', status: 'delivered', digest: false },
  ]);
});

test('never returns the token, and seals it', async () => {
  const setup = await connect(org);
  const token = currentToken(slack());
  const seen = JSON.stringify([setup, await ask(org)(getSlack, {}), await ask(org)(listAudit, {})]);
  expect(seen).not.toContain(token);
  expect(seen).not.toContain(signingSecretOf(slack()));
  const row = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('chat_workspace').selectAll().where('org_id', '=', org.id).executeTakeFirstOrThrow(),
  );
  expect(row.token_sealed.toString('latin1')).not.toContain(token);
});

test('rejects tokens of another kind, invalid ones, and those of another workspace', async () => {
  const secret = signingSecretOf(slack());
  for (const token of ['xoxp-1234567890-1234', 'xoxb-1234567890-1234']) {
    const refused = await refusalOf(ask(org)(connectSlack, { body: { token, signingSecret: secret } }));
    expect(refused).toEqual({ status: 400, code: 'validation_failed' });
  }
  await connect(org);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db.updateTable('chat_workspace').set({ team_id: 'TOTHER' }).where('org_id', '=', org.id).execute(),
  );
  expect(await refusalOf(connect(org))).toEqual({ status: 409, code: 'conflict' });
});

test('lists the channels of all pages that the app can see, by name', async () => {
  await connect(org);
  const added = Array.from({ length: 450 }, (_, number) => `C0PAGE${String(number).padStart(4, '0')}`);
  for (const id of added)
    slack().kept.channels.push({
      id,
      name: `page-${id.slice(-4)}`,
      isPrivate: false,
      isMember: true,
      isArchived: false,
    });
  const { channels: found, more } = await ask(org)(listSlackChannels, { query: { search: 'page-0449' } });
  slack().kept.channels.splice(-450);
  expect([found.map(({ id }) => id), more]).toEqual([['C0PAGE0449'], false]);
  const all = await ask(org)(listSlackChannels, { query: {} });
  expect(all.channels.map(({ name }) => name)).toEqual(['general', 'random', 'security']);
  expect(await refusalOf(addSlack(org, 'C0NOTTHERE'))).toMatchObject({ status: 400 });
  await addSlack(org, general);
  expect(await refusalOf(addSlack(org, general))).toMatchObject({ status: 409 });
});

test('sends messages about the same finding to one thread, and others beside it', async () => {
  await connect(org);
  await addSlack(org);
  const [first, second] = [newId(), newId()];
  await raise(org, [waiverOf(first)]);
  await send(org);
  await raise(org, [waiverOf(first, 'exception.expired'), waiverOf(second)]);
  await send(org);
  const [root, reply, other] = messages();
  expect(root?.thread_ts).toBeUndefined();
  expect([reply?.thread_ts, other?.thread_ts].filter((thread) => thread === root?.ts)).toHaveLength(1);
  expect(messages()).toHaveLength(3);
  // After the thread was deleted in Slack, the next message starts another one.
  slack().kept.messages.length = 0;
  await raise(org, [waiverOf(first)]);
  await send(org);
  expect(only(messages()).thread_ts).toBeUndefined();
});

test('escapes titles of attackers: no mention, no link, no formatting', async () => {
  await connect(org);
  await addSlack(org);
  const hostile = '<!channel> <https://evil.example|Sign in> *x* & \u202Etxt.exe';
  await raise(org, [failedIntegration(hostile)]);
  await send(org);
  const { text, blocks } = only(messages());
  expect(text).toBe('&lt;!channel&gt; &lt;https://evil.example|Sign in&gt; *x* &amp; txt.exe failed');
  const { elements } = blocks[0] as { elements: { elements: { type: string; text: string }[] }[] };
  // Text elements of rich text are literal.
  expect(elements[0]?.elements[0]).toMatchObject({
    type: 'text',
    text: '<!channel> <https://evil.example|Sign in> *x* & txt.exe failed',
  });
  expect(JSON.stringify(blocks)).not.toContain('mrkdwn');
});

test('sends only selected types, severities and repositories', async () => {
  await connect(org);
  await addSlack(org, security, { types: ['finding.new'], minSeverity: 'high' });
  await addSlack(org, general, { minSeverity: 'critical' });
  const repository = { id: newId(), name: 'acme/api' };
  await raise(org, [
    failedIntegration('GitLab'),
    { type: 'finding.new', repository, tool: 'CodeQL', tally: [0, 2, 5, 1, 0] },
    { type: 'finding.new', repository, tool: 'Semgrep', tally: [0, 0, 5, 1, 0] },
  ]);
  await send(org);
  expect(titles()).toEqual(['2 new vulnerabilities in acme/api']);
  expect(received()[0]?.join(' ')).toContain('2 high');
  expect(titles(general)).toEqual([]);
});

test('waits as long as Slack asks to, loses nothing, and sends one digest afterwards', async () => {
  await connect(org);
  await addSlack(org);
  await fault({ status: 429, retryAfter: 30 });
  await raise(org, [failedIntegration('First')]);
  const before = Date.now();
  await send(org);
  expect(messages()).toEqual([]);
  const limited = only(await channels(org));
  expect(limited).toMatchObject({ state: 'limited', pending: 1, problem: 'Slack limits the number of messages.' });
  const seconds = (Date.parse(limited.resumesAt ?? '') - before) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(30);
  expect(seconds).toBeLessThan(60);
  // Nothing is sent before that time.
  await raise(
    org,
    Array.from({ length: 20 }, (_, number) => failedIntegration(`Later ${number}`)),
  );
  await send(org);
  expect(messages()).toEqual([]);
  await endDelays(org);
  await send(org);
  expect(titles()).toEqual([`21 notifications from ${org.name}`]);
  expect(only(await channels(org))).toMatchObject({ state: 'active', pending: 0, problem: null, resumesAt: null });
});

test('repeats a post whose result is unknown under the same ID, so that it appears once', async () => {
  await connect(org);
  await addSlack(org);
  // Slack accepts the message, and the connection breaks in its response.
  await fault({ truncate: true });
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  expect(messages()).toHaveLength(1);
  expect(only(await channels(org))).toMatchObject({ state: 'failing', pending: 1 });
  // Later notifications do not change the post that is repeated.
  await raise(org, [failedIntegration('GitHub')]);
  await endDelays(org);
  await send(org);
  expect(titles()).toEqual(['GitLab failed', 'GitHub failed']);
  expect(only(await channels(org))).toMatchObject({ state: 'active', pending: 0 });
});

test('repeats an unclear post under the same ID also after a limit', async () => {
  await connect(org);
  await addSlack(org);
  await fault({ truncate: true });
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  await fault({ status: 429, retryAfter: 1 });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await endDelays(org);
    await send(org);
  }
  expect(titles()).toEqual(['GitLab failed']);
  expect(only(await channels(org))).toMatchObject({ state: 'active', pending: 0 });
});

test('retries after a failure of Slack with growing delays', async () => {
  await connect(org);
  await addSlack(org);
  await fault({ status: 500, times: 2 });
  await raise(org, [failedIntegration('GitLab')]);
  const delays: number[] = [];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const before = Date.now();
    await send(org);
    const { resumesAt } = only(await channels(org));
    delays.push(Math.round((Date.parse(resumesAt ?? '') - before) / 1000));
    await endDelays(org);
  }
  expect(delays[0]).toBeGreaterThanOrEqual(5);
  expect(delays[1]).toBeGreaterThanOrEqual(30);
  await send(org);
  expect(titles()).toEqual(['GitLab failed']);
});

test('keeps messages while the token is revoked, and sends them once with the next token', async () => {
  await connect(org);
  await addSlack(org);
  await addSlack(org, general);
  await revokeToken(slack());
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  await send(org);
  expect((await ask(org)(getSlack, {})).workspace).toMatchObject({
    status: 'error',
    problem: expect.stringContaining('The token was revoked in Slack'),
  });
  expect((await channels(org)).map(({ state, pending }) => [state, pending])).toEqual([
    ['waiting', 1],
    ['waiting', 1],
  ]);
  const raised = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('notification_pending').select('notification').where('org_id', '=', org.id).execute(),
  );
  expect(raised).toMatchObject([{ notification: { type: 'integration.failed', key: 'slack' } }]);
  await connect(org);
  await send(org);
  expect([titles(), titles(general)]).toEqual([['GitLab failed'], ['GitLab failed']]);
});

test('sends no failure of Slack to Slack', async () => {
  await connect(org);
  await addSlack(org);
  await raise(org, [
    { type: 'integration.failed', key: 'slack', name: 'Slack', category: 'chat', message: 'The token was revoked.' },
    failedIntegration('GitLab'),
  ]);
  await send(org);
  expect(titles()).toEqual(['GitLab failed']);
});

test('names a missing permission of the app', async () => {
  await connect(org);
  await addSlack(org);
  slack().kept.missing = ['chat:write'];
  const { id } = only(await channels(org));
  expect(await ask(org)(testChatChannel, { params: { channelId: id } })).toEqual({
    ok: false,
    problem: expect.stringMatching(/^The app lacks a permission \(chat:write\)/),
  });
});

test('delays only the channel that the app was removed from', async () => {
  await connect(org);
  const { id } = await addSlack(org);
  await addSlack(org, general);
  for (const channel of slack().kept.channels) if (channel.id === security) channel.isMember = false;
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  expect(titles(general)).toEqual(['GitLab failed']);
  const [failing] = await channels(org);
  expect(failing).toMatchObject({
    id,
    state: 'failing',
    pending: 1,
    problem: expect.stringContaining('Invite the app'),
  });
  for (const channel of slack().kept.channels) channel.isMember = true;
  expect(await ask(org)(testChatChannel, { params: { channelId: id } })).toEqual({ ok: true, problem: null });
  await send(org);
  expect(titles()).toEqual([`This is a test: messages of ${org.name} arrive here.`, 'GitLab failed']);
});

test('disables a channel after days of failures, keeps its messages, and sends them after enabling it', async () => {
  await connect(org);
  const { id } = await addSlack(org);
  for (const channel of slack().kept.channels) channel.isArchived = true;
  await server.services.database.withOrg(org.id, (tx) =>
    tx.query({
      name: '',
      text: `update chat_target set failing_since = now() - interval '6 days' where org_id = $1`,
      values: [org.id],
    }),
  );
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  expect(only(await channels(org))).toMatchObject({ state: 'auto_disabled', pending: 1 });
  const { entries } = await ask(org)(listAudit, {});
  expect(entries.map(({ action }) => action)).toContain('chat_channel.auto_disabled');
  resetWorkspace(slack());
  await ask(org)(updateChatChannel, { params: { channelId: id }, body: { enabled: true } });
  await send(org);
  expect(titles()).toEqual(['GitLab failed']);
});

test('sends ten thousand notifications of a minute as a handful of messages, and counts each', {
  tags: ['full'],
  timeout: 300_000,
}, async () => {
  await connect(org);
  await addSlack(org);
  const { id: orgId } = org;
  for (let part = 0; part < 4; part += 1) {
    await raise(
      org,
      Array.from({ length: 2_500 }, (_, number) => failedIntegration(`Host ${part * 2_500 + number}`)),
    );
    await send(org);
  }
  await endDelays(org);
  await send(org);
  const counted = titles().map((title) => Number(/^(\d+) notifications/.exec(title ?? '')?.[1] ?? 1));
  expect(counted.length).toBeLessThanOrEqual(10);
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(10_000);
  const [row] = await server.services.database.withOrg(orgId, (tx) =>
    tx.query<{ delivered: number; posts: number }>({
      name: '',
      text: `select count(*) filter (where status = 'delivered')::int as delivered, count(distinct post_id)::int as posts
             from chat_message where org_id = $1`,
      values: [orgId],
    }),
  );
  expect(row).toEqual({ delivered: 10_000, posts: counted.length });
});

test('posts at most ten messages a minute to a channel', async () => {
  await connect(org);
  await addSlack(org);
  for (let number = 0; number < 14; number += 1) {
    await raise(org, [failedIntegration(`Host ${number}`)]);
    await send(org);
  }
  expect(messages()).toHaveLength(10);
  expect(only(await channels(org))).toMatchObject({ pending: 4 });
  await endDelays(org);
  await send(org);
  expect(titles().at(-1)).toBe('Host 13 failed');
  expect(messages()).toHaveLength(14);
});

test('sends no post while another process is sending', async () => {
  await connect(org);
  const { id } = await addSlack(org);
  await raise(org, [failedIntegration('GitLab')]);
  await server.services.database.withOrg(org.id, async (tx) => {
    await tx.query({
      name: '',
      text: 'select from chat_target where org_id = $1 and id = $2 for update',
      values: [org.id, id],
    });
    // A process that waited for the lock would block until the test times out.
    await sendDue(server.services, { orgId: org.id, targetId: id });
  });
  expect(messages()).toEqual([]);
});

test('deletes token, channels and messages when an owner disconnects', async () => {
  await connect(org);
  await addSlack(org);
  await raise(org, [failedIntegration('GitLab')]);
  await ask(org)(disconnectSlack, {});
  await send(org);
  expect(messages()).toEqual([]);
  const counts = await server.services.database.withOrg(org.id, (tx) =>
    tx.query({
      name: '',
      text: `select (select count(*)::int from chat_workspace where org_id = $1) as workspaces,
               (select count(*)::int from chat_target where org_id = $1) as targets,
               (select count(*)::int from chat_message where org_id = $1) as messages`,
      values: [org.id],
    }),
  );
  expect(counts).toEqual([{ workspaces: 0, targets: 0, messages: 0 }]);
  expect(await refusalOf(ask(org)(addChatChannel, { body: { service: 'slack', channel: general } }))).toMatchObject({
    status: 409,
  });
});

test('verifies the request URL, and shows at once that the app was removed', async () => {
  await connect(org);
  const url = `${server.url}/api/webhooks/slack/${org.id}`;
  expect(await verifyRequestURL(slack(), url)).toBe(true);
  expect(await verifyRequestURL(slack(), `${server.url}/api/webhooks/slack/${newId()}`)).toBe(false);
  expect(await verifyRequestURL(slack(), url)).toBe(true);
  // The event has a time in seconds, which must be after the connection.
  await server.services.database.withOrg(org.id, (tx) =>
    tx.query({
      name: '',
      text: `update chat_workspace set connected_at = now() - interval '1 hour' where org_id = $1`,
      values: [org.id],
    }),
  );
  await setInstalled(slack(), false);
  expect(slack().events.at(-1)).toMatchObject({ type: 'app_uninstalled', status: 200 });
  expect((await ask(org)(getSlack, {})).workspace).toMatchObject({
    status: 'error',
    problem: expect.stringContaining('The app was removed from the Slack workspace'),
  });
});
