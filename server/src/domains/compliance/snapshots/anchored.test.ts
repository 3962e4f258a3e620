import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { createAnchor } from '@sightline/contract/ledger/anchors.ts';
import { getLedger } from '@sightline/contract/ledger/ledger.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { parseVerifier, verifierText } from '@sightline/evidence/ledger/note.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyTimeStamp } from '#providers/time-stamps.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { startTimeStampingAuthority, type TimeStampingAuthority } from '#testing/time-stamps.ts';
import { serveWitness } from '../../../cli/witness/serve.ts';
import { openWitnessKeys } from '../../../cli/witness/store.ts';
import { addChanges, addRepository } from './changes.fixture.ts';

let server: TestServer;
let authority: TimeStampingAuthority;
let folder: string;
beforeAll(async () => {
  authority = await startTimeStampingAuthority('rsa');
  folder = await mkdtemp(join(tmpdir(), 'sightline-witness-'));
  server = await startTestServer({ jobs: true, destinations: ['127.0.0.1'] });
});
afterAll(async () => {
  await server.close();
  await authority.close();
  await rm(folder, { recursive: true });
});

test('includes cosignature and time stamp of the checkpoint in the evidence package and verifies both', {
  tags: ['full'],
}, async () => {
  const org = await server.make.organization('Acme');
  const owner = server.as(org.owner, org.id);
  const repository = await addRepository(server.services, org.id, 'widgets');
  await addChanges(server.services, org.id, repository, { from: '2026-07-02T00:00:00.000Z', count: 5 });
  const { keys } = await vi.waitFor(() => owner(getLedger, {}), { timeout: 30_000 });
  const cosigners = await openWitnessKeys(folder, 'witness.example/bundles');
  const cosigner = cosigners.find(({ verifier }) => verifier.algorithm === 'ml-dsa-44-cosignature');
  if (!cosigner) throw new Error('The witness has no key of ML-DSA-44');
  const own = keys.map(parseVerifier);
  const logs = new Map(own.map((one) => [one.name, [one]]));
  const running = await serveWitness({ folder, keys: cosigners, logs, log: () => undefined }, '127.0.0.1', 0);
  const witness = { url: `http://127.0.0.1:${running.port}`, key: verifierText(cosigner.verifier) };
  await owner(createAnchor, { body: { kind: 'witness', party: 'Auditors', settings: witness } });
  const clock = { url: authority.url, certificates: authority.root };
  await owner(createAnchor, { body: { kind: 'rfc3161', party: 'Clock', settings: clock } });
  const body = { name: 'Quarter 3', period: '2026-Q3', controls: ['CHG-01' as const] };
  const { id } = await owner(createSnapshot, { body });
  const snapshot = await vi.waitFor(
    async () => {
      const now = await owner(getSnapshot, { params: { snapshotId: id } });
      expect(['ready', 'failed']).toContain(now.state);
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
  await running.stop();
  expect(snapshot).toMatchObject({ state: 'ready', problem: null });
  const answer = await fetch(`${server.url}/api/v2/snapshots/${id}/bundle`, {
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
  });
  const report = await verifyBundle(new Uint8Array(await answer.arrayBuffer()), {
    keys: own,
    witnesses: [cosigner.verifier],
    checkTimestamp: async (stamp, text) =>
      (await verifyTimeStamp(Buffer.from(stamp), Buffer.from(text), authority.root)).at.toISOString(),
  });
  expect(report.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  const messages = report.steps.map(({ message }) => message).join(' ');
  expect(messages).toContain('Cosigned by witness.example/bundles.');
  expect(messages).toMatch(/Timestamp: 20\d\d-/);
});
