import {
  enableRepositories,
  getRepository,
  listProviderRepos,
  retryImport,
} from '@sightline/contract/sources/repositories.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  story = await createStory();
  const dated = story.git(['commit-tree', '-p', 'HEAD', '-m', 'From the year 10000', 'HEAD^{tree}'], {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    date: '@253402300800 +0000',
  });
  story.git(['reset', '--quiet', '--hard', dated]);
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
  const installation = String(sandbox.install().id);
  await bind(org, installation);
  await syncRepositories(server.services, org.id, 'github', installation);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { bind } = webhookHelpers(() => server);
const patience = { timeout: 80_000, interval: 100 };
const params = { provider: 'github', repoPath: 'sandbox/widgets' } as const;
const call: ReturnType<TestServer['as']> = (...input) => server.as(org.owner, org.id)(...input);
const detail = () => call(getRepository, { params });

test('records failing items as missing, imports all others, and Retry imports the rest', {
  tags: ['full'],
  timeout: 200_000,
}, async () => {
  const bad = story.git(['rev-parse', 'HEAD~2']);
  const failing = { status: 500, times: 10_000 };
  await sandbox.control('faults', { match: '/pulls/7$', ...failing });
  await sandbox.control('faults', { match: `/commits/${bad}`, ...failing });
  // Beyond the range of the column for pull request numbers.
  const pulls = sandbox.sandbox.host.repositories[0]?.git.pullRequests ?? [];
  const odd = pulls.find(({ number }) => number === 12);
  if (odd) odd.number = 3_000_000_000;
  const { providerRepos } = await call(listProviderRepos, {});
  const [repository] = providerRepos.github?.sandbox ?? [];
  const chosen = { github: { sandbox: [{ id: repository?.id ?? '', tracked: true }] } };
  await call(enableRepositories, { body: { providerRepos: chosen } });
  await vi.waitFor(async () => expect((await detail()).import?.state).toBe('done'), patience);

  const found = await detail();
  const reason = 'GitHub answered 500';
  expect(found.missing).toMatchObject([
    { kind: 'pull_request', item: '3000000000', reason: expect.stringContaining('not understood (number)') },
    { kind: 'pull_request', item: '7', reason, nextAttemptAt: expect.any(String) },
    { kind: 'files', item: bad, reason },
  ]);
  expect(found.import).toMatchObject({ state: 'done', error: null, missing: 3 });
  expect(found.counts.commits).toBe(Number(story.git(['rev-list', '--count', 'main'])));
  expect(found.counts.pullRequests).toBe(pulls.length - 2);

  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  if (odd) odd.number = 12;
  await call(retryImport, { params });
  // The host has no pull request with that number, so that it is not retried.
  const remaining = [{ kind: 'pull_request', item: '3000000000', nextAttemptAt: null }];
  await vi.waitFor(async () => expect((await detail()).missing).toMatchObject(remaining), patience);
  const retried = await detail();
  expect(retried.counts.pullRequests).toBe(pulls.length - 1);
  expect(retried.import).toMatchObject({ state: 'done', missing: 1 });
});
