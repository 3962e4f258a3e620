import { listAudit } from '@sightline/contract/organization/audit.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { refusalOf, startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';

let server: TestServer;
const lines: Record<string, unknown>[] = [];
const logged = (msg: string) => lines.find((line) => line.msg === msg);

beforeAll(async () => {
  const onLog = (line: string) => void lines.push(JSON.parse(line));
  server = await startTestServer({ jobs: true, environment: { LOG_LEVEL: 'warn' }, onLog });
});
afterAll(() => server.close());

test('logs a failing request and a failing job with cause and location', async () => {
  const { id, owner } = await server.make.organization();
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  await client.query('alter table audit_event rename to audit_event_away');
  await client.query('alter table notification_pending rename to notification_pending_away');
  await client.end();
  expect(await refusalOf(server.as(owner, id)(listAudit, {}))).toEqual({ status: 500, code: 'internal' });
  await server.services.database.withOrg(id, (tx) =>
    server.services.jobs.enqueue(tx, 'notifications.deliver', { orgId: id }, { key: id }),
  );
  const because = (relation: string) => ({
    type: 'DatabaseError',
    message: `relation "${relation}" does not exist`,
    stack: expect.stringContaining('.ts:'),
  });
  expect(logged('request failed')).toMatchObject({ err: because('audit_event') });
  await vi.waitFor(() => expect(logged('job failed')).toMatchObject({ err: because('notification_pending') }), 20_000);
});
