import { createPublicKey } from 'node:crypto';
import {
  getLedger,
  getLedgerCheckpoint,
  getLedgerConsistency,
  getLedgerProof,
  ledgerKeyPath,
  ledgerKeysPath,
  ledgerPemPath,
  listLedgerEntries,
} from '@sightline/contract/ledger/ledger.ts';
import { fromBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { openCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { parseVerifier, type Verifier } from '@sightline/evidence/ledger/note.ts';
import { keyIdOf, pemOf } from '@sightline/evidence/ledger/pem.ts';
import { isConsistent } from '@sightline/evidence/ledger/proofs.ts';
import { checkTlogProof } from '@sightline/evidence/ledger/tlog-proof.ts';
import { rootOf } from '@sightline/evidence/ledger/tree.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import {
  refusalOf,
  startTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { runSelfCheck } from './check/self-check.ts';
import { signHead } from './checkpoints.ts';
import { sequenceEntries } from './sequence.ts';

let server: TestServer;
let org: TestOrganization;
let other: TestOrganization;
let auditor: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  org = await server.make.organization('Acme');
  other = await server.make.organization('Other');
  auditor = await server.make.member(org.id, 'rol_auditor');
  // 300 in total, including the entries of the creation of the organization.
  const made = await sequenceEntries(server.services.ledger, org.id);
  await queue(300 - made);
  await sequenceEntries(server.services.ledger, org.id);
  await signHead(server.services.ledger, org.id);
});
afterAll(() => server.close());

async function queue(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const at = '2026-01-01T00:00:00.000Z';
  const others = {
    org: org.id,
    kind: 'scan',
    asOf: at,
    receivedAt: at,
    person: null,
    source: 'test',
    subject: {},
    personal: {},
  };
  await server.services.database.withOrg(org.id, (tx) =>
    appendEntries(
      tx,
      org.id,
      ids.map((id) => createLedgerEntry({ id, ...others }, undefined)),
    ),
  );
  return ids;
}

const asAuditor = () => server.as(auditor, org.id);
const fetched = async (path: string) => {
  const token = await server.token(auditor, org.id);
  return fetch(`${server.url}/api/v2/ledger/${path}`, { headers: { authorization: `Bearer ${token}` } });
};

test('an auditor reads the signed ledger size and verifies it with the key alone', async () => {
  const ledger = await asAuditor()(getLedger, {});
  expect(ledger).toMatchObject({
    epoch: 1,
    size: 300,
    pending: { count: 0, oldest: null },
    anchors: [],
    check: null,
    halted: null,
  });
  const note = await (await fetched('checkpoint')).text();
  expect(note).toBe(ledger.checkpoint?.note);
  const keys = ledger.keys.map(parseVerifier);
  const head = openCheckpoint(note, ledger.origin, keys);
  expect(head.size).toBe(300);

  const entries = await asAuditor()(listLedgerEntries, { query: { from: 0, to: 1000 } });
  const others = await asAuditor()(listLedgerEntries, { query: { from: 256 } });
  expect([entries.length, others.length]).toEqual([256, 44]);
  const leaves = [...entries, ...others].map(({ leafHash }) => fromBase64(leafHash));
  expect(rootOf(leaves)).toEqual(new Uint8Array(head.root));

  const { id, entry } = entries[17] ?? { id: '', entry: '' };
  const proof = await (await fetched(`entries/${id}/proof`)).text();
  expect(checkTlogProof(proof, entry, ledger.origin, keys)).toMatchObject({ index: 17, size: 300 });
});

test('proves that one ledger size is the beginning of another', async () => {
  const before = await asAuditor()(getLedger, {});
  const [young = ''] = await queue(20);
  expect((await fetched(`entries/${young}/proof`)).status).toBe(409);
  expect((await asAuditor()(getLedger, {})).pending).toMatchObject({ count: 20 });
  await sequenceEntries(server.services.ledger, org.id);
  expect((await fetched(`entries/${young}/proof?size=320`)).status).toBe(404);
  // Half a second after the last signature, a request signs the new head.
  await vi.waitFor(async () => expect((await fetched(`entries/${young}/proof`)).status).toBe(200));
  // The earlier checkpoint does not contain the entry.
  expect((await fetched(`entries/${young}/proof?size=300`)).status).toBe(409);
  const after = await asAuditor()(getLedger, {});
  const { proof } = await asAuditor()(getLedgerConsistency, { query: { from: before.size, to: after.size } });
  const headOf = ({ size, root }: { size: number; root: string }) => ({ size, root: fromBase64(root) });
  expect(isConsistent(headOf(before), headOf(after), proof.map(fromBase64))).toBe(true);
  expect(await refusalOf(asAuditor()(getLedgerConsistency, { query: { from: 1, to: 9999 } }))).toMatchObject({
    status: 400,
  });
  expect(await refusalOf(asAuditor()(getLedgerConsistency, { query: { from: 9, to: 3 } }))).toMatchObject({
    status: 400,
  });
});

test('records the self-check as an entry, and the ledger shows its time', async () => {
  await runSelfCheck(server.services, org.id);
  const { check, size } = await asAuditor()(getLedger, {});
  expect(check).toMatchObject({ size: size - 1, problems: 0 });
});

test('returns 404 for another organization and 403 without audit log permission', async () => {
  const [entry] = await asAuditor()(listLedgerEntries, { query: { from: 0, to: 1 } });
  const entryId = entry?.id ?? '';
  const asOther = server.as(other.owner, other.id);
  const answers = await Promise.all([
    refusalOf(asOther(getLedger, {})),
    refusalOf(asOther(getLedgerCheckpoint, {})),
    refusalOf(asOther(listLedgerEntries, {})),
    refusalOf(asOther(getLedgerProof, { params: { entryId } })),
    refusalOf(asOther(getLedgerProof, { params: { entryId: newId() } })),
    refusalOf(asOther(getLedgerConsistency, { query: { from: 0 } })),
  ]);
  for (const answer of answers) expect(answer).toEqual({ status: 404, code: 'not_found' });
  const contributor = await server.make.member(org.id, 'rol_contributor');
  expect(await refusalOf(server.as(contributor, org.id)(getLedger, {}))).toMatchObject({ status: 403 });
  expect(await refusalOf(asAuditor()(getLedgerProof, { params: { entryId: newId() } }))).toMatchObject({ status: 404 });
});

test('serves the public keys of a ledger without signing in, and nothing else', async () => {
  const get = (id: string) => fetch(`${server.url}${ledgerKeysPath(id)}`);
  const { epochs } = await server.as(auditor, org.id)(getLedger, {});
  const answer = await get(org.id);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(await answer.text()).toBe(epochs.flatMap(({ keys }) => keys.map((key) => `${key}\n`)).join(''));
  expect((await get(newId())).status).toBe(404);
  expect((await get('acme')).status).toBe(404);
});

test('serves the same keys as PEM, each with its ID', async () => {
  const get = (path: string) => fetch(`${server.url}${path}`);
  const { epochs } = await server.as(auditor, org.id)(getLedger, {});
  const [{ publicKey }] = epochs.flatMap(({ keys }) => keys.map(parseVerifier)) as [Verifier];
  const answer = await get(ledgerPemPath(org.id));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-pem-file']);
  expect(await answer.text()).toBe(`keyid: ${keyIdOf(publicKey)}\n${pemOf(publicKey)}`);
  expect(await (await get(ledgerKeyPath(org.id, keyIdOf(publicKey)))).text()).toBe(pemOf(publicKey));
  const jwk = createPublicKey(pemOf(publicKey)).export({ format: 'jwk' });
  expect(jwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') });
  for (const path of [ledgerPemPath(newId()), ledgerPemPath('acme'), ledgerKeyPath(org.id, '0')])
    expect((await get(path)).status).toBe(404);
});
