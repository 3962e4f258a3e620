import { rm } from 'node:fs/promises';
import { listMembers } from '@sightline/contract/organization/members.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FreezingProxy, startFreezingProxy } from '#testing/freezing-proxy.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';

let proxy: FreezingProxy;
let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  proxy = await startFreezingProxy();
  server = await startTestServer({
    connectTo: proxy.urlThroughProxy,
    environment: { DATABASE_QUERY_SECONDS: '1', ROLE: 'worker' },
    jobs: false,
  });
  org = await server.make.organization();
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

const ready = async () => {
  const { statusCode, body } = await server.app.inject('/api/health/ready');
  return { statusCode, body: JSON.parse(body) as { status?: string; warnings?: string[]; cause?: string } };
};
const superuser = async (text: string, ...values: unknown[]) => {
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  await client.query(text, values).finally(() => client.end());
};

/** Waits for a response, which may be a second old. */
const waitForStatus = (answer: object) =>
  vi.waitFor(async () => expect(await ready()).toMatchObject(answer), { timeout: 30_000, interval: 100 });
const notReady = (cause: string) => waitForStatus({ statusCode: 503, body: { cause: expect.stringContaining(cause) } });

test('is ready while the database responds and accepts writes', async () => {
  await waitForStatus({ statusCode: 200, body: { status: 'ok', warnings: [] } });
});

test('is ready without a data directory, where nothing is stored', async () => {
  await rm(server.config.dataDir, { recursive: true });
  await waitForStatus({ statusCode: 200, body: { status: 'ok', warnings: [] } });
});

test('replaces connections that no longer answer, and responds 503 meanwhile', { tags: ['full'] }, async () => {
  const statusOfCall = () =>
    server
      .as(org.owner, org.id)(listMembers, { query: {} })
      .then(() => 200)
      .catch((error: { status: number }) => error.status);
  expect(await statusOfCall()).toBe(200);
  proxy.freeze();
  await notReady('The database does not respond.');
  expect(await statusOfCall()).toBe(503);
  proxy.thaw();
  await waitForStatus({ statusCode: 200 });
  await vi.waitFor(async () => expect(await statusOfCall()).toBe(200), { timeout: 30_000, interval: 100 });
});

test('is not ready while jobs have been due for ten minutes', async () => {
  await server.services.database.withOrg(org.id, (tx) =>
    server.services.jobs.enqueue(tx, 'events.index', { orgId: org.id }, { key: org.id }),
  );
  await superuser(`update pgboss.job set start_after = now() - interval '11 minutes' where state = 'created'`);
  await notReady('Jobs are overdue by ten minutes');
  await superuser(`update pgboss.job set start_after = now() - interval '9 minutes' where state = 'created'`);
  await waitForStatus({ statusCode: 200 });
});

test('is not ready while the database accepts no writes', async () => {
  await superuser('alter table clock_reading rename to clock_reading_away');
  await notReady('The database accepts no writes.');
  await superuser('alter table clock_reading_away rename to clock_reading');
  await waitForStatus({ statusCode: 200 });
});

test('serves with a warning while a ledger is halted', async () => {
  await superuser(
    `insert into ledger_log (org_id, epoch, origin, root, halt_reason)
     values ($1, 99, 'x', decode(repeat('00', 32), 'hex'), 'test')`,
    org.id,
  );
  const warnings = ['The ledger of an organization is halted.'];
  await waitForStatus({ statusCode: 200, body: { status: 'degraded', warnings } });
});
