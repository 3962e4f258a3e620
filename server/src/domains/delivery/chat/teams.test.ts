import { updateChatChannel } from '@sightline/contract/delivery/chat.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { workflowUrlOf } from '@sightline/sandbox/teams/workflows.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxGithub } from '#providers/github/sandbox.fixture.ts';
import type { TestOrganization, TestServer } from '#testing/server.ts';
import { createChatHelpers, failedIntegration, startChatServers } from './connected.fixture.ts';

let github: SandboxGithub;
let server: TestServer;
let close: () => Promise<void>;
let org: TestOrganization;
beforeAll(async () => {
  ({ github, server, close } = await startChatServers());
});
beforeEach(async () => {
  for (const workflow of workflows()) Object.assign(workflow, { state: 'on', cards: [] });
  org = await server.make.organization();
});
afterAll(() => close?.());

const workflows = () => github.sandbox.teams.workflows;
const { ask, addTeams, raise, send, endDelays, channels } = createChatHelpers(
  () => server,
  () => github,
);
const cards = () => (workflows()[0]?.cards ?? []) as { body: { text: string }[]; actions: { url: string }[] }[];

test('posts a card with a link, and keeps the URL of the workflow secret', async () => {
  const channel = await addTeams(org);
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  expect(cards()).toHaveLength(1);
  expect(cards()[0]).toMatchObject({
    type: 'AdaptiveCard',
    body: [{ text: 'GitLab failed' }, { text: 'It does not respond\\.' }, {}],
    actions: [{ type: 'Action.OpenUrl', url: expect.stringContaining(`organization=${org.id}`) }],
  });
  expect(channel).toMatchObject({ name: 'Security', service: 'teams', host: new URL(github.sandbox.url).host });
  const seen = JSON.stringify([channel, await channels(org), await ask(org)(listAudit, {})]);
  expect(seen).not.toContain('/workflows/');
  expect(seen).not.toContain('sig=');
});

test('escapes Markdown, mentions and functions of cards', async () => {
  await addTeams(org);
  await raise(org, [failedIntegration('[x](https://evil.example) <at>All</at> {{DATE(1)}} @{triggerBody()} **b**')]);
  await send(org);
  expect(cards()[0]?.body[0]?.text).toBe(
    '\\[x\\]\\(https://evil\\.example\\) &lt;at&gt;All&lt;/at&gt; \\{\\{DATE\\(1\\)\\}\\} @\u2060\\{triggerBody\\(\\)\\} \\*\\*b\\*\\* failed',
  );
});

test('becomes a digest after a limit, with counts and the most severe notifications', async () => {
  await addTeams(org);
  await github.control('faults', { match: 'triggers/manual', status: 429, retryAfter: 60, times: 1 });
  await raise(
    org,
    Array.from({ length: 11 }, (_, number) => failedIntegration(`Host ${number}`)),
  );
  await send(org);
  expect(cards()).toEqual([]);
  expect(await channels(org)).toMatchObject([{ state: 'limited', pending: 11 }]);
  await endDelays(org);
  await send(org);
  expect(cards()).toHaveLength(1);
  expect(
    cards()[0]
      ?.body.map(({ text }) => text)
      .slice(0, 3),
  ).toEqual([`11 notifications from ${org.name}`, '11 × Integration failed', 'Most severe:']);
});

test('disables a deleted workflow at once, and sends its messages to the next one', async () => {
  const { id } = await addTeams(org);
  Object.assign(workflows()[0] ?? {}, { state: 'deleted' });
  await raise(org, [failedIntegration('GitLab')]);
  await send(org);
  expect(await channels(org)).toMatchObject([
    { state: 'auto_disabled', pending: 1, problem: expect.stringContaining('The workflow was deleted') },
  ]);
  const url = workflowUrlOf(github.sandbox.teams, workflows()[1] ?? { id: '' });
  await ask(org)(updateChatChannel, { params: { channelId: id }, body: { url, enabled: true } });
  await send(org);
  expect(workflows()[1]?.cards).toHaveLength(1);
  expect(await channels(org)).toMatchObject([{ state: 'active', pending: 0 }]);
});
