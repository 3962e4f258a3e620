import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../../sources/code-hosts/commands.ts';
import { webhookHelpers } from '../../sources/webhooks/deliveries.fixture.ts';
import { queueToolScan } from './commands.ts';
import { toolJobs } from './jobs.ts';

let story: ReturnType<typeof createRepository>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  story = createRepository();
  await story.start();
  await story.commit('First', { Dockerfile: 'FROM node:22\n' });
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
  acme = await server.make.organization();
  const installation = String(sandbox.install().id);
  await bind(acme, installation);
  await syncRepositories(server.services, acme.id, 'github', installation);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, bind } = webhookHelpers(() => server);

const detectedTools = () =>
  inOrg(acme.id, async ({ db }) => {
    const rows = await db
      .selectFrom('tool_detection')
      .select('tool_id')
      .where('removed_at', 'is', null)
      .orderBy('tool_id')
      .execute();
    return rows.map(({ tool_id }) => tool_id);
  });
const expectTools = (tools: string[]) =>
  vi.waitFor(async () => expect(await detectedTools()).toEqual(tools), { timeout: 30_000, interval: 100 });
const scan = () => inOrg(acme.id, ({ db }) => db.selectFrom('tool_scan').selectAll().executeTakeFirstOrThrow());
const expectDone = () =>
  vi.waitFor(async () => expect(await scan()).toMatchObject({ state: 'done' }), { timeout: 30_000, interval: 100 });

test('scans a repository once enabled, and again after a push to its default branch', async () => {
  const call = server.as(acme.owner, acme.id);
  const { providerRepos } = await call(listProviderRepos, {});
  const chosen = Object.entries(providerRepos.github ?? {}).map(([owner, list]) => [
    owner,
    list.map(({ id }) => ({ id, tracked: true })),
  ]);
  await call(enableRepositories, { body: { providerRepos: { github: Object.fromEntries(chosen) } } });
  await expectTools(['docker', 'nodejs']);
  await story.commit('Second', { '.snyk': '' });
  await sandbox.sandbox.refresh();
  await expectTools(['docker', 'nodejs', 'snyk']);
  await expectDone();
});

test('requeues a scan abandoned by a stopped process', { tags: 'full' }, async () => {
  sandbox.sandbox.deliverTo('http://127.0.0.1:9/nowhere');
  await story.commit('Third', { 'renovate.json': '{}' });
  await sandbox.sandbox.refresh();
  const longAgo = new Date(Date.now() - 24 * 3_600_000);
  await inOrg(acme.id, ({ db }) =>
    db.updateTable('tool_scan').set({ state: 'running', updated_at: longAgo }).execute(),
  );
  await toolJobs(server.services)
    .find(({ name }) => name === 'tools.resume')
    ?.handle({} as never);
  await expectTools(['docker', 'nodejs', 'renovate', 'snyk']);
  await expectDone();
});

test('waits when the code host rate limits a scan', async () => {
  const { id: repositoryId } = await inOrg(acme.id, ({ db }) =>
    db.selectFrom('repository').select('id').executeTakeFirstOrThrow(),
  );
  await sandbox.control('faults', { match: 'git/trees', status: 403, retryAfter: 3600 });
  await inOrg(acme.id, (tx) => queueToolScan(server.services, tx, acme.id, { repositoryId }));
  const error = expect.stringContaining('rate limiting requests until') as string;
  await vi.waitFor(async () => expect(await scan()).toMatchObject({ state: 'queued', error }), {
    timeout: 30_000,
    interval: 100,
  });
  // The job is queued after the scan.
  await vi.waitFor(
    async () => {
      const { rows } = await server.services.database.pool.query<{ waits: boolean }>(
        `select start_after > now() + interval '30 minutes' as waits from pgboss.job where name = 'tools.scan' and state = 'created'`,
      );
      expect(rows).toEqual([{ waits: true }]);
    },
    { timeout: 30_000, interval: 100 },
  );
});
