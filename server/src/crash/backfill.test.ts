import { execFileSync } from 'node:child_process';
import { finalizeGithubInstall, initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import { enableRepositories, getRepository, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#testing/databases.ts';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { type CrashScene, createScene } from './testing/scene.ts';

const commits = isFullSuite ? 1500 : 600;
const repository = createRepository();
let scene: CrashScene;

beforeAll(async () => {
  await repository.start();
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository.path, input: history(commits) });
  const environment = { SANDBOX: 'on', SANDBOX_REPOSITORIES: repository.path };
  scene = await createScene(isFullSuite ? environment : { ...environment, DATABASE_URL: await createTestDatabase() });
});
afterAll(async () => {
  await scene.installation.close();
  await repository.remove();
});

test('resumes an import after the server was killed and counts nothing twice', {
  tags: 'full',
  timeout: 180_000,
}, async () => {
  const repoPath = await connect();
  const state = async () =>
    (await scene.call(getRepository, { params: { provider: 'github', repoPath } })).import ?? undefined;
  const seen = (met: (now: NonNullable<Awaited<ReturnType<typeof state>>>) => boolean) =>
    vi.waitFor(
      async () => {
        const now = await state();
        expect(now !== undefined && met(now)).toBe(true);
      },
      { timeout: 150_000, interval: 20 },
    );

  await seen(({ commits: { done } }) => done > 0);
  await scene.server.end('SIGKILL');
  expect((await stored()).commits).toBeLessThan(commits);

  if (isFullSuite) {
    const second = await scene.installation.start();
    await seen(({ files: { done } }) => done > 0);
    await second.end('SIGKILL');
    expect((await stored()).withFiles).toBeLessThan(commits);
  }

  await scene.installation.start();
  await seen(({ state }) => state === 'done');
  const total = Number(repository.git(['rev-list', '--count', 'main']));
  expect(await state()).toMatchObject({ commits: { done: total, total }, files: { done: total, total } });
  const expected = { commits: total, withFiles: total, events: total, proven: total, byContributors: total };
  expect(await stored()).toEqual(expected);
});

/** Connects the sandbox like a user, and imports its only repository. */
async function connect(): Promise<string> {
  const { installationURL } = await scene.call(initiateGithubInstall, {});
  const install = new URL(installationURL);
  const page = await (await fetch(install)).text();
  const [, account = ''] = /name="account" value="(\d+)"/.exec(page) ?? [];
  const [, login = ''] = /<option value="([^"]+)"/.exec(page) ?? [];
  const form = { account, login, selection: 'all', action: 'install' };
  const state = install.searchParams.get('state') ?? '';
  const answer = await fetch(install, {
    method: 'POST',
    body: new URLSearchParams({ ...form, state }),
    redirect: 'manual',
  });
  const back = new URL(answer.headers.get('location') ?? '').searchParams;
  await scene.call(finalizeGithubInstall, {
    query: { installation_id: back.get('installation_id') ?? '', code: back.get('code') ?? '', state },
  });
  const { providerRepos } = await scene.call(listProviderRepos, {});
  const owners = Object.entries(providerRepos.github ?? {});
  const chosen = owners.map(([owner, list]) => [owner, list.map(({ id }) => ({ id, tracked: true }))]);
  await scene.call(enableRepositories, { body: { providerRepos: { github: Object.fromEntries(chosen) } } });
  return owners[0]?.[1][0]?.fullName ?? '';
}

/** Returns the totals of the repository in the database. */
async function stored() {
  const client = new pg.Client({ connectionString: await scene.installation.databaseUrl() });
  await client.connect();
  const { rows } = await client.query<Record<'commits' | 'withFiles' | 'events' | 'proven' | 'byContributors', number>>(
    `select (select count(*)::int from commit) as commits,
       (select count(files)::int from commit) as "withFiles",
       (select count(*)::int from event where kind = 'commit') as events,
       (select count(*)::int from event e join ledger_known l on l.org_id = e.org_id and l.entry_id = e.proof
          and l.leaf_hash = e.leaf_hash where e.kind = 'commit') as proven,
       (select coalesce(sum(commits), 0)::int from contributor) as "byContributors"`,
  );
  await client.end();
  const [row] = rows;
  if (!row) throw new Error('The database did not respond');
  return row;
}

/** Returns linear commits for `git fast-import`, by three people in turn. */
function history(count: number): string {
  const people = ['Ada <ada@example.org>', 'Bob <bob@example.org>', 'Zoe <zoe@example.org>'];
  return Array.from({ length: count }, (_, index) => {
    const message = `Change ${index}`;
    const who = `${people[index % people.length]} ${1_700_000_000 + index * 60} +0000`;
    return [
      'commit refs/heads/main',
      `author ${who}`,
      `committer ${who}`,
      `data ${message.length}`,
      message,
      `M 100644 inline file-${index % 50}.txt`,
      `data ${message.length}`,
      message,
      '',
    ].join('\n');
  }).join('\n');
}
