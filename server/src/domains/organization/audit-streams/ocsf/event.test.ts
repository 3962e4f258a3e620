import { type AuditAction, auditActions } from '@sightline/contract/organization/audit-actions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sequenceEntries } from '../../../ledger/ledger/sequence.ts';
import { listAuditEntriesAfter } from '../../audit/queries.ts';
import { problemsOf } from '../testing/validate-event.ts';
import { ocsfEventOf } from './event.ts';

let server: TestServer;
let org: TestOrganization;
let events: Map<string, Record<string, unknown>[]>;
const actions = Object.keys(auditActions) as AuditAction[];
const eventsOf = (action: AuditAction) => events.get(action) ?? [];
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  const personId = await server.personOf(org.id, org.owner);
  const from = { requestId: 'req-1', address: '::ffff:192.0.2.7' };
  events = await recordAll([
    { accountId: org.owner.id, personId, ...from },
    { accountId: org.owner.id, personId, ...from, operator: 'root' },
    { stranger: true, personId, ...from, address: '2001:db8::7' },
    { auditor: true, personId: null, requestId: 'req-2' },
    { operator: 'root', requestId: 'cli' },
    { integration: 'github' },
    { clock: true },
  ]);
});
afterAll(() => server.close());

/** The event of every entry, in the order of `doers`. */
async function recordAll(actors: readonly AuditActor[]): Promise<Map<string, Record<string, unknown>[]>> {
  const subject = { kind: 'member', id: org.owner.id } as const;
  const data = { name: 'Größe 🎉', before: { role: 'rol_auditor' }, after: { role: 'rol_owner' } };
  await server.services.database.withOrg(org.id, async (tx) => {
    for (const action of actions) {
      for (const actor of actors)
        await recordAuditEntry(tx, {
          people: server.services.people,
          orgId: org.id,
          actor,
          entry: { action, subject, data },
        });
    }
  });
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  const placed = await server.services.database.withOrg(org.id, (tx) =>
    listAuditEntriesAfter(tx, org.id, { epoch: 0, leafIndex: -1 }, 10_000),
  );
  return Map.groupBy(
    placed.flatMap(({ position, entry }) => (entry ? [{ ...ocsfEventOf({ orgId: org.id, position, entry }) }] : [])),
    ({ metadata }) => (metadata as { event_code: string }).event_code,
  );
}

test.each(actions)('maps %s to an event that its OCSF class accepts, for every kind of actor', (action) => {
  expect(eventsOf(action)).toHaveLength(7);
  for (const event of eventsOf(action)) {
    expect([event, problemsOf(event)]).toEqual([event, []]);
    expect(event.metadata).toMatchObject({ event_code: action, tenant_uid: org.id });
  }
});

test('names the actor, the subject, the outcome and where it came from', () => {
  const [byMember, byOperator, byStranger, , , byHost, byClock] = eventsOf('member.role_changed');
  expect(byMember).toMatchObject({
    class_uid: 3007,
    activity_id: 16,
    type_uid: 300716,
    status_id: 1,
    actor: { user: { uid: org.owner.id, email_addr: org.owner.email, type_id: 1 } },
    src_endpoint: { ip: '192.0.2.7' },
    user: { uid: org.owner.id, name: 'Olga Owner' },
    iam_roles: [{ uid: 'rol_owner', name: 'Account Owner' }],
    message: 'Olga Owner changed the role of Olga Owner from Auditor to Account Owner',
  });
  expect(byOperator).toMatchObject({ actor: { user: { uid: 'root', type_id: 2 } } });
  expect(byStranger).toMatchObject({ actor: { user: { type_id: 3 } }, src_endpoint: { ip: '2001:db8::7' } });
  expect(byHost).toMatchObject({ actor: { app_name: 'GitHub', app_uid: 'github' } });
  expect(byClock).not.toHaveProperty('src_endpoint');
  const [failed] = eventsOf('login.failed');
  expect(failed).toMatchObject({ class_uid: 3002, type_uid: 300201, status_id: 2, severity_id: 3 });
});

test('rejects an event without what its class requires', () => {
  const [event] = eventsOf('login.failed');
  const { user: _, ...without } = event ?? {};
  expect(problemsOf(without)).not.toEqual([]);
  expect(problemsOf({ ...event, type_uid: 300202 })).not.toEqual([]);
  expect(problemsOf({ ...event, invented: true })).not.toEqual([]);
});
