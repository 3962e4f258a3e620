import { enableRepositories, getRepository, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { webhookHelpers } from './deliveries.fixture.ts';

const story = await createStory();
const large = createRepository('large');
const vast = createRepository('vast');
let sandbox: SandboxGithub;
let server: TestServer;
let org: TestOrganization;
let installation: string;

beforeAll(async () => {
  for (const repository of [large, vast]) {
    await repository.start();
    for (let number = 1; number <= 70; number += 1) repository.git(['commit', '--allow-empty', '-m', `Step ${number}`]);
  }
  sandbox = await startSandboxGithub([story.path, large.path, vast.path], { rateLimit: 2000 });
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
  installation = String(sandbox.install().id);
  await bind(org, installation);
  await syncRepositories(server.services, org.id, 'github', installation);
  sandbox.sandbox.deliverTo(`${server.url}/api/webhooks/github`);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await Promise.all([story, large, vast].map((repository) => repository.remove()));
});

const { inOrg, bind, post } = webhookHelpers(() => server);
const patience = { timeout: 100_000, interval: 100 };

async function enable(...names: string[]): Promise<void> {
  const call = server.as(org.owner, org.id);
  const { providerRepos } = await call(listProviderRepos, {});
  const chosen = (providerRepos.github?.sandbox ?? []).filter(({ name }) => names.includes(name));
  const tracked = chosen.map(({ id }) => ({ id, tracked: true }));
  await call(enableRepositories, { body: { providerRepos: { github: { sandbox: tracked } } } });
}
const importOf = async (name: string) => {
  const params = { provider: 'github', repoPath: `sandbox/${name}` } as const;
  return (await server.as(org.owner, org.id)(getRepository, { params })).import;
};
const open = () =>
  inOrg(org.id, ({ db }) =>
    db.selectFrom('webhook_delivery').where('processed_at', 'is', null).select('event').execute(),
  );

test('imports a small repository without waiting for the changed files of large ones', {
  tags: 'full',
  timeout: 400_000,
}, async () => {
  const match = '/repos/sandbox/(large|vast)/commits/[0-9a-f]{40}';
  await sandbox.control('faults', { match, delayMs: 1000, times: 10_000 });
  await enable('large', 'vast');
  for (const name of ['large', 'vast']) {
    await vi.waitFor(async () => expect((await importOf(name))?.phase).toBe('files'), patience);
  }
  await enable('widgets');
  await vi.waitFor(async () => expect((await importOf('widgets'))?.phase).toBe('files'), patience);
  for (const name of ['large', 'vast']) expect((await importOf(name))?.state).not.toBe('done');
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  for (const name of ['large', 'vast', 'widgets']) {
    await vi.waitFor(async () => expect((await importOf(name))?.state).toBe('done'), patience);
  }
});

test('reserves the remaining rate limit for webhooks and commit lists', {
  tags: 'full',
  timeout: 200_000,
}, async () => {
  await sandbox.control('rate-limit', { remaining: 300, resetInSeconds: 3600 });
  await inOrg(org.id, ({ db }) => db.deleteFrom('repository_import').execute());
  await inOrg(org.id, ({ db }) => db.updateTable('repository').set({ tracked: false }).execute());
  await enable('widgets');
  await vi.waitFor(
    async () => expect(await importOf('widgets')).toMatchObject({ state: 'rate_limited', phase: 'pull_requests' }),
    patience,
  );
  const sha = await story.commit('Pushed meanwhile', { 'meanwhile.txt': 'x\n' });
  await sandbox.sandbox.refresh();
  const pushed = () =>
    inOrg(org.id, ({ db }) => db.selectFrom('commit').select('additions').where('sha', '=', sha).execute());
  await vi.waitFor(async () => expect(await pushed()).toEqual([{ additions: 1 }]), patience);
});

test('delays only work that needs the code host when its rate limit is exhausted', {
  tags: 'full',
  timeout: 200_000,
}, async () => {
  await sandbox.control('rate-limit', { remaining: 0, resetInSeconds: 3600 });
  const sha = await story.commit('Pushed too late', { 'late.txt': 'x\n' });
  await sandbox.sandbox.refresh();
  await vi.waitFor(async () => expect(await open()).toEqual([{ event: 'push' }]), patience);
  const renamed = {
    id: 900_001,
    name: 'one',
    full_name: 'octo/one',
    private: true,
    html_url: 'http://localhost/octo/one',
  };
  const about = { installation: { id: Number(installation) } };
  await post('repository', { action: 'created', repository: { ...renamed, default_branch: 'main' }, ...about });
  const found = () =>
    inOrg(org.id, ({ db }) => db.selectFrom('repository').select('name').where('name', '=', 'one').execute());
  await vi.waitFor(async () => expect(await found()).toHaveLength(1), patience);
  expect(await open()).toHaveLength(1);
  expect(
    await inOrg(org.id, ({ db }) => db.selectFrom('commit').select('sha').where('sha', '=', sha).execute()),
  ).toEqual([]);
});
