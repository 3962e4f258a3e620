import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { factId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import type { HostCommit, HostPullRequest, HostUser } from '../../../providers/host-facts.ts';
import { ingestChanges, ingestCommits, ingestPullRequest } from '../../sources/ingest/commands.ts';
import { eventJobs } from './jobs.ts';

let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

beforeAll(async () => {
  server = await startTestServer();
  acme = await server.make.organization('Acme');
  repositoryId = await createTestRepository(server, acme);
});
afterAll(() => server.close());

const person = { name: 'Olga', email: 'olga@example.org', login: 'olga', avatarUrl: null };
const sha = '1f3a'.padEnd(40, '0');
const commit: HostCommit = {
  sha,
  message: 'Change everything',
  author: person,
  committer: person,
  authoredAt: '2026-03-01T10:00:00Z',
  committedAt: '2026-03-01T10:00:00Z',
  parents: [],
};
const changes = {
  additions: 1,
  deletions: 0,
  files: ['src/auth/a.ts', 'src/auth/b.ts'].map((path) => ({
    path,
    status: 'modified' as const,
    additions: 1,
    deletions: 0,
  })),
};

const user: HostUser = { login: 'olga', avatarUrl: null, isAgent: false };
const pullRequest: HostPullRequest = {
  number: 7,
  title: 'Fix it',
  state: 'accepted',
  draft: false,
  author: user,
  mergedBy: user,
  closedBy: null,
  createdAt: '2026-03-02T10:00:00Z',
  updatedAt: '2026-03-02T11:00:00Z',
  mergedAt: '2026-03-02T11:00:00Z',
  closedAt: '2026-03-02T11:00:00Z',
  baseRef: 'main',
  headRef: 'feature/x',
  headSha: sha,
  mergeSha: sha,
  additions: 1,
  deletions: 0,
  changedFiles: 1,
  commits: 1,
  url: 'https://code.example/acme/api/pull/7',
};

const find = async (query: string) =>
  (await server.as(acme.owner, acme.id)(queryEvents, { body: { query } })).events.map(({ uuid }) => uuid);

async function run(name: 'events.index' | 'events.refield'): Promise<void> {
  for (const job of eventJobs(server.services)) {
    if (job.name === 'events.index' && name === job.name) await job.handle({ orgId: acme.id });
    if (job.name === 'events.refield' && name === job.name) await job.handle({ orgId: acme.id });
  }
}

const inOrg = <Result>(text: string, values: unknown[] = []) =>
  server.services.database.withOrg(acme.id, (tx) =>
    tx.query<Result & Record<string, unknown>>({ name: '', text, values }),
  );

test('finds a commit by files received later, once, before and after indexing', { tags: 'full' }, async () => {
  await ingestCommits(server.services, acme.id, repositoryId, { commits: [commit], branch: 'main' });
  const id = factId('commit', repositoryId, sha);
  await run('events.index');
  expect(await find('file:src/auth/a.ts')).toEqual([]);
  for (const _ of [1, 2]) await ingestChanges(server.services, acme.id, repositoryId, [{ sha, changes }]);
  const findByFields = async () => [
    await find('file:src/auth/a.ts'),
    await find('file:src/auth/**'),
    await find('file:*b.ts'),
    await find('ext:ts'),
    await find('has:file'),
  ];
  expect(await findByFields()).toEqual([[id], [id], [id], [id], [id]]);
  await run('events.index');
  expect(await findByFields()).toEqual([[id], [id], [id], [id], [id]]);
});

test('finds a commit by files received with a repeated report of the commit', async () => {
  const later = { ...commit, sha: '2b4c'.padEnd(40, '0') };
  const ingest = (changed: HostCommit) =>
    ingestCommits(server.services, acme.id, repositoryId, { commits: [changed], branch: 'main' });
  await ingest(later);
  await run('events.index');
  const files = [{ path: 'docs/late.md', status: 'added' as const, additions: 1, deletions: 0 }];
  for (const _ of [1, 2]) await ingest({ ...later, changes: { additions: 1, deletions: 0, files } });
  const findByFields = async () => [await find('file:docs/late.md'), await find('file:docs/**'), await find('ext:md')];
  const id = factId('commit', repositoryId, later.sha);
  expect(await findByFields()).toEqual([[id], [id], [id]]);
  await run('events.index');
  expect(await findByFields()).toEqual([[id], [id], [id]]);
  // Files that are known from the start are indexed once.
  const completeCommit = { ...commit, sha: '3c5d'.padEnd(40, '0'), changes: { additions: 1, deletions: 0, files } };
  for (const _ of [1, 2]) await ingest(completeCommit);
  expect(await find('file:docs/late.md')).toHaveLength(2);
});

test('adds fields once to events from before fields existed, on any number of runs', async () => {
  await ingestPullRequest(server.services, acme.id, { repositoryId, pullRequest });
  // As older versions wrote events: with words only, which this test ignores.
  await inOrg('delete from posting_pending where org_id = $1', [acme.id]);
  expect(await find('is:merged')).toEqual([]);
  await inOrg('insert into event_reindex (org_id) values ($1)', [acme.id]);
  // Events from here on are written with their fields.
  await inOrg(`update event_reindex set received_before = now() + interval '1 second' where org_id = $1`, [acme.id]);
  for (const _ of [1, 2]) {
    await run('events.refield');
    await run('events.index');
  }
  const merged = await find('is:merged');
  expect(merged).toEqual([factId('pull_request.merged', repositoryId, 7)]);
  expect(await find('pr:7 status:opened')).toEqual([factId('pull_request.opened', repositoryId, 7)]);
  expect(await find('branch:feature/*')).toHaveLength(2);
  expect(await inOrg('select org_id from event_reindex')).toEqual([]);
});
