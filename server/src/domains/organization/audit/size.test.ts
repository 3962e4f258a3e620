import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { connectSuperuser, fillAuditLog } from './testing/entries.ts';

const entryCount = 60_000;

let server: TestServer;
let superuser: pg.Client;
let acme: TestOrganization;
let people: TestAccount[];
beforeAll(async () => {
  server = await startTestServer();
  superuser = await connectSuperuser(server);
  acme = await server.make.organization('Acme');
  people = await Promise.all(Array.from({ length: 20 }, () => server.make.member(acme.id, 'rol_contributor')));
  await fillAuditLog(
    superuser,
    acme.id,
    people.map(({ id }) => id),
    entryCount,
  );
}, 120_000);
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Reads an export completely. Returns the bytes of memory in use after its first and its last tenth. */
async function measureExport(
  query: Record<string, string>,
): Promise<{ lines: number; bytes: number; first: number; last: number }> {
  const token = await server.token(acme.owner, acme.id);
  const answer = await fetch(`${server.url}/api/v2/audit/export?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  let [lines, bytes, first, last, tenth] = [0, 0, 0, 0, 0];
  const total = Number(answer.headers.get('x-total-count'));
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    if (lines < (tenth * total) / 10) continue;
    tenth += 1;
    // After garbage collection, the remaining memory is in use.
    collectGarbage();
    // The resident set size would include memory that the allocator has not released yet.
    const { heapUsed, external } = process.memoryUsage();
    const usedBytes = heapUsed + external;
    if (tenth === 2) first = usedBytes;
    if (tenth === 10) last = usedBytes;
  }
  return { lines, bytes, first, last };
}

test('an export of any size uses the memory of a small one', { tags: 'full', timeout: 300_000 }, async () => {
  const { lines, bytes, first, last } = await measureExport({ format: 'ndjson' });
  expect(lines).toBeGreaterThanOrEqual(entryCount);
  const grown = last - first;
  console.info(
    `${lines} entries, ${megabytes(bytes)} sent; held ${megabytes(first)} after a tenth, ${megabytes(grown)} more at the end`,
  );
  expect(bytes).toBeGreaterThan(24e6);
  expect(grown).toBeLessThan(bytes / 4);
});

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

test('stops an export when the client stops reading', { tags: 'full' }, async () => {
  const token = await server.token(acme.owner, acme.id);
  const answer = await fetch(`${server.url}/api/v2/audit/export?format=ndjson`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = answer.body?.getReader();
  await reader?.read();
  const { pool } = server.services.database;
  let acquired = 0;
  const count = () => {
    acquired += 1;
  };
  pool.on('acquire', count);
  // The client does not read: once the buffers are full, the server stops reading from the database.
  for (let [before, quiet] = [-1, 0]; quiet < 4; quiet = acquired > before ? 0 : quiet + 1) {
    before = acquired;
    await setTimeout(50);
  }
  pool.off('acquire', count);
  expect(acquired).toBeLessThan(entryCount / 1000 / 2);
  await reader?.cancel();
});

test('finds a match far back step by step and reports how far it searched', async () => {
  const first = await server.as(acme.owner, acme.id)(listAudit, { query: { search: 'acme/needle-10000"' } });
  expect(first.entries).toEqual([]);
  expect(first.searchedTo).toEqual(expect.stringMatching(/^2026-01-05/));
  let found = first;
  let steps = 0;
  while (found.entries.length === 0 && found.older !== null) {
    found = await server.as(acme.owner, acme.id)(listAudit, {
      query: { search: 'acme/needle-10000"', older: found.older },
    });
    steps += 1;
  }
  expect(found.entries.map(({ subject }) => subject.name)).toEqual(['acme/needle-10000']);
  expect(steps).toBeLessThanOrEqual(entryCount / 20_000);
});

test('no query scans the whole log or sorts it', async () => {
  const plans: string[] = [];
  let planning = '';
  const { pool } = server.services.database;
  const queries: { text: string; values: unknown[] }[] = [];
  pool.on('acquire', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [first, second] = args;
      const text = typeof first === 'string' ? first : (first as { text: string }).text;
      if (text.includes('enable_sort')) planning = text;
      if (/from audit_event/.test(text)) {
        queries.push({ text, values: (second ?? (first as { values?: unknown[] }).values ?? []) as unknown[] });
      }
      return query(...args);
    }) as typeof client.query;
  });
  const some = people.slice(0, 3).map(({ id }) => `account:${id}`);
  for (const query of [
    {},
    { action: ['repository.enabled'] },
    { action: ['repository.enabled', 'member.role_changed', 'member.left'] },
    { actor: some },
    { actor: some, action: ['member.role_changed'] },
    { subjectKind: ['repository', 'member'] },
    { subject: `member:${people[0]?.id}` },
    { from: '2026-01-03T00:00:00Z', to: '2026-01-04T00:00:00Z', subjectKind: ['member'] },
  ]) {
    await server.as(acme.owner, acme.id)(listAudit, { query: query as never });
  }
  for (const { text, values } of [...queries]) {
    await server.services.database.withOrg(acme.id, async (tx) => {
      if (planning !== '') await tx.query({ name: '', text: planning, values: [] });
      const rows = await tx.query<{ 'QUERY PLAN': string }>({
        name: '',
        text: `explain (analyze, timing off) ${text}`,
        values,
      });
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    });
  }
  expect(plans.length).toBeGreaterThanOrEqual(8);
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan on audit_event/);
    expect(plan).not.toMatch(/-> {2}(Incremental )?Sort /);
  }
});
