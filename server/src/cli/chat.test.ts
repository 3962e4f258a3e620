import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addChatChannel, getSlack } from '@sightline/contract/delivery/chat.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { currentToken, signingSecretOf } from '@sightline/sandbox/slack/workspace.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from './testing/in-process.ts';

let repository: ReturnType<typeof createRepository>;
let github: SandboxGithub;
let server: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-chat-'));
  repository = createRepository('widgets');
  await repository.start();
  await repository.commit('First steps');
  github = await startSandboxGithub([repository.path]);
  server = await startTestServer({ environment: { SLACK_API_URL: `${github.sandbox.url}/slack/api` } });
});
afterAll(async () => {
  await server?.close();
  await github?.close();
  await repository?.remove();
  await rm(folder, { recursive: true, force: true });
});

test('connects Slack from files, lists its state, and disconnects it, recorded as the operator', async () => {
  const org = await server.make.organization();
  const ask = server.as(org.owner, org.id);
  const { slack } = github.sandbox;
  const [token, secret] = [join(folder, 'token'), join(folder, 'secret')];
  await writeFile(token, `${currentToken(slack)}\n`);
  await writeFile(secret, `${signingSecretOf(slack)}\n`);
  const cli = operatorCliOf(server, { SLACK_API_URL: `${github.sandbox.url}/slack/api` });
  await cli.ask('outbound', 'allow', github.sandbox.url, '--org', org.id, '--purpose', 'chat');
  const connected = await cli.ask(
    'chat',
    'connect-slack',
    '--org',
    org.id,
    '--token',
    token,
    '--signing-secret',
    secret,
  );
  expect(connected).toMatchObject({ workspace: { team: 'Sandbox workspace', status: 'active' } });
  await ask(addChatChannel, { body: { service: 'slack', channel: 'C0SECURITY' } });
  expect(await cli.ask('chat', 'list', '--org', org.id)).toMatchObject({
    services: [
      { service: 'slack', channels: 1, pending: 0, workspace: { team: 'Sandbox workspace', problem: null } },
      { service: 'teams', channels: 0 },
    ],
  });
  await cli.ask('chat', 'disconnect', 'slack', '--org', org.id);
  expect((await ask(getSlack, {})).workspace).toBeNull();
  const { entries } = await ask(listAudit, {});
  expect(
    entries.filter(({ action }) => action.startsWith('integration.')).map(({ action, actor }) => [action, actor.kind]),
  ).toEqual([
    ['integration.disconnected', 'operator'],
    ['integration.connected', 'operator'],
  ]);
});
