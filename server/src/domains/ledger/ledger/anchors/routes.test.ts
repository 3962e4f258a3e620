import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Anchor,
  createAnchor,
  deleteAnchor,
  getReceipt,
  listAnchorAttempts,
  listAnchors,
  listReceipts,
  publishCheckpoint,
  updateAnchor,
} from '@sightline/contract/ledger/anchors.ts';
import {
  getLedger,
  getLedgerCheckpoint,
  getLedgerProof,
  listLedgerEntries,
} from '@sightline/contract/ledger/ledger.ts';
import { parseCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import {
  openNote,
  parseVerifier,
  publicKeyOf,
  splitNote,
  type Verifier,
  verifierOf,
  verifierText,
} from '@sightline/evidence/ledger/note.ts';
import type { Algorithm } from '@sightline/evidence/ledger/note-algorithms.ts';
import { checkTlogProof } from '@sightline/evidence/ledger/tlog-proof.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import { type GitServer, startGitServer } from '#testing/git-server.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { startTimeStampingAuthority, type TimeStampingAuthority } from '#testing/time-stamps.ts';
import { serveWitness } from '../../../../cli/witness/serve.ts';
import { openWitnessKeys, type WitnessKeys } from '../../../../cli/witness/store.ts';
import { startReceiver } from '../../../delivery/outgoing-webhooks/testing/receiver.ts';
import { signHead } from '../checkpoints.ts';
import { publishEverywhere } from '../commands.ts';
import { sequenceEntries } from '../sequence.ts';
import { publishTo } from './publish-checkpoint.ts';

let server: TestServer;
let remote: GitServer;
let authority: TimeStampingAuthority;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let org: TestOrganization;
beforeAll(async () => {
  [remote, authority, receiver] = await Promise.all([
    startGitServer(),
    startTimeStampingAuthority('ec'),
    startReceiver(),
  ]);
  server = await startTestServer({ destinations: ['127.0.0.1'] });
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  await grow(20);
});
afterAll(async () => {
  await server.close();
  await Promise.all([remote.close(), authority.close(), receiver.close()]);
});

/** Writes so many entries and gives them their places; answers the id of the last. */
async function grow(count: number): Promise<string> {
  const at = '2026-01-01T00:00:00.000Z';
  const rest = { org: org.id, kind: 'scan', asOf: at, receivedAt: at, person: null, source: 'test' };
  const ids = Array.from({ length: count }, () => newId());
  await server.services.database.withOrg(org.id, (tx) =>
    appendEntries(
      tx,
      org.id,
      ids.map((id) => createLedgerEntry({ id, ...rest, subject: {}, personal: {} }, undefined)),
    ),
  );
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  return ids.at(-1) ?? '';
}

const owner = () => server.as(org.owner, org.id);
const add = (body: z.input<typeof createAnchor.body>) => owner()(createAnchor, { body });
const now = (anchor: Anchor) => publishTo(server.services, { orgId: org.id, anchorId: anchor.id });
const found = async (id: string) => (await owner()(listAnchors, {})).rows.find((one) => one.id === id);
const receiptOf = async (kind: string, party: string, size: number) => {
  const query = new URLSearchParams({ epoch: '1', size: String(size), kind, party });
  const answer = await fetch(`${server.url}/api${getReceipt.path}?${query}`, {
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
};
const checkpointAt = async (size: number) => (await owner()(getLedgerCheckpoint, { query: { size } })) as string;

test('commits each checkpoint to a repository as a separate file', { tags: ['full'] }, async () => {
  const settings = { url: remote.url, branch: 'main', folder: 'kept' };
  const { anchor, secret } = await add({ kind: 'git', party: 'Auditors', settings, secret: remote.token });
  expect(secret).toBeNull();
  expect(anchor).toMatchObject({ state: 'active', hasSecret: true, last: null, everyHours: 24 });
  expect(JSON.stringify(anchor)).not.toContain(remote.token);
  await now(anchor);
  const first = await found(anchor.id);
  const size = first?.last?.size ?? 0;
  expect(first).toMatchObject({
    lastAttempt: { outcome: 'published', message: expect.stringContaining('Committed as') },
  });
  expect(await remote.git('show', `main:kept/epoch-1/${size}.checkpoint`)).toBe(await checkpointAt(size));
  const { bytes, type } = await receiptOf('git', 'Auditors', size);
  expect(bytes.toString().trim()).toBe((await remote.git('rev-parse', 'main')).trim());
  expect(type).toContain('text/plain');

  await now(anchor);
  expect((await found(anchor.id))?.lastAttempt).toMatchObject({ outcome: 'unchanged' });
  await grow(5);
  await now(anchor);
  expect((await remote.git('ls-tree', '--name-only', '-r', 'main')).trim().split('\n').length).toBe(2);
  const { rows, total } = await owner()(listReceipts, {});
  expect([total, rows[0]?.kind, rows[0]?.hasReceipt]).toEqual([2, 'git', true]);
  expect((await owner()(listAnchorAttempts, { params: { anchorId: anchor.id } })).total).toBe(3);
});

test('a timestamp states when a checkpoint existed, and openssl verifies it', async () => {
  const settings = { url: authority.url, certificates: authority.root };
  const { anchor } = await add({ kind: 'rfc3161', party: 'Clock', settings });
  await now(anchor);
  const size = (await found(anchor.id))?.last?.size ?? 0;
  const { bytes, type } = await receiptOf('rfc3161', 'Clock', size);
  expect(type).toContain('application/timestamp-reply');
  expect(await authority.verifies(bytes, Buffer.from(splitNote(await checkpointAt(size)).text))).toBe(true);
  expect(
    await refusalOf(add({ kind: 'rfc3161', party: 'Other', settings: { ...settings, certificates: 'x' } })),
  ).toEqual({
    status: 400,
    code: 'validation_failed',
  });
});

test('sends the checkpoint to a webhook, signed by Standard Webhooks', async () => {
  const { anchor, secret } = await add({
    kind: 'webhook',
    party: 'Archive',
    settings: { url: `${receiver.url}/kept` },
  });
  await now(anchor);
  const [came] = receiver.at('/kept').slice(-1);
  const told = new Webhook(secret ?? '').verify(came?.body ?? '', came?.headers as Record<string, string>) as {
    type: string;
    data: { size: number; checkpoint: string };
  };
  expect(told.type).toBe('ledger.checkpoint');
  expect(told.data.checkpoint).toBe(await checkpointAt(told.data.size));
});

test('emails the checkpoint to owners', async () => {
  const { anchor } = await add({ kind: 'mail', party: 'Mailboxes', settings: {} });
  await now(anchor);
  const mails = await server.services.database.global(({ db }) =>
    db.selectFrom('mail').selectAll().where('subject', 'like', 'Checkpoint%').orderBy('recipient').execute(),
  );
  expect(mails.map(({ recipient }) => recipient)).toEqual([org.owner.email]);
  const size = (await found(anchor.id))?.last?.size ?? 0;
  for (const { body_text } of mails) expect(body_text).toContain(await checkpointAt(size));
});

function verifierOfAlgorithm(keys: WitnessKeys, algorithm: Algorithm): Verifier {
  const key = keys.find(({ verifier }) => verifier.algorithm === algorithm);
  if (!key) throw new Error(`The witness has no key of ${algorithm}`);
  return key.verifier;
}

test('a witness cosigns a log that only grew; its line appears in checkpoint and proofs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-witness-'));
  const keys = await openWitnessKeys(folder, 'witness.example/one');
  const verifier = verifierOfAlgorithm(keys, 'ml-dsa-44-cosignature');
  const [own = ''] = (await owner()(getLedger, {})).keys;
  const logs = new Map([[parseVerifier(own).name, [parseVerifier(own)]]]);
  const running = await serveWitness({ folder, keys, logs, log: () => undefined }, '127.0.0.1', 0);
  try {
    const settings = { url: `http://127.0.0.1:${running.port}`, key: verifierText(verifier) };
    const { anchor } = await add({ kind: 'witness', party: 'W1', settings });
    await now(anchor);
    const entry = await grow(300);
    await now(anchor);
    const size = (await found(anchor.id))?.last?.size ?? 0;
    expect((await found(anchor.id))?.lastAttempt?.outcome).toBe('published');
    const note = await checkpointAt(size);
    expect(openNote(note, [parseVerifier(own), verifier]).signed).toHaveLength(2);
    await grow(1);
    await signHead(server.services.ledger, org.id);
    const proof = (await owner()(getLedgerProof, { params: { entryId: entry }, query: { size } })) as string;
    const [{ entry: text = '' } = {}] = await owner()(listLedgerEntries, {
      query: { from: size - 1, to: size, epoch: 1 },
    });
    const origin = parseVerifier(own).name;
    expect(checkTlogProof(proof, text, origin, [verifier])).toMatchObject({ size, index: size - 1 });

    // Another server of this installation left one meanwhile: the witness says how far it is.
    await server.services.database.withOrg(org.id, ({ db }) =>
      db.updateTable('anchor').set({ party: 'W2' }).where('org_id', '=', org.id).execute(),
    );
    await now(anchor);
    expect((await found(anchor.id))?.lastAttempt).toMatchObject({ outcome: 'published' });
  } finally {
    await running.stop();
    await rm(folder, { recursive: true });
  }
});

test('a witness refuses a rolled-back ledger, and owners are notified', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-witness-'));
  const keys = await openWitnessKeys(folder, 'witness.example/two');
  const verifier = verifierOfAlgorithm(keys, 'ed25519-cosignature');
  const [own = ''] = (await owner()(getLedger, {})).keys;
  const logs = new Map([[parseVerifier(own).name, [parseVerifier(own)]]]);
  const failed = vi.spyOn(server.services.ledger, 'failed');
  const running = await serveWitness({ folder, keys, logs, log: () => undefined }, '127.0.0.1', 0);
  try {
    const settings = { url: `http://127.0.0.1:${running.port}`, key: verifierText(verifier) };
    const { anchor } = await add({ kind: 'witness', party: 'W1', settings });
    await now(anchor);
    const seen = JSON.parse(await readFile(join(folder, 'latest.json'), 'utf8'));
    const [origin = ''] = Object.keys(seen);
    const kept = { ...seen[origin] };
    await writeFile(join(folder, 'latest.json'), JSON.stringify({ [origin]: { ...kept, size: kept.size + 100_000 } }));
    await grow(1);
    await now(anchor);
    expect((await found(anchor.id))?.lastAttempt).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('changed or reset'),
    });
    expect(failed).toHaveBeenCalledWith(org.id, expect.stringContaining('A witness has cosigned'));
  } finally {
    failed.mockRestore();
    await running.stop();
    await rm(folder, { recursive: true });
  }
});

test('records no receipt for a witness response without a valid cosignature', async () => {
  const key = verifierOf('witness.example/three', publicKeyOf(new Uint8Array(32).fill(5)), 'ed25519-cosignature');
  const settings = { url: `${receiver.url}/witness`, key: verifierText(key) };
  const { anchor } = await add({ kind: 'witness', party: 'W3', settings });
  const forged = Buffer.concat([Buffer.from(key.id), Buffer.alloc(72)]).toString('base64');
  receiver.answer((_, response) => void response.writeHead(200).end(`— witness.example/three ${forged}\n`));
  await now(anchor);
  receiver.answer((_, response) => void response.writeHead(204).end());
  expect(await found(anchor.id)).toMatchObject({
    last: null,
    lastAttempt: { outcome: 'failed', message: expect.stringContaining('no cosignature') },
  });
});

test('retries a failed anchor sooner and notifies owners once', async () => {
  receiver.answer((_, response) => void response.writeHead(503).end());
  const { anchor } = await add({ kind: 'webhook', party: 'Busy', settings: { url: `${receiver.url}/busy` } });
  for (let turn = 0; turn < 4; turn += 1) await now(anchor);
  const failing = await found(anchor.id);
  expect(failing).toMatchObject({
    state: 'failing',
    last: null,
    lastAttempt: { message: 'The receiver responded with status 503.' },
  });
  const wait = (Date.parse(failing?.nextAt ?? '') - Date.now()) / 60_000;
  expect(wait).toBeGreaterThan(300);
  expect(wait).toBeLessThan(361);
  const raised = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('notification_pending').select('notification').where('org_id', '=', org.id).execute(),
  );
  expect(
    raised.filter(({ notification }) => (notification as { type: string }).type === 'ledger.anchor_failed'),
  ).toHaveLength(1);
  receiver.answer((_, response) => void response.writeHead(204).end());
  await now(anchor);
  expect(await found(anchor.id)).toMatchObject({
    state: 'active',
    failingSince: null,
    lastAttempt: { outcome: 'published' },
  });
});

test('updates, disables, publishes to and deletes an anchor, and keeps its receipts', async () => {
  const settings = { url: `${receiver.url}/x` };
  const { anchor } = await add({ kind: 'webhook', party: 'Archive', settings });
  await now(anchor);
  const params = { anchorId: anchor.id };
  expect(await refusalOf(add({ kind: 'webhook', party: 'Archive', settings }))).toMatchObject({ status: 409 });
  expect(await owner()(updateAnchor, { params, body: { everyHours: 1 } })).toMatchObject({ everyHours: 1 });
  expect(await owner()(updateAnchor, { params, body: { enabled: false } })).toMatchObject({
    state: 'off',
    nextAt: null,
  });
  expect(await refusalOf(owner()(publishCheckpoint, { params }))).toMatchObject({ status: 409 });
  expect(await refusalOf(owner()(updateAnchor, { params, body: { secret: 'x' } }))).toMatchObject({ status: 400 });
  await owner()(updateAnchor, { params, body: { enabled: true } });
  expect(await owner()(publishCheckpoint, { params })).toMatchObject({ state: 'active' });
  await owner()(deleteAnchor, { params });
  expect((await owner()(listAnchors, {})).total).toBe(0);
  expect((await owner()(listReceipts, {})).total).toBe(1);
  expect((await owner()(getLedger, {})).anchors).toMatchObject([{ kind: 'webhook', party: 'Archive' }]);
});

test('readers cannot change anchors, and another organization sees none', async () => {
  const settings = { url: `${receiver.url}/x` };
  const { anchor } = await add({ kind: 'webhook', party: 'Archive', settings });
  await now(anchor);
  const auditor = server.as(await server.make.member(org.id, 'rol_auditor'), org.id);
  expect((await auditor(listAnchors, {})).rows).toHaveLength(1);
  expect(await refusalOf(auditor(publishCheckpoint, { params: { anchorId: anchor.id } }))).toMatchObject({
    status: 403,
  });
  const other = await server.make.organization('Other');
  const foreign = server.as(other.owner, other.id);
  expect(await refusalOf(foreign(deleteAnchor, { params: { anchorId: anchor.id } }))).toMatchObject({ status: 404 });
  expect((await foreign(listReceipts, {})).total).toBe(0);
  expect(
    await refusalOf(add({ kind: 'webhook', party: 'Inside', settings: { url: 'http://169.254.169.254/' } })),
  ).toEqual({
    status: 400,
    code: 'validation_failed',
  });
});

test('publishes an issued checkpoint to every anchor first, at its own size', async () => {
  const settings = { url: `${receiver.url}/before` };
  const { anchor } = await add({ kind: 'webhook', party: 'Archive', settings });
  const sealed = await signHead(server.services.ledger, org.id);
  const [epoch, size] = [sealed?.epoch ?? 0, sealed?.size ?? 0];
  await grow(5);
  await publishEverywhere(server.services, org.id, { epoch, size });
  expect((await found(anchor.id))?.last).toMatchObject({ size });
  await now(anchor);
  expect((await found(anchor.id))?.last?.size).toBeGreaterThan(size);
  await publishEverywhere(server.services, org.id, { epoch, size });
  expect((await found(anchor.id))?.lastAttempt).toMatchObject({
    outcome: 'unchanged',
    message: 'The anchor already has a later checkpoint.',
  });
});

test('a halted ledger publishes no checkpoint', async () => {
  const { anchor } = await add({ kind: 'webhook', party: 'Archive', settings: { url: `${receiver.url}/halted` } });
  await server.services.ledger.database.withOrg(org.id, (tx) =>
    tx.query({
      name: '',
      text: `update ledger_log set halted_at = now(), halt_reason = 'tried' where org_id = $1`,
      values: [org.id],
    }),
  );
  await now(anchor);
  expect((await found(anchor.id))?.lastAttempt).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('halted'),
  });
  expect(receiver.at('/halted')).toEqual([]);
});

test('the lines of a checkpoint name a log of this organization', async () => {
  await signHead(server.services.ledger, org.id);
  const note = (await owner()(getLedgerCheckpoint, {})) as string;
  expect(parseCheckpoint(splitNote(note).text).origin).toBe(`localhost:1/org/${org.id}/1`);
  expect(await refusalOf(owner()(getLedgerCheckpoint, { query: { size: 999_999 } }))).toMatchObject({ status: 404 });
});
