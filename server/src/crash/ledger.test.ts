import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { rootAt } from '@sightline/evidence/ledger/tiles.ts';
import { createIncrementalTree, leafHash } from '@sightline/evidence/ledger/tree.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import { createSecrets } from '#core/secrets.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { signHead } from '../domains/ledger/ledger/checkpoints.ts';
import { maybeHead, tileReaderOf } from '../domains/ledger/ledger/head.ts';
import { verifiersOf } from '../domains/ledger/ledger/keys.ts';

const [sequencers, writers, kills] = isFullSuite ? [4, 16, 5] : [2, 6, 1];
/** With `SECONDS=60` the test kills for that long. */
const until = Date.now() + Number(process.env.SECONDS ?? 0) * 1000;

const masterKey = randomBytes(32);
let server: TestServer;
let folder: string;
let orgId: string;
const running = new Set<ChildProcess>();
const complaints: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ environment: { DATABASE_POOL: String(writers + 2) } });
  orgId = (await server.make.organization()).id;
  folder = await mkdtemp(join(tmpdir(), 'sightline-crash-'));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function startOne(): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('testing/sequencer.fixture.ts', import.meta.url));
  const child = fork(program, [server.databaseUrl, masterKey.toString('base64'), folder], { stdio: 'ignore' });
  running.add(child);
  child.on('message', (message) => message !== 'ready' && complaints.push(String(message)));
  child.once('exit', () => running.delete(child));
  await once(child, 'message');
  return child;
}

const entryNumber = (id: string, number: number) =>
  createLedgerEntry(
    {
      id,
      org: orgId,
      kind: `kind${number % 5}`,
      asOf: '2026-01-01T00:00:00.000Z',
      receivedAt: '2026-01-01T00:00:00.000Z',
      person: null,
      source: 'crash',
      subject: { number },
      personal: {},
    },
    undefined,
  );

const committed = new Set<string>();

const rolledBack = new Set<string>();
let stopped = false;

/** Writes batch after batch; some commit late, and some never. */
async function write(): Promise<void> {
  while (!stopped) {
    const ids = Array.from({ length: randomInt(1, 30) }, () => newId());
    const fate = randomInt(10);
    await server.services.database
      .withOrg(orgId, async (tx) => {
        await appendEntries(tx, orgId, ids.map(entryNumber));
        if (fate === 1) await tx.query({ name: '', text: 'select pg_sleep(0.1)', values: [] });
        if (fate === 0) throw new Error('rolled back');
      })
      .catch((error: Error) => {
        if (error.message !== 'rolled back') throw error;
      });
    for (const id of ids) (fate === 0 ? rolledBack : committed).add(id);
  }
}

const inOrg = <R extends Record<string, unknown>>(text: string) =>
  server.services.database.withOrg(orgId, (tx) => tx.query<R>({ name: '', text, values: [orgId] }));

test('sequencers killed at any moment lose no entry, leave no gap and assign no position twice', {
  timeout: 180_000,
}, async () => {
  // The creation of the organization has queued these entries.
  for (const { id } of await inOrg<{ id: string }>('select entry_id as id from ledger_pending where org_id = $1')) {
    committed.add(id);
  }
  await Promise.all(Array.from({ length: sequencers }, startOne));
  const writing = Array.from({ length: writers }, write);
  for (let killed = 0; killed < kills || Date.now() < until; killed += 1) {
    const next = committed.size + randomInt(100, isFullSuite ? 600 : 200);
    await vi.waitFor(() => expect(committed.size).toBeGreaterThan(next), { timeout: 60_000, interval: 5 });
    const [one] = [...running].toSorted(() => randomInt(2) - 0.5);
    one?.kill('SIGKILL');
    await startOne();
  }
  stopped = true;
  await Promise.all(writing);
  await vi.waitFor(
    async () => expect(await inOrg('select id from ledger_pending where org_id = $1 limit 1')).toEqual([]),
    { timeout: 60_000, interval: 100 },
  );

  const rows = await inOrg<{ at: number; id: string; entry: string; hash: Buffer }>(
    'select leaf_index as at, entry_id as id, entry_text(e) as entry, leaf_hash as hash from ledger_entry e where org_id = $1 order by leaf_index',
  );
  const sequenced = new Set(rows.map(({ id }) => id));
  expect(sequenced.size).toBe(rows.length);
  expect([...committed].filter((id) => !sequenced.has(id))).toEqual([]);
  expect([...rolledBack].filter((id) => sequenced.has(id))).toEqual([]);
  expect(sequenced.size).toBe(committed.size);
  expect(rows.filter(({ at }, index) => at !== index)).toEqual([]);
  const tree = createIncrementalTree();
  for (const { entry } of rows) tree.add(leafHash(entry));
  const root = Buffer.from(tree.root());
  const { head, tiles } = await server.services.database.withOrg(orgId, async (tx) => ({
    head: await maybeHead(tx, orgId),
    tiles: await rootAt(tileReaderOf(tx, orgId, 1), rows.length),
  }));
  expect(head).toMatchObject({ size: rows.length, halted: null });
  expect(head?.root).toEqual(root);
  expect(Buffer.from(tiles)).toEqual(root);
  expect(complaints).toEqual([]);

  // Every signed head is a prefix of the current log.
  const ledger = { ...server.services.ledger, secrets: createSecrets(masterKey), folder };
  const sealed = await signHead(ledger, orgId);
  expect(sealed).toMatchObject({ size: rows.length, root });
  const keys = await server.services.database.withOrg(orgId, (tx) => verifiersOf(tx, orgId, 1));
  const signed = await inOrg<{ size: number; note: string }>(
    'select size, note from ledger_checkpoint where org_id = $1',
  );
  const sizes = new Map(signed.map(({ size, note }) => [size, openCheckpoint(note, head?.origin ?? '', keys)]));
  const again = createIncrementalTree();
  for (const { hash } of rows) {
    again.add(hash);
    const checkpoint = sizes.get(again.size());
    if (checkpoint) expect(Buffer.from(checkpoint.root)).toEqual(Buffer.from(again.root()));
  }
});
