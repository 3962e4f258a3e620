import { getNotificationSettings, updateNotificationSettings } from '@sightline/contract/delivery/notifications.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { releaseAfterClockStep } from './clock-step.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  org = await server.make.organization();
});
afterAll(() => server.close());

const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await server.services.database.pool.query(text, values)).rows as Row[];
const enqueue = (key: string, startAfter?: Date) =>
  server.services.database.withOrg(org.id, (tx) =>
    server.services.jobs.enqueue(tx, 'events.index', { orgId: org.id }, { key, ...(startAfter && { startAfter }) }),
  );
/** The seconds until each job of a key starts. */
const startsIn = async (key: string): Promise<number[]> =>
  (
    await query<{ seconds: number }>(
      `select round(extract(epoch from start_after - clock_timestamp()))::float8 as seconds from pgboss.job
       where name = 'events.index' and singleton_key = $1 order by 1`,
      key,
    )
  ).map(({ seconds }) => seconds);
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
/** Simulates a clock that was set back by an hour: stored times and the last reading are from before. */
const setClockBackByAnHour = async () => {
  await query(`update pgboss.job set start_after = start_after + interval '1 hour', created_on = created_on + interval '1 hour',
    started_on = started_on + interval '1 hour'`);
  await query(`update clock_reading set read_at = clock_timestamp() + interval '1 hour'`);
};

test('runs a job at the earliest of the times it was queued for', async () => {
  await enqueue(org.id, inSeconds(3_600));
  await enqueue(org.id, inSeconds(60));
  await enqueue(org.id, inSeconds(600));
  expect(await startsIn(org.id)).toEqual([60]);
  await enqueue(org.id);
  expect((await startsIn(org.id))[0]).toBeLessThanOrEqual(0);
});

test('changes nothing while the clock advances', async () => {
  await enqueue(org.id, inSeconds(600));
  expect(await releaseAfterClockStep(server.services)).toBe(0);
  expect(await startsIn(org.id)).toEqual([600]);
});

test('preserves delays after the clock was set back, and resumes the schedule and jobs of ended processes', async () => {
  const [late, running] = [`${org.id} late`, `${org.id} running`];
  await enqueue(late, inSeconds(30));
  await enqueue(running);
  await query(`update pgboss.job set state = 'active', started_on = now() where singleton_key = $1`, running);
  await setClockBackByAnHour();
  await query(`update pgboss.version set cron_on = now() + interval '1 hour'`);
  expect(await releaseAfterClockStep(server.services)).toBeGreaterThan(3_590);
  const [seconds = 0] = await startsIn(late);
  expect(seconds).toBeGreaterThan(20);
  expect(seconds).toBeLessThanOrEqual(30);
  expect(await query(`select from pgboss.job where singleton_key = $1 and started_on > now()`, running)).toEqual([]);
  expect(await query('select cron_on from pgboss.version')).toEqual([{ cron_on: null }]);
  expect(await releaseAfterClockStep(server.services)).toBe(0);
});

test('shortens the waits of an organization after the clock was set back', async () => {
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  try {
    // The referenced rows are not relevant for this test, so foreign keys are off.
    await superuser.query('set session_replication_role = replica');
    await superuser.query(
      `insert into change_task (org_id, id, repository_id, number, cause, due_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), 1, 'merge', now() + interval '1 hour')`,
      [org.id],
    );
    await superuser.query(
      `insert into repository_import (org_id, repository_id, phase, state, waiting_until)
       values ($1, gen_random_uuid(), 'files', 'rate_limited', now() + interval '1 hour 30 seconds')`,
      [org.id],
    );
    await setClockBackByAnHour();
    await releaseAfterClockStep(server.services);
    const { rows } = await superuser.query(
      `select extract(epoch from d.due_at - now())::int as due, extract(epoch from i.waiting_until - now())::int as waits
       from change_task d join repository_import i using (org_id) where d.org_id = $1`,
      [org.id],
    );
    expect(rows[0]?.due).toBeLessThanOrEqual(1);
    expect(rows[0]?.waits).toBeGreaterThan(20);
    expect(rows[0]?.waits).toBeLessThanOrEqual(31);
  } finally {
    await superuser.end();
  }
});

test('sends a daily email at the next time of day after the clock was set back', async () => {
  const owner = server.as(org.owner, org.id);
  const { locked: _l, defaults: _d, email: _e, nextMailAt: _n, ...own } = await owner(getNotificationSettings, {});
  await owner(updateNotificationSettings, { body: { ...own, cadence: 'daily', sendEmpty: true } });
  const due = () =>
    server.services.database.withOrg(org.id, (tx) =>
      tx.query({ name: '', text: 'select due_at from notification_digest where org_id = $1', values: [org.id] }),
    );
  const before = await due();
  expect(before).toHaveLength(1);
  // Scheduled after the email of a day in the future.
  await server.services.database.withOrg(org.id, (tx) =>
    tx.query({
      name: '',
      text: `update notification_digest set due_at = due_at + interval '1 day' where org_id = $1`,
      values: [org.id],
    }),
  );
  await setClockBackByAnHour();
  await releaseAfterClockStep(server.services);
  expect(await due()).toEqual(before);
});

test('retries a job without a heartbeat for a minute', { tags: 'full', timeout: 240_000 }, async () => {
  const working = await startTestServer({ jobs: true });
  try {
    const { id } = await working.make.organization();
    const { database, jobs } = working.services;
    await database.withOrg(id, (tx) =>
      jobs.enqueue(tx, 'events.index', { orgId: id }, { key: id, startAfter: inSeconds(3_600) }),
    );
    // A job of a process that no longer exists.
    await database.pool.query(
      `update pgboss.job set state = 'active', started_on = now() - interval '2 minutes', heartbeat_on = now() - interval '2 minutes'
       where singleton_key = $1`,
      [id],
    );
    await vi.waitFor(
      async () => {
        const { rows } = await database.pool.query('select state from pgboss.job where singleton_key = $1', [id]);
        expect(rows).toEqual([{ state: 'completed' }]);
      },
      { timeout: 200_000, interval: 1_000 },
    );
  } finally {
    await working.close();
  }
});
