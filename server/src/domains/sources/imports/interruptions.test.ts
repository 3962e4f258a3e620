import { execFileSync } from 'node:child_process';
import { enableRepositories, getRepository, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';

const [merging, long] = [createRepository('merging'), createRepository('long')];
const pullRequests = 40;
const commits = 400;
let sandbox: SandboxGithub;
let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  await merging.start();
  await long.start();
  execFileSync('git', ['fast-import', '--quiet'], { cwd: merging.path, input: mergesOf(pullRequests) });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: long.path, input: lineOf(commits) });
  sandbox = await startSandboxGithub([merging.path, long.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
  const installation = String(sandbox.install().id);
  await bind(org, installation);
  await syncRepositories(server.services, org.id, 'github', installation);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await Promise.all([merging.remove(), long.remove()]);
});

const { bind, inOrg } = webhookHelpers(() => server);
const patience = { timeout: 150_000, interval: 100 };

test('continues an import within a page of pull requests after a rate limit', {
  tags: 'full',
  timeout: 180_000,
}, async () => {
  // One page needs more requests than this: an import that restarts the page would never finish.
  const limit = { status: 429, retryAfter: 6, times: 1_000 };
  await sandbox.control('faults', { match: '/repos/sandbox/merging/pulls/', every: pullRequests, ...limit });
  await enable('merging');
  await vi.waitFor(async () => expect((await detail('merging')).import?.state).toBe('done'), patience);
  const { counts, missing } = await detail('merging');
  expect(counts.pullRequests).toBe(pullRequests);
  expect(missing).toEqual([]);
});

test('imports the changed files of many commits with few requests, and the same ones as git', {
  timeout: 180_000,
}, async () => {
  const before = await requestsUsed();
  await enable('long');
  await vi.waitFor(async () => expect((await detail('long')).import?.state).toBe('done'), patience);
  expect((await requestsUsed()) - before).toBeLessThan(commits / 4);
  const stored = await inOrg(org.id, ({ db }) =>
    db
      .selectFrom('commit as c')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'c.org_id').onRef('r.id', '=', 'c.repository_id'),
      )
      .where('r.name', '=', 'long')
      .select(['c.sha', 'c.files', 'c.additions'])
      .execute(),
  );
  const paths = (files: unknown) => (files as { path: string }[]).map(({ path }) => path).sort();
  const imported = stored.map(({ sha, files, additions }) => `${sha} ${additions} ${paths(files)}`).sort();
  const log = long.git(['log', '--format=%x01%H', '--numstat', 'main']).split('\u0001').slice(1);
  const expected = log.map((entry) => {
    const [sha = '', ...lines] = entry.split('\n').filter((line) => line !== '');
    const rows = lines.map((line) => line.split('\t'));
    const sum = rows.reduce((total, [additions]) => total + Number(additions), 0);
    return `${sha} ${sum} ${rows.map(([, , path = '']) => path).sort()}`;
  });
  expect(imported).toEqual(expected.sort());
});

const detail = (name: string) =>
  server.as(org.owner, org.id)(getRepository, { params: { provider: 'github', repoPath: `sandbox/${name}` } });

async function enable(name: string): Promise<void> {
  const call = server.as(org.owner, org.id);
  const { providerRepos } = await call(listProviderRepos, {});
  const repository = providerRepos.github?.sandbox?.find((one) => one.name === name);
  if (!repository) throw new Error(`the sandbox offers no ${name}`);
  const chosen = { github: { sandbox: [{ id: repository.id, tracked: true }] } };
  await call(enableRepositories, { body: { providerRepos: chosen } });
}

/** The number of REST requests; GraphQL has a separate limit. */
async function requestsUsed(): Promise<number> {
  const answer = await fetch(`${sandbox.sandbox.url}/_sandbox/rate-limit`);
  const { limit, remaining } = (await answer.json()) as { limit: number; remaining: number };
  return limit - remaining;
}

const commitOf = (branch: string, mark: number, parents: string, path: string) => {
  const who = `Ada <ada@example.org> ${1_700_000_000 + mark * 60} +0000`;
  const head = `commit refs/heads/${branch}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n`;
  const message =
    branch === 'main' && parents.includes('merge')
      ? `Merge pull request #${mark / 2} from sandbox/t`
      : `Change ${mark}`;
  const change = `M 100644 inline ${path}\ndata ${message.length}\n${message}\n`;
  return `${head}data ${message.length}\n${message}\n${parents}${change}\n`;
};

/** Merges of one commit each, for `git fast-import`. */
function mergesOf(count: number): string {
  const all = [commitOf('main', 1, '', 'README.md')];
  for (let number = 1; number <= count; number += 1) {
    const [main, topic, merge] = [number === 1 ? 1 : number * 2, number * 2 + 1, number * 2 + 2];
    all.push(commitOf('topic', topic, `from :${main}\n`, `src/${number}.ts`));
    all.push(commitOf('main', merge, `from :${main}\nmerge :${topic}\n`, `src/${number}.ts`));
  }
  return `${all.join('')}reset refs/heads/topic\nfrom ${'0'.repeat(40)}\n\n`;
}

/** A linear history of commits that change files in nested folders, for `git fast-import`. */
const lineOf = (count: number): string =>
  Array.from({ length: count }, (_, index) =>
    commitOf(
      'main',
      index + 1,
      index === 0 ? '' : `from :${index}\n`,
      `src/area${index % 7}/part${index % 5}/file${index % 11}.ts`,
    ),
  ).join('');
