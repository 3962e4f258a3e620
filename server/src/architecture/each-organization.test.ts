import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { backgroundJobsOf } from '#app.ts';
import type { JobName } from '#core/jobs.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';
import { seedOrganization } from './seed.ts';

const metricsToken = 'metrics-of-this-test';
let sandbox: SandboxGithub;
let server: TestServer;
let superuser: pg.Client;
let failing: string;
let healthy: string[];

beforeAll(async () => {
  sandbox = await startSandboxGithub([]);
  server = await startTestServer({
    environment: { ...sandbox.environment, LOG_LEVEL: 'silent', METRICS_TOKEN: metricsToken },
  });
  const ids = [];
  for (const name of ['first', 'second', 'third']) ids.push((await seedOrganization(server, name)).org.id);
  failing = ids[1] ?? '';
  healthy = ids.filter((id) => id !== failing).toSorted();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  // Makes work due without the triggers that forbid changes of records.
  await superuser.query(`
    set session_replication_role = replica;
    update control_waiver set valid_until = now() - interval '1 hour';
    update finding_waiver set valid_until = now() - interval '1 hour', state = 'requested';
    update evidence_delivery set state = 'pending', next_at = now() - interval '1 hour';
    update evidence_exchange set at = now() - interval '1000 days';
    update anchor set next_at = now() - interval '1 hour';
    update audit_stream set next_at = now() - interval '1 hour';
    insert into ledger_entry (org_id, epoch, leaf_index, leaf_hash, entry_id, kind, packed)
      select id, 99, 0, sha256('x'), gen_random_uuid(), 'audit.view.updated', '{}' from organization;
    update integration set status = 'active';
    set session_replication_role = default;
    create function refuse_organization() returns trigger language plpgsql as $$ begin
      if coalesce(to_jsonb(coalesce(new, old)) ->> 'org_id', to_jsonb(new) -> 'data' ->> 'orgId') = '${failing}' then
        raise exception 'this organization fails';
      end if;
      return coalesce(new, old);
    end $$`);
}, 180_000);
afterAll(async () => {
  await superuser?.end();
  await server?.close();
  await sandbox?.close();
});

/** Runs a job while every change of one organization in a table fails. Returns the error of the job. */
async function runWhileOneFails(name: JobName, table: string): Promise<unknown> {
  await superuser.query(`create trigger refuse_organization before insert or update or delete on ${table}
    for each row execute function refuse_organization()`);
  try {
    const job = backgroundJobsOf(server.services).find((one) => one.name === name);
    return await job?.handle({} as never).catch((error: unknown) => error);
  } finally {
    await superuser.query(`drop trigger refuse_organization on ${table}`);
  }
}

const failuresOf = async (name: JobName): Promise<string | undefined> => {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const { body } = await server.app.inject({ url: '/metrics', headers });
  return body.split('\n').find((line) => line.startsWith(`sightline_organization_job_failures_total{queue="${name}"}`));
};

const enqueued = (name: string) => `select data->>'orgId' as org_id from pgboss.job where name = '${name}'`;

test.each<[job: JobName, table: string, done: string]>([
  ['waivers.tick', 'pgboss.job', enqueued('waivers.expire')],
  ['destinations.sweep', 'pgboss.job', enqueued('destinations.deliver')],
  ['audit-streams.sweep', 'pgboss.job', enqueued('audit-streams.deliver')],
  ['protection.all', 'pgboss.job', enqueued('protection.read')],
  ['reconcile.all', 'pgboss.job', enqueued('reconcile.repository')],
  ['tools.nightly', 'pgboss.job', enqueued('tools.scan')],
  ['alerts.nightly', 'pgboss.job', enqueued('alerts.read')],
  ['notifications.day', 'pgboss.job', enqueued('notifications.remind')],
  ['trackers.queue-syncs', 'pgboss.job', enqueued('trackers.sync')],
  ['scanner.queue-syncs', 'pgboss.job', enqueued('scanner.sync')],
  ['ledger.anchors', 'pgboss.job', enqueued('ledger.publish')],
  [
    'destinations.forget',
    'evidence_exchange',
    'select id as org_id from organization where id not in (select org_id from evidence_exchange)',
  ],
  ['github.recover-missed-webhooks', 'installation', 'select org_id from installation where deleted_at is not null'],
])('%s runs for every other organization when it fails for one', async (name, table, done) => {
  await superuser.query('delete from pgboss.job');
  const warn = vi.spyOn(server.services.log, 'warn');
  const failure = await runWhileOneFails(name, table);
  const { rows } = await superuser.query<{ org_id: string }>(done);
  expect([...new Set(rows.map((row) => row.org_id))].toSorted()).toEqual(healthy);
  expect(failure).toMatchObject({ message: `${name} failed for 1 of 3 organizations` });
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ job: name, orgId: failing, err: expect.any(Error) }),
    'job failed for an organization',
  );
  expect(await failuresOf(name)).toMatch(/ 1$/);
});
