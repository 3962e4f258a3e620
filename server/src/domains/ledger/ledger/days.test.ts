import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { runSelfCheck } from './check/self-check.ts';
import { sequenceAndSign } from './commands.ts';
import { recordCompletedDays } from './days.ts';
import { haltLog } from './sequence.ts';

let server: TestServer;
let superuser: pg.Client;
let org: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  await queue();
  await sequenceAndSign(server.services.ledger, org.id);
  await change(`update ledger_checkpoint set signed_at = now() - interval '4 days' where org_id = $1`);
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const change = (statement: string, values: unknown[] = []) => superuser.query(statement, [org.id, ...values]);
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

async function queue(): Promise<void> {
  const at = new Date().toISOString();
  const fact = { id: newId(), org: org.id, kind: 'scan', asOf: at, receivedAt: at, person: null, source: 'test' };
  await server.services.database.withOrg(org.id, (tx) =>
    appendEntries(tx, org.id, [createLedgerEntry({ ...fact, subject: {}, personal: {} }, undefined)]),
  );
}

async function days() {
  await recordCompletedDays(server.services, org.id);
  const { rows } = await change(
    `select to_char(day, 'YYYY-MM-DD') as day, self_check as check, longest_pending_seconds as waited, last_anchored_at is not null as anchored,
       epoch_breaks as breaks, exists (select from ledger_pending p where p.org_id = d.org_id and p.entry_id = d.entry_id) as queued
     from ledger_day d where org_id = $1 order by day`,
  );
  return rows;
}

test('records each completed day once, from the first full day of the ledger', async () => {
  // The recording of waits started with this test, so the waits of earlier days are unknown.
  const unknown = { check: null, waited: null, anchored: false, breaks: 0, queued: true };
  const expected = [3, 2, 1].map((ago) => ({ ...unknown, day: day(ago) }));
  expect(await days()).toEqual(expected);
  expect(await days()).toEqual(expected);
});

test('a day records its self-check, longest wait, last anchor and ended epochs', async () => {
  await change(`update ledger_delay set day = current_date - 4 where org_id = $1`);
  await change(`insert into ledger_delay (org_id, day, seconds) values ($1, current_date - 2, 301)`);
  await runSelfCheck(server.services, org.id);
  // The text of the check contains its time, which is set to yesterday.
  await change(`update ledger_entry set packed = replace(packed, $2, $3) where org_id = $1 and kind = 'ledger.check'`, [
    day(0),
    day(1),
  ]);
  await change(
    `insert into ledger_receipt (org_id, epoch, size, kind, party, at) values ($1, 1, 1, 'mail', 'house', current_date - interval '30 hours')`,
  );
  expect(await days()).toMatchObject([
    { day: day(3), check: null, waited: 0, anchored: false },
    { day: day(2), check: null, waited: 301, anchored: true },
    { day: day(1), check: 'ok', waited: 0, anchored: true },
  ]);
});

test('fails the day a log was halted, and pending entries wait longer each day', async () => {
  await change(`update ledger_delay set day = current_date - 4 where org_id = $1`);
  await queue();
  await change(`update ledger_pending set queued_at = current_date - interval '36 hours' where org_id = $1`);
  await haltLog(server.services.ledger, org.id, 'A test says so');
  await change(`update ledger_log set halted_at = current_date - interval '36 hours' where org_id = $1`);
  expect(await days()).toMatchObject([
    { day: day(3), check: null, waited: 0 },
    { day: day(2), check: 'failed', waited: 12 * 3600 },
    { day: day(1), check: 'failed', waited: 36 * 3600 },
  ]);
  await expect(sequenceAndSign(server.services.ledger, org.id)).rejects.toThrow('A test says so');
});
