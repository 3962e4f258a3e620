import { getRepository } from '@sightline/contract/sources/repositories.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from './deliveries.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
  await enableOnly(org, sandbox);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, enableOnly, post, waitUntilProcessed } = webhookHelpers(() => server);

async function about() {
  const row = await inOrg(org.id, ({ db }) => db.selectFrom('repository').selectAll().executeTakeFirstOrThrow());
  return {
    installation: { id: Number(row.installation_id) },
    repository: {
      id: Number(row.provider_repo_id),
      name: row.name,
      full_name: row.full_name,
      private: true,
      html_url: row.html_url,
      default_branch: 'main',
      pushed_at: 4_102_444_800,
    },
  };
}
const person = { name: 'A\0da \ud800', email: 'ada\0@example.org', username: 'ada' };
const commit = (id: string, date: string) => ({
  id,
  message: 'Nul \0 and half \udc00',
  timestamp: date,
  author: { ...person, date },
  committer: { ...person, date },
  added: ['a\0b\ud800.txt'],
});

test('stores a push with unstorable texts and times without pinning it on top of lists', async () => {
  const dates = [
    '+275760-09-13T00:00:00.000Z',
    '9999-12-31T23:59:59Z',
    '2100-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ];
  const commits = dates.map((date, index) => commit(String(index).repeat(40), date));
  const ends = { ref: 'refs/heads/main', before: '1'.repeat(40), after: '3'.repeat(40) };
  await post('push', { ...ends, commits, sender: { login: 'a\0da' }, ...(await about()) });
  expect((await waitUntilProcessed(org.id)).map(({ error }) => error)).toEqual([null]);
  const rows = await inOrg(org.id, ({ db }) => db.selectFrom('commit').selectAll().orderBy('sha').execute());
  expect(rows).toHaveLength(4);
  const soon = Date.now() + 24 * 60 * 60_000;
  for (const row of rows) {
    expect(row).toMatchObject({ message: 'Nul \ufffd and half \ufffd', author_name: 'A\ufffdda \ufffd' });
    expect(row.files).toMatchObject([{ path: 'a\ufffdb\ufffd.txt' }]);
    for (const time of [row.authored_at, row.committed_at]) expect(time.getTime()).toBeLessThan(soon);
  }
  const params = { provider: 'github', repoPath: 'sandbox/widgets' } as const;
  const { lastChange, pushedAt } = await server.as(org.owner, org.id)(getRepository, { params });
  expect(Date.parse(lastChange ?? '')).toBeLessThan(soon);
  expect(Date.parse(pushedAt ?? '')).toBeLessThan(soon);
});

test('stores a pull request with counts and texts out of range', async () => {
  const user = { login: 'ada' };
  const pullRequest = {
    number: 999,
    title: 'Too \0 much',
    state: 'open',
    user,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '9999-12-31T23:59:59Z',
    html_url: 'http://localhost/999',
    body: '\ud800',
    base: { ref: 'main' },
    head: { ref: 'wide\0', sha: 'e'.repeat(40) },
    labels: [{ name: 'l\0' }],
    additions: 3_000_000_000,
    deletions: 1e300,
    changed_files: 2 ** 40,
    commits: 1,
  };
  await post('pull_request', { action: 'opened', pull_request: pullRequest, sender: user, ...(await about()) });
  const found = await waitUntilProcessed(org.id);
  expect(found.at(-1)).toMatchObject({ event: 'pull_request', error: null });
  const row = await inOrg(org.id, ({ db }) =>
    db.selectFrom('pull_request').selectAll().where('number', '=', 999).executeTakeFirstOrThrow(),
  );
  expect(row).toMatchObject({ title: 'Too \ufffd much', additions: 2_147_483_647, deletions: 2_147_483_647 });
  expect(row.updated_at.getTime()).toBeLessThan(Date.now() + 24 * 60 * 60_000);
});
