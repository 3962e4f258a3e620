import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { factId, newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { ingestCommits } from '../../sources/ingest/commands.ts';

let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

const person = { name: 'Olga', email: 'olga@example.org', login: 'olga', avatarUrl: null };
const shaOf = (index: number) => index.toString(16).padStart(40, '0');
const eventOf = (index: number) => factId('commit', repositoryId, shaOf(index));

beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization('Acme');
  repositoryId = await createTestRepository(server, acme);
  const commits = [1, 2, 3, 4, 5].map((index) => ({
    sha: shaOf(index),
    message: 'Change it',
    author: person,
    committer: person,
    authoredAt: `2026-03-0${index}T10:00:00Z`,
    committedAt: `2026-03-0${index}T10:00:00Z`,
    parents: [],
  }));
  await ingestCommits(server.services, acme.id, repositoryId, { commits, branch: 'main' });
});
afterAll(() => server.close());

const record = (
  rows: { sha: string; push: string; version: number; by: 'none' | 'merged_pull_request' | 'unknown' }[],
) =>
  server.services.database.withOrg(acme.id, (tx) =>
    tx.query({
      name: '',
      text: `insert into reached_commit (org_id, repository_id, branch, push_id, sha, version, reached_by, number, entry_id)
             select $1, $2, 'main', push, sha, version, by, case when by = 'merged_pull_request' then 7 end, gen_random_uuid()
             from jsonb_to_recordset($3::jsonb) as x(sha text, push uuid, version int, by text)`,
      values: [acme.id, repositoryId, JSON.stringify(rows)],
    }),
  );

const find = async (query: string) =>
  (await server.as(acme.owner, acme.id)(queryEvents, { body: { query } })).events.map(({ uuid }) => uuid);

test('finds commits that a push took to a branch without a pull request, by their last record, few or many', async () => {
  expect(await find('is:direct')).toEqual([]);
  const pushes = [1, 2, 3].map(() => newId());
  const [first = '', second = '', third = ''] = pushes;
  await record([
    { sha: shaOf(1), push: first, version: 1, by: 'none' },
    // A pull request of it was found later.
    { sha: shaOf(2), push: first, version: 1, by: 'none' },
    { sha: shaOf(2), push: first, version: 2, by: 'merged_pull_request' },
    { sha: shaOf(3), push: second, version: 1, by: 'unknown' },
    { sha: shaOf(3), push: second, version: 2, by: 'none' },
    // Pushed to two branches.
    { sha: shaOf(4), push: second, version: 1, by: 'merged_pull_request' },
    { sha: shaOf(4), push: third, version: 1, by: 'none' },
  ]);
  const expected = async () => {
    expect(await find('is:direct')).toEqual([4, 3, 1].map(eventOf));
    expect(await find('is:direct after:2026-03-02')).toEqual([4, 3].map(eventOf));
    expect(await find('kind:commit repo:* -is:direct')).toEqual([5, 2].map(eventOf));
  };
  await expected();
  // Too many to list: each event is tested.
  const push = newId();
  await record(
    Array.from({ length: 1100 }, (_, index) => ({ sha: shaOf(1000 + index), push, version: 1, by: 'none' as const })),
  );
  await expected();
});
