import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { watchUpload } from './jobs.ts';
import { sendUpload } from './testing/uploads.ts';

let server: TestServer;
let org: TestOrganization;
let superuser: pg.Client;
let locker: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  org = await server.make.organization();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  locker = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await locker.connect();
});
afterAll(async () => {
  await superuser?.end();
  await locker?.end();
  await server?.close();
});

const names = ['One', 'Two', 'Three'];
const file = JSON.stringify({
  version: '2.1.0',
  runs: names.map((name) => ({ tool: { driver: { name } }, results: [{ ruleId: 'r', message: { text: 'm' } }] })),
});

test('resumes an import after a lost database connection and counts no result twice', { timeout: 60_000 }, async () => {
  await createTestRepository(server, org, 'api');
  const states = async () =>
    (await superuser.query<{ state: string }>('select state from scan order by id')).rows.map(({ state }) => state);
  // The second scan receives no results: the database ends its connection.
  await locker.query('begin; lock table scan_result in access exclusive mode');
  const uploading = sendUpload(server, file, { token: await server.token(org.owner, org.id), repository: 'acme/api' });
  await vi.waitFor(
    async () => {
      const { rowCount } = await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into scan_result%'`,
      );
      expect(rowCount).toBe(1);
    },
    { timeout: 20_000 },
  );
  await locker.query('commit');
  const { status, scans } = await uploading;
  expect([status, scans.map(({ tool, state }) => `${tool.name} ${state}`)]).toEqual([
    202,
    names.map((name) => `${name} receiving`),
  ]);

  const { rows } = await superuser.query<{ id: string }>('select id from scan_upload');
  const watch = () => watchUpload(server.services, { orgId: org.id, uploadId: rows[0]?.id ?? '' });
  await watch();
  // Within 30 seconds, its process may still run.
  expect(await states()).toEqual(['receiving', 'receiving', 'receiving']);

  await superuser.query("update scan set touched_at = now() - interval '31 seconds'");
  await watch();
  expect(await states()).toEqual(['done', 'done', 'done']);
  const { rows: remaining } = await superuser.query(
    `select (select count(*)::int from finding) as findings, (select count(*)::int from scan_upload) as uploads,
       (select count(*)::int from scan_upload_piece) as pieces, (select count(*)::int from scan_result) as staged`,
  );
  expect(remaining).toEqual([{ findings: 3, uploads: 0, pieces: 0, staged: 0 }]);
});
