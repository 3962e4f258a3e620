import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHost, listHostWorkspaces, selectHostWorkspaces } from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, getRepository, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSandboxBitbucket } from '#providers/bitbucket/sandbox.fixture.ts';
import { startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { startTestServer } from '#testing/server.ts';

let origin: Awaited<ReturnType<typeof createStory>>;
let folder: string;
let clone: string;

beforeAll(async () => {
  origin = await createStory();
  origin.git(['config', 'uploadpack.allowFilter', 'true']);
  folder = await mkdtemp(join(tmpdir(), 'clones-'));
  clone = join(folder, 'partial');
  execFileSync('git', ['clone', '--quiet', '--filter=blob:none', `file://${origin.path}`, clone], { stdio: 'ignore' });
  execFileSync('git', ['-C', clone, 'config', 'remote.origin.url', 'https://github.com/sandbox/partial.git']);
});
afterAll(async () => {
  await origin.remove();
  await rm(folder, { recursive: true });
});

const hosts = {
  gitlab: async () => {
    const sandbox = await startSandboxGitlab([clone]);
    return { sandbox, credentials: { token: sandbox.tokenOf() } };
  },
  bitbucket: async () => {
    const sandbox = await startSandboxBitbucket([clone]);
    return { sandbox, credentials: sandbox.apiToken() };
  },
};
const soon = { timeout: 40_000, interval: 100 };

test.each([
  ['gitlab', 'GitLab'],
  ['bitbucket', 'Bitbucket'],
] as const)(
  'imports the commits and pull requests of a partial clone from %s and lists missing items',
  {
    tags: 'full',
    timeout: 120_000,
  },
  async (provider, name) => {
    const { sandbox, credentials } = await hosts[provider]();
    const server = await startTestServer({ environment: sandbox.environment, jobs: true });
    try {
      const { id, owner } = await server.make.organization();
      const call = server.as(owner, id);
      const params = { provider };
      await call(connectHost, { params, body: credentials });
      const scopes = await call(listHostWorkspaces, { params });
      await call(selectHostWorkspaces, { params, body: { ids: scopes.map((scope) => scope.id) } });
      const [scopePath, repository] = await vi.waitFor(async () => {
        const { providerRepos } = await call(listProviderRepos, {});
        const [[path, [offered]] = ['', []]] = Object.entries(providerRepos[provider] ?? {});
        if (!offered) throw new Error('no repository is offered yet');
        return [path, offered] as const;
      }, soon);
      const chosen = { [provider]: { [scopePath]: [{ id: repository.id, tracked: true }] } };
      await call(enableRepositories, { body: { providerRepos: chosen } });
      const found = await vi.waitFor(async () => {
        const detail = await call(getRepository, { params: { provider, repoPath: repository.fullName } });
        expect(detail.import?.state).toBe('done');
        return detail;
      }, soon);
      expect(found.counts).toMatchObject({
        commits: Number(origin.git(['rev-list', '--count', 'main'])),
        pullRequests: sandbox.sandbox.host.repositories[0]?.git.pullRequests.length,
      });
      expect(found.missing.length).toBeGreaterThan(0);
      expect(found.missing.length).toBeLessThan(found.counts.commits);
      for (const { kind, item, reason } of found.missing) {
        expect(kind).toBe('files');
        expect(reason).toMatch(
          `${name} answered 410: The repository is a partial clone without the files of commit ${item}`,
        );
        expect(reason).not.toMatch(/\/tmp|fatal/);
      }
    } finally {
      await server.close();
      await sandbox.close();
    }
  },
);
