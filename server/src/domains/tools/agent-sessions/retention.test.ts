import { createPersonalKey } from '@sightline/contract/identity/access-keys.ts';
import { listAgentRecords, listAgentSessions } from '@sightline/contract/tools/agent-sessions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';
import { expireTelemetry } from './retention.ts';
import { sendTelemetry } from './testing/otlp.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server?.close());

const send = (key: string, session: string, second: number) =>
  sendTelemetry(server.url, key, {
    signal: 'logs',
    resource: { 'service.name': 'claude-code' },
    records: [
      {
        name: 'claude_code.user_prompt',
        at: new Date(Date.UTC(2026, 10, 2, 10, 0, second)).toISOString(),
        attributes: { 'session.id': session, 'event.sequence': second },
      },
    ],
  });

test('deletes records after the retention period, and sessions without later ones', async () => {
  const org = await server.make.organization();
  const ask = server.as(org.owner, org.id);
  const { key } = await ask(createPersonalKey, { body: { name: 'Laptop' } });
  await send(key, 'kept', 1);
  await send(key, 'kept', 2);
  await send(key, 'expired', 3);
  await server.services.database.withOrg(org.id, async ({ db }) => {
    await sql`update agent_record set at = '1900-01-01' where at < '2026-11-02 10:00:02' or at = '2026-11-02 10:00:03'`.execute(
      db,
    );
    await sql`update agent_session set last_at = '1900-01-01' where vendor_session = 'expired'`.execute(db);
  });
  await expireTelemetry(server.services);
  const { rows } = await ask(listAgentSessions, {});
  // Totals of a session outlast its records.
  expect(rows.map(({ vendorSessionId, totals }) => [vendorSessionId, totals.prompts])).toEqual([['kept', 2]]);
  const records = await ask(listAgentRecords, { params: { sessionId: rows[0]?.id ?? '' } });
  expect(records.rows.map(({ at }) => at)).toEqual(['2026-11-02T10:00:02.000Z']);
  const left = await server.services.database.withOrg(org.id, ({ db }) =>
    sql<{ n: number }>`select count(*)::int as n from agent_total`.execute(db),
  );
  expect(left.rows[0]?.n).toBe(1);
});

test('moves sessions to the person with whom another one is merged', async () => {
  const org = await server.make.organization();
  const member = await server.make.member(org.id, 'rol_contributor');
  const { key } = await server.as(member, org.id)(createPersonalKey, { body: { name: 'Laptop' } });
  await send(key, 's1', 1);
  const [from, into] = [await server.personOf(org.id, member), await server.personOf(org.id, org.owner)];
  const { services } = server;
  await services.database.withOrg(org.id, (tx) =>
    services.topics.publish({ services, tx, orgId: org.id }, personsUnited, { from, into }),
  );
  const { rows } = await server.as(org.owner, org.id)(listAgentSessions, { query: { person: [into] } });
  expect(rows.map(({ vendorSessionId }) => vendorSessionId)).toEqual(['s1']);
});
