import type { ApiError } from '@sightline/contract/core/client.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
  acme = await server.make.organization('Acme');
});
afterAll(() => server.close());

const find = (query: string) => server.as(acme.owner, acme.id)(queryEvents, { body: { query } });
const refused = (query: string) =>
  find(query).then(
    () => undefined,
    ({ status, refusal }: ApiError) => ({ status, ...refusal }),
  );

/** Creates branch names without events, for wildcard queries. */
const name = (from: number, to: number) =>
  server.services.database.withOrg(acme.id, (tx) =>
    tx.query({
      name: '',
      text: `insert into posting_name (org_id, field, value, term)
             select $1, 'branch', 'release/' || n || '/end', n from generate_series($2::int, $3::int) as n`,
      values: [acme.id, from, to],
    }),
  );

test('a wildcard matches at most a thousand values; more is rejected with its position', async () => {
  await name(1, 1000);
  expect((await find('branch:*/end')).events).toEqual([]);
  await name(1001, 1001);
  expect(await refused('kind:commit branch:*/end -fix')).toMatchObject({
    status: 400,
    code: 'query_too_complex',
    message: expect.stringContaining('More than 1000 values match “*/end”'),
    query: { start: 12, end: 24 },
  });
  // Fewer values are accepted, and so are patterns with a single term.
  expect(await refused('branch:release/1*/end branch:release/2*')).toBeUndefined();
  expect(await refused('has:branch -branch:release/1/end')).toBeUndefined();
});

test('cancels a query after five seconds with a hint to narrow it, and affects nothing else', async () => {
  const other = new pg.Client({ connectionString: server.databaseUrl });
  await other.connect();
  try {
    // Blocks the query instead of slowing it down.
    await other.query('begin; lock table event in access exclusive mode');
    expect(await refused('refund -kind:tool has:repo')).toMatchObject({
      status: 503,
      code: 'unavailable',
      message: 'This query exceeded the limit of five seconds.',
      cause: expect.stringContaining('after:-30d'),
    });
  } finally {
    await other.query('rollback');
    await other.end();
  }
  expect((await find('refund -kind:tool has:repo')).events).toEqual([]);
});

test('rejects queries that waited too long for a connection, with the reason', { tags: 'full' }, async () => {
  const other = new pg.Client({ connectionString: server.databaseUrl });
  await other.connect();
  try {
    await other.query('begin; lock table event in access exclusive mode');
    const queryCount = 4 * (server.services.database.boundedPool.options.max ?? 0);
    const answers = await Promise.all(Array.from({ length: queryCount }, () => refused('refund -kind:tool has:repo')));
    expect(answers.map((answer) => answer?.status)).toEqual(Array.from({ length: queryCount }, () => 503));
    const causes = [...new Set(answers.map((answer) => answer?.cause))];
    expect(causes.sort()).toEqual([expect.stringContaining('after:-30d'), expect.stringContaining('in a moment')]);
  } finally {
    await other.query('rollback');
    await other.end();
  }
});
