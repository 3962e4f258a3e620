import {
  createEvidenceDestination,
  deleteEvidenceDestination,
  deliverEvidence,
  type EvidenceDeliveryDetails,
  type EvidenceDestination,
  getEvidenceDelivery,
  getEvidenceDestination,
  listEvidenceDeliveries,
  listEvidenceDestinations,
  redeliverEvidence,
  testEvidenceDestination,
  updateEvidenceDestination,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { createSnapshot, getSnapshot, type SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import { listNotifications } from '@sightline/contract/delivery/notifications.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { projectJson } from '@sightline/sandbox/gitlab/responses.ts';
import { createRepository } from '@sightline/sandbox/testing/repository.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { type SandboxGitlab, startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import {
  refusalOf,
  startTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { type Receiver, startReceiver } from '../../delivery/outgoing-webhooks/testing/receiver.ts';
import { addChanges } from '../snapshots/changes.fixture.ts';
import { deliver } from './deliver.ts';

let server: TestServer;
let story: ReturnType<typeof createRepository>;
let host: SandboxGitlab;
let receiver: Receiver;
let org: TestOrganization;
let auditor: TestAccount;
/** A project of the sandbox's GitLab. */
let repository: string;
beforeAll(async () => {
  story = createRepository();
  await story.start();
  await story.commit('Begin', { 'README.md': 'Begun' });
  host = await startSandboxGitlab([story.path]);
  receiver = await startReceiver();
  server = await startTestServer({ jobs: true, destinations: ['127.0.0.1'] });
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  auditor = await server.make.member(org.id, 'rol_auditor');
  repository = await addProject();
});
afterAll(async () => {
  await server.close();
  await Promise.all([host.close(), receiver.close(), story.remove()]);
});

const owner = () => server.as(org.owner, org.id);
const receivers = () => host.sandbox.receivers;
const at = (path: string) => `${host.sandbox.url}/${path}`;

async function addProject(): Promise<string> {
  const { repositories } = host.sandbox.host;
  const [first] = repositories;
  if (!first) throw new Error('The sandbox has no repository');
  const { id, web_url, path_with_namespace } = projectJson(host.sandbox.gitlab, first);
  const made = crypto.randomUUID();
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('repository')
      .values({
        org_id: org.id,
        id: made,
        provider: 'gitlab',
        provider_repo_id: String(id),
        installation_id: '1',
        owner: 'ada',
        name: 'code',
        full_name: path_with_namespace,
        default_branch: 'main',
        is_private: true,
        html_url: web_url,
        tracked: true,
      })
      .execute(),
  );
  return made;
}

const from = '2026-10-02T00:00:00.000Z';
const change = (count: number, first = 0) => addChanges(server.services, org.id, repository, { from, count, first });

async function frozen(
  controls: readonly string[],
  over: { name?: string; redaction?: 'people' } = {},
): Promise<SnapshotDetails> {
  const body = { name: 'Quarter 4', period: '2026-Q4', controls, ...over };
  const { id } = await owner()(createSnapshot, { body } as never);
  return vi.waitFor(
    async () => {
      const now = await owner()(getSnapshot, { params: { snapshotId: id } });
      expect(now.state).toBe('ready');
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
}

const add = async (body: z.input<typeof createEvidenceDestination.body>): Promise<EvidenceDestination> =>
  (await owner()(createEvidenceDestination, { body })).destination;

/** Sends a snapshot and waits until the job had its turn: until it ended, or was put off. */
async function sent(destination: EvidenceDestination, { id }: { id: string }): Promise<EvidenceDeliveryDetails> {
  const params = { destinationId: destination.id };
  const asked = await owner()(deliverEvidence, { params, body: { snapshotId: id } });
  return turned(destination, asked.id);
}

async function again(destination: EvidenceDestination, deliveryId: string): Promise<EvidenceDeliveryDetails> {
  await owner()(redeliverEvidence, { params: { destinationId: destination.id, deliveryId } });
  return turned(destination, deliveryId);
}

const turned = (destination: EvidenceDestination, deliveryId: string): Promise<EvidenceDeliveryDetails> =>
  vi.waitFor(
    async () => {
      const now = await owner()(getEvidenceDelivery, { params: { destinationId: destination.id, deliveryId } });
      expect(now.state !== 'pending' || now.problem !== null).toBe(true);
      return now;
    },
    { timeout: 30_000, interval: 100 },
  );

/** What was put off is tried now. */
async function retried(destination: EvidenceDestination, deliveryId: string): Promise<EvidenceDeliveryDetails> {
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .updateTable('evidence_delivery')
      .set({ next_at: new Date(Date.now() - 1000), problem: null })
      .where('org_id', '=', org.id)
      .where('id', '=', deliveryId)
      .execute(),
  );
  await deliver(server.services, { orgId: org.id, deliveryId });
  return turned(destination, deliveryId);
}

const faults = (fault: Record<string, unknown>) =>
  fetch(at('_sandbox/faults'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ times: 1, ...fault }),
  });

const vanta = (over: { submit?: boolean; secret?: string } = {}) => {
  const { clientId, clientSecret } = receivers().vanta;
  const settings = { url: at('vanta'), clientId, documentId: 'change-management', submit: over.submit ?? false };
  return add({ kind: 'vanta', name: 'Vanta', settings, secret: over.secret ?? clientSecret });
};
const vantaDocument = () => {
  const [document] = receivers().vanta.documents;
  if (!document) throw new Error('no document');
  return document;
};
const drata = () => {
  const settings = { url: at('drata'), workspaceId: 1, controlIds: [12] };
  return add({ kind: 'drata', name: 'Drata', settings, secret: receivers().drata.key });
};
const dojo = () => {
  const settings = { url: at('defectdojo'), productType: 'Code', product: 'Acme', engagement: 'Evidence' };
  return add({ kind: 'defectdojo', name: 'DefectDojo', settings, secret: receivers().dojo.token });
};
const gitlab = (controls: ('CHG-01' | 'VUL-01')[]) => {
  const settings = { url: at('gitlab'), externalControl: 7, controls };
  return add({ kind: 'gitlab', name: 'GitLab', settings, secret: control().secret });
};
const control = () => {
  const found = receivers().gitlab.controls.get(7);
  if (!found) throw new Error('no control');
  return found;
};

test('sends described files to Vanta once and keeps a draft unless every control passes', async () => {
  vantaDocument().uploads = [];
  await change(10);
  const snapshot = await frozen(['CHG-01', 'CHG-03']);
  const destination = await vanta({ submit: true });
  expect(await owner()(testEvidenceDestination, { params: { destinationId: destination.id } })).toEqual({
    result: 'works',
    message: 'Vanta has the document “Change management evidence”.',
  });
  const delivery = await sent(destination, snapshot);
  expect(delivery).toMatchObject({ state: 'sent', problem: null, snapshot: { name: 'Quarter 4' } });
  const csv = vantaDocument().uploads.find(({ type }) => type === 'text/csv');
  expect(csv?.content.toString()).toContain('"CHG-01","failing",10');
  expect(csv?.description).toContain('CHG-01 Independent approval after the last push: Failing (10 items');
  expect(csv?.description).toContain(snapshot.bundle?.sha256);
  expect(csv?.description).toContain('tamper-evident');
  expect(vantaDocument().submitted).toBe(0);
  expect(delivery.items.find(({ key }) => key === 'submit')).toMatchObject({
    state: 'skipped',
    message: expect.stringContaining('CHG-01'),
  });
  const count = vantaDocument().uploads.length;
  // The token ran out meanwhile: another one is fetched.
  receivers().vanta.token = undefined;
  const repeated = await again(destination, delivery.id);
  expect(repeated.items.find(({ key }) => key === 'csv/controls.csv')?.message).toBe('Already at Vanta.');
  expect(vantaDocument().uploads.length).toBe(count);
});

test('a lost response duplicates nothing', { tags: ['full'] }, async () => {
  vantaDocument().uploads = [];
  await change(3);
  const snapshot = await frozen(['CHG-01']);
  const destination = await vanta();
  await faults({ match: '/vanta/.*/uploads$', truncate: true });
  const first = await sent(destination, snapshot);
  expect(first).toMatchObject({ state: 'pending', done: 0 });
  expect(first.nextAt).not.toBeNull();
  expect(vantaDocument().uploads.length).toBe(1);
  const second = await retried(destination, first.id);
  expect(second.state).toBe('sent');
  const names = vantaDocument().uploads.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('submits the document when every control passes', async () => {
  Object.assign(vantaDocument(), { uploads: [], submitted: 0 });
  await change(3);
  const snapshot = await frozen(['CHG-01']);
  expect(snapshot.results).toMatchObject([{ status: 'passing' }]);
  const delivery = await sent(await vanta({ submit: true }), snapshot);
  expect(delivery.items.at(-1)).toMatchObject({
    key: 'submit',
    state: 'sent',
    message: 'Submitted: every control is passing.',
  });
  expect(vantaDocument().submitted).toBe(vantaDocument().uploads.length);
});

test('reports rejected credentials, on delivery and on test', { tags: ['full'] }, async () => {
  await change(1);
  const snapshot = await frozen(['CHG-01']);
  const destination = await vanta({ secret: 'wrong secret of a client' });
  const message = 'Vanta rejects this client ID and secret.';
  expect(await owner()(testEvidenceDestination, { params: { destinationId: destination.id } })).toEqual({
    result: 'refused',
    message,
  });
  const delivery = await sent(destination, snapshot);
  expect(delivery).toMatchObject({ state: 'failed', problem: message });
  expect(JSON.stringify(delivery)).not.toContain('wrong secret of a client');
  expect(await owner()(getEvidenceDestination, { params: { destinationId: destination.id } })).toMatchObject({
    state: 'failing',
  });
  await vi.waitFor(
    async () =>
      expect((await owner()(listNotifications, { query: { types: ['delivery.failed'] } })).items).toMatchObject([
        {
          title: `A delivery to ${destination.name} failed`,
          body: expect.stringContaining(message),
          reason: 'owner',
          link: `/evidence/destinations/${destination.id}?delivery=${delivery.id}`,
        },
      ]),
    20_000,
  );
  await owner()(updateEvidenceDestination, {
    params: { destinationId: destination.id },
    body: { secret: receivers().vanta.clientSecret },
  });
  expect(await again(destination, delivery.id)).toMatchObject({ state: 'sent' });
  const { entries } = await owner()(listAudit, { query: { search: 'evidence' } });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'evidence_destination.snapshot_sent',
      'evidence_destination.snapshot_failed',
      'evidence_destination.snapshot_requested',
    ]),
  );
});

test('sends one evidence item with files to Drata and finds it again by name', { tags: ['full'] }, async () => {
  receivers().drata.evidence = [];
  await change(4);
  const snapshot = await frozen(['CHG-01']);
  const destination = await drata();
  const delivery = await sent(destination, snapshot);
  expect(delivery).toMatchObject({ state: 'sent', done: 1, total: 1 });
  const [evidence] = receivers().drata.evidence;
  expect(evidence).toMatchObject({ controlIds: [12], name: expect.stringContaining('Quarter 4 (Sightline ') });
  expect(evidence?.artifacts.map(({ artifactName }) => artifactName)).toEqual(
    expect.arrayContaining(['controls.csv', 'assessment-results.json', snapshot.bundle?.name, 'Snapshot in Sightline']),
  );
  const zip = [...receivers().drata.files.values()].find(({ name }) => name === snapshot.bundle?.name);
  expect(zip?.content.length).toBe(snapshot.bundle?.bytes);
  expect((await again(destination, delivery.id)).items[0]?.message).toBe('Already at Drata.');
  expect(receivers().drata.evidence.length).toBe(1);
});

test('honors Retry-After of a destination', async () => {
  await change(1);
  const snapshot = await frozen(['CHG-01']);
  const destination = await drata();
  await faults({ match: '/drata/', status: 429, retryAfter: 900 });
  const delivery = await sent(destination, snapshot);
  expect(delivery.state).toBe('pending');
  expect(Date.parse(delivery.nextAt ?? '')).toBeGreaterThan(Date.now() + 880_000);
  expect(delivery.log[0]).toMatchObject({ responseStatus: 429 });
  receivers().drata.termsAccepted = false;
  const refused = await retried(destination, delivery.id);
  expect(refused).toMatchObject({ state: 'failed', problem: expect.stringContaining('API terms') });
  receivers().drata.termsAccepted = true;
});

test('sends open findings to DefectDojo, closes fixed ones, and ignores an older snapshot', async () => {
  receivers().dojo.tests = [];
  const { send, findings } = await createTestScanner(server, org, repository);
  await send([createScanResult(), createScanResult({ ruleId: 'weak-hash', path: 'src/b.ts', severity: 'low' })]);
  const older = await frozen(['VUL-01'], { name: 'Older' });
  const destination = await dojo();
  const delivery = await sent(destination, older);
  expect(delivery).toMatchObject({ state: 'sent', done: 1 });
  const [known] = receivers().dojo.tests;
  expect(known?.findings).toMatchObject([
    { active: true, mitigated: false },
    { active: true, mitigated: false },
  ]);
  const all = await findings();
  expect(new Set(known?.findings.map(({ uniqueId }) => uniqueId))).toEqual(new Set(all.map(({ id }) => id)));
  expect(known?.findings.map(({ title, severity }) => [title, severity]).toSorted()).toEqual([
    ['sql-injection in the code', 'High'],
    ['weak-hash in the code', 'Low'],
  ]);

  await send([createScanResult()]);
  const newer = await frozen(['VUL-01'], { name: 'Newer' });
  expect(await sent(destination, newer)).toMatchObject({ state: 'sent' });
  expect(known?.findings.filter(({ mitigated }) => mitigated)).toMatchObject([{ title: 'weak-hash in the code' }]);
  const back = await again(destination, delivery.id);
  expect(back.items).toMatchObject([{ state: 'skipped', message: expect.stringContaining('Newer') }]);
  expect(known?.imports).toBe(2);
});

test('names findings by ID for a snapshot with redacted personal data', async () => {
  receivers().dojo.tests = [];
  const { send, findings } = await createTestScanner(server, org, repository);
  await send([createScanResult()]);
  const snapshot = await frozen(['VUL-01'], { redaction: 'people' });
  await sent(await dojo(), snapshot);
  const [finding] = await findings();
  expect(receivers().dojo.tests[0]?.findings[0]?.title).toBe(`Finding ${finding?.id}`);
});

test('reports a passing project to GitLab, and a failing one when a rule is violated', { tags: ['full'] }, async () => {
  await change(3);
  const destination = await gitlab(['CHG-01']);
  const good = await sent(destination, await frozen(['CHG-01'], { name: 'Good' }));
  expect(good.items).toMatchObject([{ state: 'sent', message: 'Reported as passed: all of 3 items.' }]);
  expect([...control().statuses.values()]).toEqual(['pass']);
  await change(1, 3);
  const bad = await sent(destination, await frozen(['CHG-01'], { name: 'Bad' }));
  expect(bad.items).toMatchObject([{ state: 'sent', message: expect.stringContaining('1 of 4 items fail') }]);
  expect([...control().statuses.values()]).toEqual(['fail']);
  expect(await owner()(testEvidenceDestination, { params: { destinationId: destination.id } })).toMatchObject({
    result: 'unknown',
  });
});

test('never reports missing evidence to GitLab as passing, and nothing without evaluated items', async () => {
  control().statuses.clear();
  await change(3);
  const { send } = await createTestScanner(server, org, repository);
  await send([createScanResult({ severityTold: false })]);
  const snapshot = await frozen(['CHG-01', 'SCN-02', 'VUL-01']);
  expect(snapshot.results).toMatchObject([
    { status: 'passing' },
    { status: 'not_applicable' },
    { status: 'missing_evidence' },
  ]);
  const destination = await gitlab(['CHG-01', 'VUL-01']);
  const delivery = await sent(destination, snapshot);
  expect(delivery.items).toMatchObject([{ state: 'sent', message: expect.stringContaining('no status for it') }]);
  expect([...control().statuses.values()]).toEqual(['fail']);
  control().statuses.clear();
  for (const [controls, message] of [
    [['CHG-01', 'SCN-02'], 'not applicable'],
    [['CHG-01', 'TOL-01'], 'does not include TOL-01'],
  ]) {
    const settings = { url: at('gitlab'), externalControl: 7, controls };
    await owner()(updateEvidenceDestination, { params: { destinationId: destination.id }, body: { settings } });
    expect((await again(destination, delivery.id)).items).toMatchObject([
      { state: 'skipped', message: expect.stringContaining(String(message)) },
    ]);
  }
  expect(control().statuses.size).toBe(0);
});

test('sends snapshot numbers to a webhook, signed, under one ID across repetitions', async () => {
  await change(10);
  const snapshot = await frozen(['CHG-01'], { redaction: 'people' });
  const { secret, destination } = await owner()(createEvidenceDestination, {
    body: { kind: 'webhook', name: 'Archive', settings: { url: `${receiver.url}/archive` } },
  });
  const delivery = await sent(destination, snapshot);
  await again(destination, delivery.id);
  const [first, second] = receiver.at('/archive');
  const told = new Webhook(secret ?? '').verify(first?.body ?? '', first?.headers as Record<string, string>);
  expect(told).toMatchObject({
    type: 'snapshot.exported',
    data: {
      snapshot: { id: snapshot.id, redaction: 'people' },
      controls: [{ id: 'CHG-01', status: 'failing', counts: { population: 10 } }],
      ledger: { size: snapshot.ledger?.size, root: expect.any(String) },
      evaluated: { size: snapshot.ledger?.evaluated, root: expect.any(String) },
      bundle: { sha256: snapshot.bundle?.sha256 },
    },
  });
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

test('never exposes a secret, sends it only to its own address and never logs it', async () => {
  await change(1);
  const snapshot = await frozen(['CHG-01']);
  receiver.answer(({ headers }, response) => {
    response.writeHead(422, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: `No: ${headers.authorization}` }));
  });
  const secret = 'a token that nobody else may see';
  const settings = { url: `${receiver.url}/dojo`, productType: 'A', product: 'B', engagement: 'C' };
  const destination = await add({ kind: 'defectdojo', name: 'Echo', settings, secret });
  const { send } = await createTestScanner(server, org, repository);
  await send([createScanResult()]);
  const delivery = await sent(destination, await frozen(['VUL-01'], { name: 'With findings' }));
  receiver.answer((_, response) => void response.writeHead(204).end());
  expect(delivery).toMatchObject({ state: 'failed', problem: expect.stringContaining('•••') });
  expect(JSON.stringify([delivery, await owner()(listEvidenceDestinations, {})])).not.toContain(secret);
  const params = { destinationId: destination.id };
  const elsewhere = { ...settings, url: 'http://127.0.0.1:9/dojo' };
  expect(await refusalOf(owner()(updateEvidenceDestination, { params, body: { settings: elsewhere } }))).toMatchObject({
    status: 400,
  });
  await owner()(updateEvidenceDestination, { params, body: { settings: { ...settings, product: 'D' } } });
  expect(snapshot.state).toBe('ready');
});

test('limits destinations to their organization and to evidence managers, and calls no internal address', async () => {
  await change(1);
  const snapshot = await frozen(['CHG-01']);
  const destination = await drata();
  const params = { destinationId: destination.id };
  const other = await server.make.organization('Other');
  const stranger = server.as(other.owner, other.id);
  expect(await refusalOf(stranger(getEvidenceDestination, { params }))).toMatchObject({ status: 404 });
  expect(await refusalOf(stranger(listEvidenceDeliveries, { params }))).toMatchObject({ status: 404 });
  const theirs = await server.as(other.owner, other.id)(createEvidenceDestination, {
    body: { kind: 'webhook', name: 'Theirs', settings: { url: receiver.url } },
  });
  expect(
    await refusalOf(
      stranger(deliverEvidence, {
        params: { destinationId: theirs.destination.id },
        body: { snapshotId: snapshot.id },
      }),
    ),
  ).toMatchObject({ status: 404 });
  const reading = server.as(auditor, org.id);
  expect((await reading(listEvidenceDestinations, {})).total).toBe(1);
  const body = { snapshotId: snapshot.id };
  expect(await refusalOf(reading(deliverEvidence, { params, body }))).toMatchObject({ status: 403 });
  expect(await refusalOf(reading(deleteEvidenceDestination, { params }))).toMatchObject({ status: 403 });
  await sent(destination, snapshot);
  expect(await refusalOf(owner()(deliverEvidence, { params, body }))).toMatchObject({ status: 409 });
  await owner()(updateEvidenceDestination, { params, body: { enabled: false } });
  const [delivery] = (await owner()(listEvidenceDeliveries, { params })).rows;
  const one = { ...params, deliveryId: delivery?.id ?? '' };
  expect(await refusalOf(owner()(redeliverEvidence, { params: one }))).toMatchObject({ status: 409 });
  const inside = { kind: 'webhook', name: 'Inside', settings: { url: 'https://10.0.0.1/' } } as const;
  expect(await refusalOf(owner()(createEvidenceDestination, { body: inside }))).toMatchObject({ status: 400 });
  const twice = { kind: 'webhook', name: 'Drata', settings: { url: receiver.url } } as const;
  expect(await refusalOf(owner()(createEvidenceDestination, { body: twice }))).toMatchObject({ status: 409 });
});
