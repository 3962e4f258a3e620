import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { matchesCensus, parseCensus } from '@sightline/evidence/ledger/census.ts';
import { openCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { openNote, parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { rootOf } from '@sightline/evidence/ledger/tree.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry, leafHash } from '#core/ledger.ts';
import { startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';
import { appendCensus } from './census.ts';
import { signHead, signHeadWhenDue } from './checkpoints.ts';
import { closeEpoch, rotateKey } from './epochs.ts';
import { verifiersOf } from './keys.ts';
import { sequenceEntries } from './sequence.ts';

let server: TestServer;
let superuser: pg.Client;
let orgId: string;
const operator = { operator: 'root', requestId: 'r' };
const ledger = () => server.services.ledger;
const inOrg = <R extends pg.QueryResultRow>(text: string, values: unknown[] = [orgId]) =>
  ledger().database.withOrg(orgId, (tx) => tx.query<R>({ name: '', text, values }));

beforeAll(async () => {
  server = await startTestServer();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
});
beforeEach(async () => {
  orgId = (await server.make.organization()).id;
  // Deletes entries about the creation of the member, which these tests do not count.
  await superuser.query('delete from ledger_pending where org_id = $1', [orgId]);
});
afterAll(async () => {
  await superuser.end();
  await server.close();
});

const factOf = (number: number, id = newId()) =>
  createLedgerEntry(
    {
      id,
      org: orgId,
      kind: number % 3 === 0 ? 'merge' : 'scan',
      asOf: '2026-01-01T00:00:00.000Z',
      receivedAt: '2026-01-01T00:00:00.000Z',
      person: null,
      source: 'test',
      subject: { number },
      personal: {},
    },
    undefined,
  );

const queue = (count: number) =>
  server.services.database.withOrg(orgId, (tx) =>
    appendEntries(
      tx,
      orgId,
      Array.from({ length: count }, (_, index) => factOf(index)),
    ),
  );
const head = async () => {
  const [row] = await inOrg<{ epoch: number; size: number; root: Buffer; halt_reason: string | null }>(
    'select epoch, size, root, halt_reason from ledger_log where org_id = $1 and closed_at is null',
  );
  if (!row) throw new Error('there is no log');
  return row;
};
const entries = () =>
  inOrg<{ leaf_index: number; leaf_hash: Buffer; kind: string; entry: string }>(
    'select leaf_index, leaf_hash, kind, entry_text(e) as entry from ledger_entry e where org_id = $1 order by epoch, leaf_index',
  );
const verifiers = (epoch: number) => ledger().database.withOrg(orgId, (tx) => verifiersOf(tx, orgId, epoch));

test('assigns positions to pending entries, a thousand at a time, with the root of their leaves', async () => {
  await queue(2300);
  expect([await sequenceEntries(ledger(), orgId), await sequenceEntries(ledger(), orgId)]).toEqual([1000, 1000]);
  expect([await sequenceEntries(ledger(), orgId), await sequenceEntries(ledger(), orgId)]).toEqual([300, 0]);
  const rows = await entries();
  expect(rows.map((row) => row.leaf_index)).toEqual(rows.map((_, index) => index));
  const { size, root } = await head();
  expect(size).toBe(2300);
  expect(root).toEqual(Buffer.from(rootOf(rows.map((row) => row.leaf_hash))));
  expect(await inOrg('select from ledger_pending where org_id = $1')).toEqual([]);
});

test('stores an entry queued twice once, and two entries about the same fact separately', async () => {
  const [same, other] = [factOf(1), factOf(2)];
  const repeated = factOf(7, other.id);
  const queueThese = (...some: (typeof same)[]) =>
    server.services.database.withOrg(orgId, (tx) => appendEntries(tx, orgId, some));
  await queueThese(same, same, other);
  await sequenceEntries(ledger(), orgId);
  await queueThese(same, repeated);
  await sequenceEntries(ledger(), orgId);
  expect((await entries()).map(({ entry }) => entry)).toEqual([same.text, other.text, repeated.text]);
});

test('returns the text of each entry exactly as it was hashed', async () => {
  const { id, text } = factOf(1);
  const about = (kind: string) =>
    createLedgerEntry({ ...JSON.parse(text), id: newId(), kind, personal: {} }, undefined).text;
  const texts = [
    text,
    about('event.commit'),
    // Of another entry, of another organization, and no canonical entry.
    about('scan').replaceAll(orgId, newId()),
    '{"_sd":["A","B"],"_sd_alg":"sha-256","asOf":"x","kind":"scan"},"v":1}},"v":1}',
    '',
    // Characters that only the packed form has.
    '\u0001i\u0001v',
    `{"a":"\u0001c"},"v":1}`,
    `\u0001${text}`,
    `\u0002${text}`,
    `\u0002\u0001i`,
    `${text}\u0002`,
    '{"name":"Zoë \u007f 🚀","org":"%s"}',
  ];
  const values = texts.map((one) => ({ id, kind: 'scan', text: one, leafHash: leafHash(one) }));
  await server.services.database.withOrg(orgId, (tx) => appendEntries(tx, orgId, values));
  await sequenceEntries(ledger(), orgId);
  const rows = await entries();
  expect(rows.map(({ entry }) => entry)).toEqual(texts);
  expect(rows.map(({ leaf_hash }) => leaf_hash)).toEqual(texts.map(leafHash));
  const packed = await inOrg<{ length: number }>(
    'select octet_length(packed)::int as length from ledger_entry where org_id = $1 and leaf_index = 0',
  );
  expect(packed[0]?.length).toBeLessThan(text.length / 2);
});

/** Sets the time of the last signature. */
const signedAt = (time: string) =>
  superuser.query(`update ledger_log set signed_at = ${time} where org_id = $1`, [orgId]);

test('signs a growing log without a pause after the clock was set back', async () => {
  await queue(1);
  await sequenceEntries(ledger(), orgId);
  await signHeadWhenDue(ledger(), orgId);
  await signedAt("now() + interval '1 hour'");
  await queue(1);
  await sequenceEntries(ledger(), orgId);
  await signHeadWhenDue(ledger(), orgId);
  expect(await inOrg('select from ledger_checkpoint where org_id = $1')).toHaveLength(2);
});

test('signs a committed head at most every ten seconds and stores it outside the database too', async () => {
  await queue(5);
  await sequenceEntries(ledger(), orgId);
  await signHeadWhenDue(ledger(), orgId);
  const [origin, keys] = [`localhost:1/org/${orgId}/1`, await verifiers(1)];
  const note = await readFile(join(ledger().folder, `${orgId}.checkpoint`), 'utf8');
  const first = openCheckpoint(note, origin, keys);
  expect(first.size).toBe(5);
  expect(Buffer.from(first.root)).toEqual((await head()).root);
  await queue(3);
  await sequenceEntries(ledger(), orgId);
  await signHeadWhenDue(ledger(), orgId);
  expect(await inOrg('select from ledger_checkpoint where org_id = $1')).toHaveLength(1);
  await signedAt("now() - interval '11 seconds'");
  await signHeadWhenDue(ledger(), orgId);
  expect(await inOrg('select from ledger_checkpoint where org_id = $1')).toHaveLength(2);
  const again = await signHead(ledger(), orgId);
  expect(again?.size).toBe(8);
  expect(await inOrg('select from ledger_checkpoint where org_id = $1')).toHaveLength(2);
});

test('appends a census directly after the leaves it counts, starting at the previous census', async () => {
  await queue(10);
  await sequenceEntries(ledger(), orgId);
  await appendCensus(ledger(), orgId);
  expect(await appendCensus(ledger(), orgId)).toBeUndefined();
  await queue(4);
  await sequenceEntries(ledger(), orgId);
  await appendCensus(ledger(), orgId);
  const rows = await entries();
  const censuses = rows.filter(({ kind }) => kind === 'census');
  const parsedCensuses = censuses.map(({ entry }) => parseCensus(parseEntry(entry).subject));
  expect(censuses.map((row) => row.leaf_index)).toEqual([10, 15]);
  expect(parsedCensuses.map(({ from, to }) => [from, to])).toEqual([
    [0, 10],
    [11, 15],
  ]);
  const merges = rows.slice(0, 10).flatMap(({ kind, leaf_hash }) => (kind === 'merge' ? [leaf_hash] : []));
  expect(parsedCensuses[0] && matchesCensus(parsedCensuses[0], 'merge', merges)).toBe(true);
  expect((await head()).root).toEqual(Buffer.from(rootOf(rows.map((row) => row.leaf_hash))));
});

test('endorses a new key with the old key, then signs with the new key only', async () => {
  await queue(3);
  await sequenceEntries(ledger(), orgId);
  const { vkey } = await rotateKey(server.services, operator, orgId);
  const [old, next] = await verifiers(1);
  const leaf = (await entries()).at(-1);
  const { subject } = parseEntry(leaf?.entry ?? '');
  expect(openNote(String(subject.key), old ? [old] : []).text).toContain(vkey);
  const notes = await inOrg<{ size: number; note: string }>(
    'select size, note from ledger_checkpoint where org_id = $1 order by size',
  );
  const origin = `localhost:1/org/${orgId}/1`;
  expect(notes.map(({ size }) => size)).toEqual([3, 4]);
  expect(() => openCheckpoint(notes[0]?.note ?? '', origin, old ? [old] : [])).not.toThrow();
  expect(() => openCheckpoint(notes[1]?.note ?? '', origin, old ? [old] : [])).toThrow('not signed with any');
  expect(openCheckpoint(notes[1]?.note ?? '', origin, [parseVerifier(vkey)]).signed[0]?.by).toEqual(next);
  const audited = await inOrg<{ action: string }>(
    "select action from audit_event where org_id = $1 and action like 'ledger.%'",
  );
  expect(audited).toEqual([{ action: 'ledger.key_rotated' }]);
});

test('refuses to extend a database older than the last signature until an operator starts an epoch', async () => {
  await queue(20);
  await sequenceEntries(ledger(), orgId);
  await signHead(ledger(), orgId);
  const path = join(ledger().folder, `${orgId}.checkpoint`);
  const newest = await readFile(path, 'utf8');
  // Restores an older state, like yesterday's backup.
  for (const table of ['ledger_tile', 'ledger_entry', 'ledger_checkpoint', 'ledger_log', 'signing_key']) {
    await superuser.query(`alter table ${table} disable trigger user`);
    await superuser.query(`delete from ${table} where org_id = $1${table === 'signing_key' ? ' and false' : ''}`, [
      orgId,
    ]);
    await superuser.query(`alter table ${table} enable trigger user`);
  }
  await superuser.query('delete from signing_key where org_id = $1', [orgId]);
  await queue(6);
  await sequenceEntries(ledger(), orgId);
  expect(await signHead(ledger(), orgId)).toBeUndefined();
  expect((await head()).halt_reason).toContain('20 leaves of epoch 1, is larger than the log, which has 6');
  expect(await readFile(path, 'utf8')).toBe(newest);
  await queue(1);
  expect(await sequenceEntries(ledger(), orgId)).toBe(0);
  await expect(rotateKey(server.services, operator, orgId)).rejects.toThrow('halted');
  const notifications = await inOrgOfApp(
    "select notification->>'type' as type from notification_pending where org_id = $1",
  );
  expect(notifications).toEqual([{ type: 'ledger.verification_failed' }]);

  const closed = await closeEpoch(server.services, operator, orgId);
  expect(closed).toMatchObject({ closed: 1, epoch: 2, kept: 6, lost: { from: 6, to: 20 } });
  const first = (
    await inOrg<{ entry: string }>(
      'select entry_text(e) as entry from ledger_entry e where org_id = $1 and epoch = 2 and leaf_index = 0',
    )
  )[0];
  expect(parseEntry(first?.entry ?? '').subject).toMatchObject({
    closes: 1,
    lost: { from: 6, to: 20 },
    checkpoint: newest,
  });
  expect(await sequenceEntries(ledger(), orgId)).toBeGreaterThan(0);
  const sealed = await signHead(ledger(), orgId);
  expect(sealed).toMatchObject({ epoch: 2 });
  expect(() => openCheckpoint(sealed?.note ?? '', closed.origin, [parseVerifier(closed.vkey)])).not.toThrow();
});

const inOrgOfApp = (text: string) =>
  server.services.database.withOrg(orgId, (tx) => tx.query({ name: '', text, values: [orgId] }));

test.each([
  [
    'a tile',
    `update ledger_tile set hashes = set_byte(hashes, 3, 255 - get_byte(hashes, 3)) where org_id = $1 and level = 0`,
  ],
  ['the head', `update ledger_log set root = set_byte(root, 3, 255 - get_byte(root, 3)) where org_id = $1`],
  ['the size', `update ledger_log set size = size - 1 where org_id = $1`],
  ['a checkpoint', `update ledger_checkpoint set root = set_byte(root, 3, 255 - get_byte(root, 3)) where org_id = $1`],
])('%s that was modified halts the log before the next signature', async (_, statement) => {
  await queue(300);
  await sequenceEntries(ledger(), orgId);
  await signHead(ledger(), orgId);
  await superuser.query('alter table ledger_tile disable trigger user');
  await superuser.query(statement, [orgId]);
  await superuser.query('alter table ledger_tile enable trigger user');
  await queue(2);
  await sequenceEntries(ledger(), orgId);
  expect(await signHead(ledger(), orgId)).toBeUndefined();
  expect((await head()).halt_reason).not.toBeNull();
  expect(await inOrg('select from ledger_checkpoint where org_id = $1')).toHaveLength(1);
});

test('allows the web server role to read the ledger but not to write to it', async () => {
  await queue(1);
  await sequenceEntries(ledger(), orgId);
  for (const statement of [
    'update ledger_log set size = 0 where org_id = $1',
    'delete from ledger_entry where org_id = $1',
    'delete from ledger_tile where org_id = $1',
    'delete from ledger_checkpoint where org_id = $1',
    'delete from ledger_receipt where org_id = $1',
    'select secret from signing_key where org_id = $1',
    'insert into ledger_entry select * from ledger_entry where org_id = $1',
  ]) {
    await expect(inOrgOfApp(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
  // The sequencer role cannot change existing entries either.
  for (const statement of [
    'update ledger_entry set kind = kind where org_id = $1',
    'delete from ledger_tile where org_id = $1',
    'update ledger_checkpoint set note = note where org_id = $1',
    'select from account where $1::uuid is not null',
  ]) {
    await expect(inOrg(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
  await expect(
    inOrg('update ledger_tile set hashes = substring(hashes from 1 for 32) where org_id = $1'),
  ).rejects.toThrow('only grow');
});

test('extends a tile in a session whose plans are generic', async () => {
  await queue(1);
  await sequenceEntries(ledger(), orgId);
  const extended = ledger().database.withOrg(orgId, async (tx) => {
    await tx.query({ name: '', text: 'set local plan_cache_mode = force_generic_plan', values: [] });
    return tx.query<{ size: number }>({
      name: '',
      text: `update ledger_tile set hashes = hashes || sha256('next') where org_id = $1 returning octet_length(hashes) as size`,
      values: [orgId],
    });
  });
  expect(await extended).toEqual([{ size: 64 }]);
});

test('refuses to sign when the external checkpoint file is invalid, and reports its path', async () => {
  await queue(1);
  await sequenceEntries(ledger(), orgId);
  await signHead(ledger(), orgId);
  await writeFile(join(ledger().folder, `${orgId}.checkpoint`), 'torn');
  await queue(1);
  await sequenceEntries(ledger(), orgId);
  await expect(signHead(ledger(), orgId)).rejects.toThrow('contains no checkpoint');
});

test('adds an audited action to the log soon afterwards, with an inclusion proof', async () => {
  await server.services.database.withOrg(orgId, (tx) =>
    recordAuditEntry(tx, {
      people: server.services.people,
      orgId,
      actor: { clock: true },
      entry: {
        action: 'organization.updated',
        subject: { kind: 'organization', id: orgId },
      },
    }),
  );
  await sequenceEntries(ledger(), orgId);
  expect((await entries()).map(({ kind }) => kind)).toEqual(['audit.organization.updated']);
});
