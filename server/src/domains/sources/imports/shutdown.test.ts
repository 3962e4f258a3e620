import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';
import { queueImport } from './commands.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
});
afterAll(() => Promise.all([sandbox.close(), story.remove()]));

test('stops the server while an import waits for an unresponsive host', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  const { enableOnly, inOrg } = webhookHelpers(() => server);
  const org = await server.make.organization();
  const repositoryId = await enableOnly(org, sandbox);
  await sandbox.control('faults', { match: '/repos/sandbox/widgets/commits', delayMs: 25_000, times: 10 });
  await inOrg(org.id, (tx) => queueImport(server.services, tx, org.id, repositoryId));
  const state = () =>
    inOrg(org.id, ({ db }) => db.selectFrom('repository_import').select('state').executeTakeFirstOrThrow());
  await vi.waitFor(async () => expect(await state()).toEqual({ state: 'running' }), {
    timeout: 60_000,
    interval: 100,
  });
  const started = performance.now();
  await server.close();
  // 5 seconds, doubled for tests that run concurrently.
  expect(performance.now() - started).toBeLessThan(10_000);
});
