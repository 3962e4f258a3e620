import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chooseRepositories,
  getRepositoryById,
  listProviderRepos,
  listRepositories,
} from '@sightline/contract/repositories.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { deliveriesOn } from '../webhooks/deliveries.fixture.ts';

let story: ReturnType<typeof createRepository>;
let folder: string;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  story = createRepository();
  await story.start();
  for (const title of ['First', 'Second', 'Third']) await story.commit(title, { 'README.md': title });
  folder = await mkdtemp(join(tmpdir(), 'shallow-'));
  const clone = join(folder, 'widgets');
  execFileSync('git', ['clone', '--quiet', '--bare', '--depth', '2', `file://${story.path}`, clone]);
  sandbox = await startSandboxGithub([clone]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  acme = await server.make.organization();
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
  await rm(folder, { recursive: true });
});

const { bind, inOrg } = deliveriesOn(() => server);
const call = () => server.as(acme.owner, acme.id);

/** Enables the one repository there is, and waits until it is imported; answers its id. */
async function importRepository(): Promise<string> {
  const installation = String(sandbox.install().id);
  await bind(acme, installation);
  await syncRepositories(server.services, acme.id, 'github', installation);
  const { providerRepos } = await call()(listProviderRepos, {});
  const [[owner, [found]] = ['', []]] = Object.entries(providerRepos.github ?? {});
  const chosen = { github: { [owner]: [{ id: found?.id ?? '', tracked: true }] } };
  await call()(chooseRepositories, { body: { providerRepos: chosen } });
  return vi.waitFor(
    async () => {
      const [repository] = (await call()(listRepositories, {})).rows;
      expect(repository?.import?.state).toBe('done');
      return repository?.id ?? '';
    },
    { timeout: 20_000, interval: 100 },
  );
}

test('a history whose beginning the code host does not have is marked with the time of its first commit', async () => {
  const repositoryId = await importRepository();
  const find = () => call()(getRepositoryById, { params: { repositoryId } });
  expect(await find()).toMatchObject({ truncatedAt: '2024-01-01T09:02:00.000Z', counts: { commits: 2 } });
  // While commits are on their way, the oldest one is not the oldest there is.
  await inOrg(acme.id, ({ db }) => db.updateTable('repository_import').set({ phase: 'commits' }).execute());
  expect((await find()).truncatedAt).toBeNull();
});
