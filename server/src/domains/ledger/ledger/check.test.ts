import { updateOrganization } from '@sightline/contract/organization/organizations.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { checkLedger } from './check/check.ts';
import { signHead } from './checkpoints.ts';
import { sequenceEntries } from './sequence.ts';

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  // Connects with full permissions on the database, as an attacker might have.
  await superuser.query("set session_replication_role = 'replica'");
});
beforeEach(async () => {
  org = await server.make.organization();
  for (let round = 0; round < 3; round += 1) {
    await server.as(org.owner, org.id)(recordEvents, { body: [view(), view(), view()] });
  }
  await server.as(org.owner, org.id)(updateOrganization, { body: { displayName: 'Acme Works', description: '' } });
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  await signHead(server.services.ledger, org.id);
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const view = () => ({
  plugin_id: 'sightline-browser',
  event_type: 'web_page_view',
  message_id: newId(),
  identifiers: { kind: 'issue' },
  original_timestamp: '2026-11-20T10:00:00Z',
  tracking_source: 'chrome',
  content_uri: 'https://wiki.example.org/en/docs',
});

const problems = async () => (await checkLedger(server.services, org.id))?.problems ?? [];
const tamper = (statement: string) => superuser.query(statement, [org.id]);
const flip = (column: string) => `set_byte(${column}, 5, 255 - get_byte(${column}, 5))`;

test('reports no problem for an unmodified ledger', async () => {
  expect(await problems()).toEqual([]);
  const log = await checkLedger(server.services, org.id);
  expect(log?.size).toBeGreaterThan(3);
});

test.each([
  [
    'entry',
    1,
    `update ledger_entry set packed = overlay(entry_text(ledger_entry) placing 'X' from 40 for 1) where org_id = $1 and leaf_index = 1`,
  ],
  ['entry', 2, 'delete from ledger_entry where org_id = $1 and leaf_index = 2'],
  [
    'tile',
    1,
    `update ledger_tile set hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40)) where org_id = $1 and level = 0`,
  ],
  ['head', null, `update ledger_log set root = ${flip('root')} where org_id = $1`],
  ['head', null, 'update ledger_log set size = size - 1 where org_id = $1'],
  ['checkpoint', null, `update ledger_checkpoint set root = ${flip('root')} where org_id = $1`],
  ['checkpoint', null, `update ledger_checkpoint set note = overlay(note placing 'X' from 3 for 1) where org_id = $1`],
  [
    'audit',
    null,
    `update audit_event set data = '{"before":{},"after":{}}' where org_id = $1 and action = 'organization.updated'`,
  ],
  ['audit', null, `update audit_event set address = '10.0.0.1' where org_id = $1 and action = 'organization.updated'`],
  ['audit', null, `delete from audit_event where org_id = $1 and action = 'organization.updated'`],
  [
    'event',
    2,
    `update event set summary = summary || ' ' where org_id = $1 and proof = (select entry_id from ledger_entry where org_id = $1 and leaf_index = 2)`,
  ],
  [
    'event',
    1,
    `update event set kind = 'web_page_close' where id = (select id from event where org_id = $1 and proof = (select entry_id from ledger_entry where org_id = $1 and leaf_index = 1) limit 1)`,
  ],
  [
    'event',
    1,
    `delete from event where id = (select id from event where org_id = $1 and proof = (select entry_id from ledger_entry where org_id = $1 and leaf_index = 1) limit 1)`,
  ],
] as const)('locates a changed %s at %s: %s', async (what, index, statement) => {
  const { rowCount } = await tamper(statement);
  expect(rowCount).toBeGreaterThan(0);
  const found = await problems();
  expect(found.map((problem) => problem.what)).toContain(what);
  const named = found.find((problem) => problem.what === what);
  expect(named?.index).not.toBeNull();
  if (index !== null) expect(found).toContainEqual(expect.objectContaining({ what, index }));
});

test('locates changed, added and deleted states of findings', async () => {
  const { send } = await createTestScanner(server, org);
  await send([createScanResult(), createScanResult({ ruleId: 'two', path: 'b.ts' })]);
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  expect(await problems()).toEqual([]);
  const { rows } = await superuser.query<{ index: string }>(
    `select leaf_index as index from ledger_entry where org_id = $1 and kind = 'findings.changed'`,
    [org.id],
  );
  const found = expect.objectContaining({ what: 'finding', index: Number(rows[0]?.index) });
  const one = 'number = (select min(number) from finding_state where org_id = $1)';
  await tamper(`update finding_state set status = 'fixed' where org_id = $1 and ${one}`);
  expect(await problems()).toEqual([found]);
  await tamper(`update finding_state set status = 'open' where org_id = $1 and ${one}`);
  expect(await problems()).toEqual([]);
  await tamper(`delete from finding_state where org_id = $1 and ${one}`);
  expect(await problems()).toEqual([found]);
  await tamper('delete from finding_state where org_id = $1');
  expect(await problems()).toEqual([found]);
});

test('detects a restored backup by checkpoints this machine signed since', async () => {
  const tables = ['ledger_log', 'ledger_entry', 'ledger_tile', 'ledger_checkpoint', 'event', 'audit_event'];
  for (const table of tables) {
    await superuser.query(`create table kept_${table} as select * from ${table} where org_id = '${org.id}'`);
  }
  await server.as(org.owner, org.id)(recordEvents, { body: [view()] });
  await sequenceEntries(server.services.ledger, org.id);
  await signHead(server.services.ledger, org.id);
  for (const table of tables) {
    await tamper(`delete from ${table} where org_id = $1`);
    await superuser.query(`insert into ${table} select * from kept_${table}`);
  }
  expect(await problems()).toEqual([
    expect.objectContaining({ what: 'outside', message: expect.stringContaining('A backup may have been restored.') }),
  ]);
});

test('checks a ledger of several pages across their edges and reports a change in each', async () => {
  const sizes: number[] = [];
  for (const count of [4_100, 2_000]) {
    await superuser.query(
      `insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
       select $1, id, 'scan', '{"asOf":"2026-01-01T00:00:00.000Z","id":"' || id || '","kind":"scan","org":"' || $1::uuid ||
         '","person":null,"receivedAt":"2026-01-01T00:00:00.000Z","source":"test","subject":{},"v":1}', sha256('')
       from (select gen_random_uuid() as id from generate_series(1, $2::int)) ids`,
      [org.id, count],
    );
    while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
    await signHead(server.services.ledger, org.id);
    sizes.push((await checkLedger(server.services, org.id))?.size ?? 0);
  }
  expect(await problems()).toEqual([]);
  await superuser.query(`update ledger_checkpoint set root = ${flip('root')} where org_id = $1 and size = any($2)`, [
    org.id,
    sizes,
  ]);
  await tamper('delete from ledger_entry where org_id = $1 and leaf_index = 5000');
  const found = await problems();
  for (const index of sizes) expect(found).toContainEqual(expect.objectContaining({ what: 'checkpoint', index }));
  expect(found).toContainEqual({ what: 'entry', epoch: 1, index: 5000, message: 'entry 5000 is missing' });
});
