import type { AddressInfo } from 'node:net';
import { listMembers } from '@sightline/contract/organization/members.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { countAttempts } from '#core/attempts.ts';
import { NIL_UUID } from '#core/ids.ts';
import { effectiveLimitOf, mailLimits } from '#core/limits.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { releaseVersion } from '#database/release.ts';
import { MailBudgetExceeded } from '#providers/mail-budget.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { listenForMetrics } from '../../../app.ts';

const token = 'a-token-for-metrics';
let server: TestServer;
let metrics: FastifyInstance | undefined;
let org: TestOrganization;
beforeAll(async () => {
  server = await startTestServer({
    jobs: true,
    environment: {
      METRICS_TOKEN: token,
      METRICS_PORT: '0',
      ROLE: 'worker',
      SMTP_URL: 'smtp://127.0.0.1:1',
      RATE_LIMITS: '*=1000000000,mail-reset=1',
    },
  });
  metrics = await listenForMetrics(server.services);
  org = await server.make.organization();
});
afterAll(async () => {
  await metrics?.close();
  await server.close();
});

const ask = (path: string, authorization = `Bearer ${token}`) => {
  const { port } = (metrics as FastifyInstance).server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } });
};

/** The samples of a scrape: values by line. */
async function scrape(): Promise<Map<string, number>> {
  const answer = await ask('/metrics');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('serves health and metrics of a worker on a port of their own, and nothing else', async () => {
  expect((await ask('/api/health/live')).status).toBe(200);
  expect((await ask('/api/health/ready')).status).toBe(200);
  expect((await ask('/metrics', 'Bearer wrong')).status).toBe(404);
  expect((await ask('/api/account/me')).status).toBe(404);
  expect((await ask('/')).status).toBe(404);
});

test('names release and role, and measures the event loop and the heap', async () => {
  const samples = await scrape();
  expect(samples.get(`sightline_build_info{version="${releaseVersion}",role="worker"}`)).toBe(1);
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
  ])
    expect(samples.get(name), name).toBeGreaterThan(0);
});

test('counts responses by route and status, without addresses', async () => {
  await server.as(org.owner, org.id)(listMembers, { query: { search: 'quokka' } });
  const samples = await scrape();
  const name = (part: string, more = '') =>
    `sightline_http_request_duration_seconds_${part}{${more}method="GET",route="/api/v2/auth0mgm/org/members",status="200"}`;
  expect(samples.get(name('count'))).toBe(1);
  expect(samples.get(name('bucket', 'le="30",'))).toBe(1);
  expect([...samples.keys()].join()).not.toContain('quokka');
});

test('measures jobs, and reports waiting and overdue ones', { tags: ['full'] }, async () => {
  await vi.waitFor(
    async () => {
      const runs = [...(await scrape())].filter(([line]) =>
        /^sightline_job_duration_seconds_count.*outcome="done"/.test(line),
      );
      expect(runs.length).toBeGreaterThan(0);
    },
    { timeout: 30_000, interval: 200 },
  );
  await server.services.database.withOrg(org.id, (tx) =>
    server.services.jobs.enqueue(
      tx,
      'events.index',
      { orgId: org.id },
      { key: 'later', startAfter: new Date(Date.now() + 3_600_000) },
    ),
  );
  expect((await scrape()).get('sightline_jobs{queue="events.index",state="created"}')).toBe(1);
});

test('reports the backlog of the installation and a failing source', async () => {
  const before = await scrape();
  for (const source of ['backlog', 'imports', 'backup', 'jobs', 'audit_streams', 'disk', 'connections'])
    expect([source, before.get(`sightline_collection_failed{source="${source}"}`)]).toEqual([source, 0]);
  expect(before.get('sightline_ledgers_halted')).toBe(0);
  expect(before.has('sightline_backup_age_seconds')).toBe(false);
  expect(before.get('sightline_webhooks_pending')).toBe(0);
  expect(before.get('sightline_data_dir_free_bytes')).toBeGreaterThan(0);
  for (const pool of ['requests', 'explore', 'ledger', 'erasure', 'jobs', 'realtime'])
    expect([pool, before.has(`sightline_database_connections{pool="${pool}",state="waiting"}`)]).toEqual([pool, true]);
  expect(before.get('sightline_database_connections{pool="jobs",state="idle"}')).toBeGreaterThan(0);
  await addWebhook(org.id, 90_000);
  // GitHub reports an installation before an organization connects it: no job processes that delivery.
  await addWebhook(NIL_UUID, 900_000);
  for (const hours of [30, 2]) {
    const at = new Date(Date.now() - hours * 3_600_000).toISOString();
    await server.services.database.global((tx) =>
      recordOperatorEntry(tx, 'ada', {
        action: 'backup.created',
        subject: { kind: 'installation', id: 'backup' },
        data: { at },
      }),
    );
  }
  const after = await scrape();
  expect(after.get('sightline_backup_age_seconds')).toBeCloseTo(7_200, -2);
  expect(after.get('sightline_webhooks_pending')).toBe(1);
  expect(after.get('sightline_webhooks_pending_seconds')).toBeGreaterThan(80);
  expect(after.get('sightline_webhooks_pending_seconds')).toBeLessThan(900);

  const query = vi.spyOn(server.services.database.pool, 'query').mockRejectedValue(new Error('away') as never);
  const without = await scrape();
  query.mockRestore();
  expect(without.get('sightline_collection_failed{source="backlog"}')).toBe(1);
  expect(without.has('sightline_webhooks_pending')).toBe(false);
  expect(without.get('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('reports no waiting connections of an idle process, whose scrape itself queries the database', async () => {
  // The first scrape opens the connections that the second one finds idle.
  await scrape();
  const idle = await scrape();
  for (const pool of ['requests', 'jobs'])
    expect([pool, idle.get(`sightline_database_connections{pool="${pool}",state="waiting"}`)]).toEqual([pool, 0]);
});

test('counts e-mails that the SMTP server rejects, and none that the budget of the recipient rejects', async () => {
  const message = { to: 'ada@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  const { database, mail, config } = server.services;
  const failed = async () => (await scrape()).get('sightline_mails_total{outcome="failed"}');
  await expect(mail.send('reset', message)).rejects.toThrow('ECONNREFUSED');
  const before = await failed();
  expect(before).toBeGreaterThan(0);
  // Simulates a sent email of this class, which exhausts the limit.
  const limit = effectiveLimitOf(mailLimits.reset, config.RATE_LIMITS);
  await database.global((tx) => countAttempts(tx, [[limit, message.to]]));
  await expect(mail.send('reset', message)).rejects.toThrow(MailBudgetExceeded);
  expect(await failed()).toBe(before);
});

const addWebhook = (orgId: string, ageMs: number) =>
  server.services.database.withOrg(orgId, ({ db }) =>
    db
      .insertInto('webhook_delivery')
      .values({
        org_id: orgId,
        provider: 'github',
        delivery_id: 'one',
        event: 'push',
        body: '{}',
        received_at: new Date(Date.now() - ageMs),
      })
      .execute(),
  );
