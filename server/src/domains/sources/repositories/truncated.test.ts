import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  enableRepositories,
  getRepository,
  listProviderRepos,
  type RepositoryDetail,
} from '@sightline/contract/sources/repositories.ts';
import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';

let origin: Awaited<ReturnType<typeof createStory>>;
let folder: string;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clones-'));
  const short = createRepository();
  await short.start();
  for (const title of ['First', 'Second', 'Third']) await short.commit(title, { 'README.md': title });
  const shallow = clone(short.path, 'shallow', '--bare', '--depth', '2');
  await short.remove();
  origin = await createStory();
  origin.git(['config', 'uploadpack.allowFilter', 'true']);
  sandbox = await startSandboxGithub([shallow, clone(origin.path, 'partial', '--filter=blob:none')]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  acme = await server.make.organization();
  const installation = String(sandbox.install().id);
  await bind(acme, installation);
  await syncRepositories(server.services, acme.id, 'github', installation);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await origin.remove();
  await rm(folder, { recursive: true });
});

/** Returns the path of a clone without the URL of its origin, so that git cannot fetch missing objects. */
function clone(from: string, name: string, ...options: string[]): string {
  const path = join(folder, name);
  execFileSync('git', ['clone', '--quiet', ...options, `file://${from}`, path], { stdio: 'ignore' });
  execFileSync('git', ['-C', path, 'config', 'remote.origin.url', `https://github.com/sandbox/${name}.git`]);
  return path;
}

const { bind, inOrg } = webhookHelpers(() => server);
const call = () => server.as(acme.owner, acme.id);
const find = (name: string) => call()(getRepository, { params: { provider: 'github', repoPath: `sandbox/${name}` } });

/** Enables a repository and waits for its import. */
async function importRepository(name: string): Promise<RepositoryDetail> {
  const { providerRepos } = await call()(listProviderRepos, {});
  const id = providerRepos.github?.sandbox?.find((one) => one.name === name)?.id ?? '';
  await call()(enableRepositories, { body: { providerRepos: { github: { sandbox: [{ id, tracked: true }] } } } });
  return vi.waitFor(
    async () => {
      const found = await find(name);
      expect(found.import?.state).toBe('done');
      return found;
    },
    { timeout: 40_000, interval: 100 },
  );
}

test('marks an incomplete history with the time of its first available commit', async () => {
  expect(await importRepository('shallow')).toMatchObject({
    truncatedAt: '2024-01-01T09:02:00.000Z',
    counts: { commits: 2 },
  });
  // During the import of commits, the oldest stored commit is not final.
  await inOrg(acme.id, ({ db }) => db.updateTable('repository_import').set({ phase: 'commits' }).execute());
  expect((await find('shallow')).truncatedAt).toBeNull();
  await inOrg(acme.id, ({ db }) => db.updateTable('repository_import').set({ phase: 'files' }).execute());
});

test('imports all commits and pull requests of a partial clone, and lists the commits with missing files', {
  tags: 'full',
}, async () => {
  const found = await importRepository('partial');
  expect(found).toMatchObject({
    truncatedAt: null,
    import: { state: 'done', error: null },
    counts: {
      commits: Number(origin.git(['rev-list', '--count', 'main'])),
      pullRequests: sandbox.sandbox.host.repositories.find(({ name }) => name === 'partial')?.git.pullRequests.length,
    },
  });
  expect(found.missing.length).toBeGreaterThan(0);
  expect(found.import?.missing).toBe(found.missing.length);
  expect(found.missing.length).toBeLessThan(found.counts.commits);
  for (const { item, ...gap } of found.missing) {
    expect(gap).toEqual({
      kind: 'files',
      reason: expect.stringMatching(
        new RegExp(`^GitHub answered 410: The repository is a partial clone without the files of commit ${item}`),
      ),
      nextAttemptAt: null,
    });
    // The reason contains neither the path of the clone nor the message of git.
    expect(gap.reason).not.toMatch(/\/tmp|fatal/);
  }
});
