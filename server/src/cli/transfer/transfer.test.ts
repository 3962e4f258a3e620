import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@sightline/contract/core/client.ts';
import { getLedger, getLedgerCheckpoint, getLedgerConsistency } from '@sightline/contract/ledger/ledger.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { fromBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { openCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { isConsistent } from '@sightline/evidence/ledger/proofs.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { backgroundJobsOf } from '#app.ts';
import {
  startTestServer,
  superuserUrl,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { seedOrganization } from '../../architecture/seed.ts';
import { compareStoredEvents } from '../../crash/testing/evidence.ts';
import { startEventWriters } from '../../crash/testing/writers.ts';
import { checkLedger } from '../../domains/ledger/ledger/check/check.ts';
import { sequenceAndSign } from '../../domains/ledger/ledger/commands.ts';
import { operatorCliOf } from '../testing/in-process.ts';

const addresses = { old: 'http://one.sightline.example', new: 'http://two.sightline.example' };
let folder: string;
let key: string;
let source: TestServer;
let target: TestServer;
let org: TestOrganization;
let bystander: TestOrganization;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-transfer-'));
  key = join(folder, 'transfer.key');
  await writeFile(key, `${randomBytes(32).toString('base64')}\n`);
  source = await startTestServer({ environment: { PUBLIC_URL: addresses.old } });
  target = await startTestServer({
    environment: { PUBLIC_URL: addresses.new, MASTER_KEY: randomBytes(32).toString('base64') },
  });
  org = await source.make.organization('Acme');
  bystander = await source.make.organization('Bystander');
  // A damaged ledger of another organization does not prevent an import.
  const resident = await target.make.organization('Resident');
  await sequenceAndSign(target.services.ledger, resident.id);
  await query(target, `update ledger_entry set leaf_hash = sha256('damaged') where org_id = $1`, [resident.id]);
}, 120_000);
afterAll(async () => {
  await Promise.all([source?.close(), target?.close()]);
  await rm(folder, { recursive: true, force: true });
});

async function query<Row extends pg.QueryResultRow>(server: TestServer, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const exportTo = (name: string, id: string, ...more: string[]) =>
  operatorCliOf(source).cli(['org', 'export', id, join(folder, name), '--to', addresses.new, '--key', key, ...more]);
const importFrom = (name: string, ...more: string[]) =>
  operatorCliOf(target).cli(['org', 'import', join(folder, name), '--key', key, ...more]);

/** The newest checkpoint of the ledger. */
const noteOf = async (server: TestServer) => {
  const headers = { authorization: `Bearer ${await server.token(org.owner, org.id)}` };
  return (await fetch(`${server.url}/api${getLedgerCheckpoint.path}`, { headers })).text();
};

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? { status: error.status, ...error.refusal } : error),
  );

test('moves an organization while events arrive: every acknowledged event arrives once, and its ledger continues', async () => {
  const call = source.as(org.owner, org.id);
  await sequenceAndSign(source.services.ledger, org.id);
  const before = await noteOf(source);
  const ledger = await call(getLedger, {});
  const writers = startEventWriters(source.url, await source.token(org.owner, org.id), 3);
  await writers.reached(60);
  expect(await exportTo('acme', org.id)).toMatchObject({ code: 0 });
  await writers.finished;
  const imported = await importFrom('acme');
  expect(imported).toMatchObject({ code: 0, complaint: '' });

  const stored = await compareStoredEvents(superuserUrl(target.databaseUrl), org.id, writers.acknowledged);
  expect(stored).toMatchObject({ missing: [], unproven: [], broken: [] });
  const copied = await query<{ id: string }>(source, 'select id from event where org_id = $1', [org.id]);
  expect(stored.events).toBe(copied.length);

  const there = target.as(org.owner, org.id);
  await sequenceAndSign(target.services.ledger, org.id);
  const after = await noteOf(target);
  // The key and the origin of the old installation: verifiers need nothing new.
  const keys = ledger.keys.map((text) => parseVerifier(text));
  const head = openCheckpoint(after, ledger.origin, keys);
  const old = openCheckpoint(before, ledger.origin, keys);
  expect(head.size).toBeGreaterThan(old.size);
  const { proof } = await there(getLedgerConsistency, { query: { from: old.size, to: head.size } });
  expect(isConsistent(old, head, proof.map(fromBase64))).toBe(true);
  expect((await checkLedger(target.services, org.id))?.problems).toEqual([]);
  const { entries } = await there(listAudit, {});
  expect(entries.map(({ action }) => action).slice(0, 2)).toEqual(['organization.imported', 'organization.moved_away']);
});

test('refuses every request at the old address with the new one, and appends nothing there', async () => {
  const count = () => query(source, 'select count(*) from ledger_known where org_id = $1', [org.id]);
  const before = await count();
  expect(await refusalOf(source.as(org.owner, org.id)(listAudit, {}))).toMatchObject({
    status: 410,
    code: 'organization_moved',
    movedTo: addresses.new,
  });
  await expect(sequenceAndSign(source.services.ledger, org.id)).rejects.toMatchObject({ code: 'SM301' });
  for (const job of backgroundJobsOf(source.services).filter(({ cron }) => cron !== undefined))
    await job.handle({} as never);
  expect(await count()).toEqual(before);
  expect(await refusalOf(source.as(bystander.owner, bystander.id)(listAudit, {}))).toBeUndefined();
  const listed = await source.as(org.owner)(listOrganizations, { query: {} });
  expect(listed.map(({ id, movedTo }) => ({ id, movedTo }))).toEqual([{ id: org.id, movedTo: addresses.new }]);
});

test('refuses a second import, another address, another key, and a changed file', async () => {
  expect((await importFrom('acme')).complaint).toContain('already contains the organization');
  const other = join(folder, 'other.key');
  await writeFile(other, randomBytes(32).toString('base64'));
  const args = ['org', 'import', join(folder, 'acme'), '--key'];
  expect((await operatorCliOf(target).cli([...args, other])).complaint).toContain('is not the key of this export');
  expect((await operatorCliOf(source).cli([...args, key])).complaint).toContain(`The export is for ${addresses.new}`);
  await appendFile(join(folder, 'acme', 'public.event.copy.gz'), 'x');
  expect((await importFrom('acme')).complaint).toContain('public.event.copy.gz was changed');
});

/** The tables with an organization, and the column that holds it. */
const organizationTables = () =>
  query<{ name: string; column: string }>(
    source,
    `select c.relname as name, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (a.attname = 'org_id' or c.relname = 'organization' and a.attname = 'id') order by 1`,
  );

/** The tables of the old installation with rows of an organization. */
async function tablesWithRows(id: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, column } of await organizationTables())
    if ((await query(source, `select from ${name} where ${column} = $1 limit 1`, [id])).length > 0) found.push(name);
  return found;
}

test('deletes the rows of a moved organization, and still tells its address', async () => {
  const { ask, cli } = operatorCliOf(source);
  const others = await tablesWithRows(bystander.id);
  expect((await cli(['org', 'delete-moved', org.id])).complaint).toContain('--imported');
  expect((await cli(['org', 'delete-moved', bystander.id, '--imported'])).complaint).toContain('did not move');
  await ask('org', 'delete-moved', org.id, '--imported');
  expect(await tablesWithRows(org.id)).toEqual(['member', 'organization']);
  expect(await tablesWithRows(bystander.id)).toEqual(others);
  expect(await refusalOf(source.as(org.owner, org.id)(listAudit, {}))).toMatchObject({
    status: 410,
    movedTo: addresses.new,
  });
  const listed = await source.as(org.owner)(listOrganizations, { query: {} });
  expect(listed.map(({ id, movedTo }) => ({ id, movedTo }))).toEqual([{ id: org.id, movedTo: addresses.new }]);
  expect(await ask('operator', 'log')).toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ action: 'organization.moved_rows_deleted' })]),
  });
});

test('merges accounts with the same confirmed address, and grants no permissions of the installation', async () => {
  const moving = await source.make.organization('Matched');
  const { database } = source.services;
  const member = await source.make.member(moving.id, 'rol_reviewer');
  await database.global(({ db }) =>
    db.updateTable('account').set({ is_operator: true, is_employee: true }).where('id', '=', member.id).execute(),
  );
  const here = await target.make.account('Existing');
  const renamed = (account: TestAccount, email: string) =>
    database.global(({ db }) => db.updateTable('account').set({ email }).where('id', '=', account.id).execute());
  await renamed(moving.owner, here.email.toUpperCase());
  expect(await exportTo('matched', moving.id)).toMatchObject({ code: 0 });

  const confirm = (at: Date | null) =>
    query(target, 'update account set email_verified_at = $2 where id = $1', [here.id, at]);
  await confirm(null);
  expect((await importFrom('matched')).complaint).toContain('not confirmed in both installations');
  expect(await query(target, 'select from organization where id = $1', [moving.id])).toEqual([]);
  expect(await query(target, 'select from account where id = $1', [member.id])).toEqual([]);
  await confirm(new Date());
  expect(await importFrom('matched')).toMatchObject({ code: 0, complaint: '' });

  expect(
    await query(target, 'select account_id as id, role_id as role from member where org_id = $1 order by role_id', [
      moving.id,
    ]),
  ).toEqual([
    { id: here.id, role: 'rol_owner' },
    { id: member.id, role: 'rol_reviewer' },
  ]);
  expect(await query(target, 'select is_operator, is_employee from account where id = $1', [member.id])).toEqual([
    { is_operator: false, is_employee: false },
  ]);
  const { entries } = await target.as(here, moving.id)(listAudit, {});
  expect(entries.map(({ action }) => action)).toContain('account.merged');
  await sequenceAndSign(target.services.ledger, moving.id);
  expect((await checkLedger(target.services, moving.id))?.problems).toEqual([]);
});

test('waits for transactions that began before an organization was closed', async () => {
  const moving = await source.make.organization('Waiting');
  const late = new pg.Client({ connectionString: source.databaseUrl });
  await late.connect();
  try {
    await late.query('begin; set local role sightline_app');
    await late.query('select enter_organization($1)', [moving.id]);
    const exporting = exportTo('waiting', moving.id);
    await vi.waitFor(async () =>
      expect(await query(source, 'select from moved_organization where id = $1', [moving.id])).toHaveLength(1),
    );
    await late.query(`insert into organization_flag (org_id, name, enabled) values ($1, 'late', true)`, [moving.id]);
    await late.query('commit');
    expect(await exporting).toMatchObject({ code: 0 });
  } finally {
    await late.end();
  }
  expect(await importFrom('waiting')).toMatchObject({ code: 0, complaint: '' });
  expect(await query(target, 'select name from organization_flag where org_id = $1', [moving.id])).toEqual([
    { name: 'late' },
  ]);
});

test('runs triggers of imported tables for every login except an importing owner', async () => {
  const { id } = await source.make.organization('Triggers');
  const account = await source.make.account('Trigger');
  await source.services.database.withOrg(id, async (tx) => {
    await tx.query({ name: '', text: "select set_config('app.importing', 'on', true)", values: [] });
    await tx.db
      .insertInto('member')
      .values({ org_id: id, account_id: account.id, role_id: 'rol_reviewer', status: 'active' })
      .execute();
  });
  expect(
    await query(source, 'select role_id from member_change where org_id = $1 and account_id = $2', [id, account.id]),
  ).toEqual([{ role_id: 'rol_reviewer' }]);
});

test('opens an organization again only with the confirmation that no import happened', async () => {
  const { ask, cli } = operatorCliOf(source);
  expect(await exportTo('reopened', bystander.id)).toMatchObject({ code: 0 });
  expect((await cli(['org', 'reopen', bystander.id])).complaint).toContain('--not-imported');
  await ask('org', 'reopen', bystander.id, '--not-imported');
  const { entries } = await source.as(bystander.owner, bystander.id)(listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'organization.moved_away', actor: { kind: 'operator' } });
});

test('moves every row of an organization with all features, and seals its secrets again', {
  tags: 'full',
}, async () => {
  const seed = await seedOrganization(source, 'everything');
  expect(await exportTo('everything', seed.org.id)).toMatchObject({ code: 0 });
  expect(await importFrom('everything')).toMatchObject({ code: 0, complaint: '' });
  const left = ['event_copy', 'event_copy_pending', 'extension_code'];
  const tables = (await organizationTables()).filter(({ name }) => !left.includes(name));
  const [sealed, opened] = [source, target].map(({ services }) => services.secrets.headerOf().toString('hex'));
  const more: string[] = [];
  let secrets = 0;
  for (const { name, column } of tables) {
    const text = `select to_jsonb(t)::text as row from ${name} t where ${column} = $1`;
    const [before, after] = await Promise.all(
      [source, target].map(async (server) =>
        (await query<{ row: string }>(server, text, [seed.org.id])).map(({ row }) => {
          secrets += server === target ? row.split(`\\\\x${opened}`).length - 1 : 0;
          // Version, key ID and wrapped key differ: 69 bytes.
          return row.replaceAll(new RegExp(`\\\\\\\\x(${sealed}|${opened})[0-9a-f]{120}`, 'g'), 'sealed ');
        }),
      ),
    );
    const arrived = new Set(after);
    expect([name, before?.filter((row) => !arrived.has(row))]).toEqual([name, []]);
    if (before?.length !== after?.length) more.push(name);
  }
  expect(secrets).toBeGreaterThan(5);
  // The entry of the import, and the email about it.
  expect(more).toEqual(['audit_event', 'ledger_pending', 'owner_notice']);
  await operatorCliOf(source).ask('org', 'delete-moved', seed.org.id, '--imported');
  expect(await tablesWithRows(seed.org.id)).toEqual(['member', 'organization']);
});
