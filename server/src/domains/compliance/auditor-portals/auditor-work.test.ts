import { createHash } from 'node:crypto';
import {
  getPortalSnapshot,
  getPortalStatus,
  listPortals,
  reperformControl,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { downloadOwnArchive, downloadPortalArchive } from '@sightline/contract/compliance/portal-archives.ts';
import {
  assertToAuditor,
  listOwnAssertions,
  listPortalAssertions,
} from '@sightline/contract/compliance/portal-assertions.ts';
import {
  attachAsAuditor,
  attachToPortal,
  downloadAsAuditor,
  downloadPortalAttachment,
  MAX_ATTACHMENT_BYTES,
} from '@sightline/contract/compliance/portal-attachments.ts';
import { listPortalRecords } from '@sightline/contract/compliance/portal-records.ts';
import {
  answerEvidenceRequest,
  closeEvidenceRequest,
  listEvidenceRequests,
  listOwnEvidenceRequests,
  replyToAnswer,
  requestEvidence,
} from '@sightline/contract/compliance/portal-requests.ts';
import {
  downloadPortalResult,
  listOwnResults,
  listPortalResults,
  returnResult,
} from '@sightline/contract/compliance/portal-results.ts';
import {
  createAuditSample,
  getAuditSample,
  getEarlierPortal,
  getPortalSampleRows,
  listAuditSamples,
  listPortalSamples,
  suggestedSampleSize,
  writeWorkpaper,
} from '@sightline/contract/compliance/portal-samples.ts';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { urlOf } from '@sightline/contract/core/client.ts';
import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import { listNotifications } from '@sightline/contract/delivery/notifications.ts';
import { auditorResultOf } from '@sightline/evidence/auditors/auditor-result.ts';
import { signResult, verifyResult } from '@sightline/evidence/auditors/signed-result.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import { catalogVersion } from '@sightline/evidence/controls/catalog.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { refusalOf, shareTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { addReadySnapshot, openTestPortal, type TestAuditor } from './auditor.fixture.ts';

let server: TestServer;
let org: TestOrganization;
let other: TestOrganization;
let superuser: pg.Client;
let snapshotId: string;
let otherSnapshotId: string;
beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
  org = await server.make.organization('Acme');
  other = await server.make.organization('Other');
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  snapshotId = await addReadySnapshot(server, org);
  otherSnapshotId = await addReadySnapshot(server, other);
}, 120_000);
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

const owner = () => server.as(org.owner, org.id);
const openPortal = () => openTestPortal(server, org, [snapshotId]);

type SampleBody = CallInput<typeof createAuditSample>['body'];
const keep = ({ call, portalId }: TestAuditor, body: Partial<SampleBody>) =>
  call(createAuditSample, {
    params: { portalId },
    body: { name: 'Merges', snapshot: snapshotId, control: 'CHG-01', method: 'all', ...body },
  });

const entriesOf = async (portalId: string): Promise<string[]> => {
  const { rows } = await superuser.query<{ entry: string }>(
    `select entry from ledger_known where org_id = $1 and entry::jsonb -> 'subject' ->> 'id' = $2 order by entry_id`,
    [org.id, portalId],
  );
  return rows.map(({ entry }) => entry);
};

test.each([
  [3, 2, 2],
  [1, 1, 1],
  [12, 2, 4],
  [24, 3, 8],
  [52, 5, 9],
  [60, 9, 25],
  [200, 20, 25],
  [5000, 25, 60],
])('suggests for %d items from %d to %d rows', (population, least, most) => {
  expect(suggestedSampleSize(population)).toEqual({ least, most });
});

test('keeps samples of every method, reproducibly by the seed, and records their rows in the ledger', async () => {
  const auditor = await openPortal();
  const random = await keep(auditor, { method: 'random', size: 5 });
  expect(random).toMatchObject({ size: 5, population: 12, seed: expect.stringContaining('/CHG-01/') });
  const rowsOf = async (sampleId: string) => {
    const { rows } = await auditor.call(getAuditSample, { params: { portalId: auditor.portalId, sampleId } });
    return rows.map(({ row }) => row.position);
  };
  const again = await keep(auditor, { method: 'random', size: 5 });
  expect(await rowsOf(again.id)).toEqual(await rowsOf(random.id));
  const seeded = await keep(auditor, { method: 'random', size: 5, seed: 'dice' });
  expect(await rowsOf(seeded.id)).not.toEqual(await rowsOf(random.id));
  const systematic = await rowsOf((await keep(auditor, { method: 'systematic', size: 4, seed: 'dice' })).id);
  const [first = -1] = systematic;
  expect(first).toBeLessThan(3);
  expect(systematic).toEqual([first, first + 3, first + 6, first + 9]);
  const judgmental: Partial<SampleBody> = { method: 'judgmental', positions: [10, 3, 10], reason: 'Without approval' };
  expect(await rowsOf((await keep(auditor, judgmental)).id)).toEqual([10, 3]);
  expect(await rowsOf((await keep(auditor, {})).id)).toHaveLength(12);

  const ofOrganization = await owner()(listPortalSamples, { params: { portalId: auditor.portalId } });
  expect(ofOrganization.map(({ method }) => method).toSorted()).toEqual(
    ['all', 'judgmental', 'random', 'random', 'random', 'systematic'].toSorted(),
  );
  const entries = await entriesOf(auditor.portalId);
  expect(entries.some((entry) => entry.includes('"method":"judgmental"') && entry.includes('[10,3]'))).toBe(true);
  expect(entries.some((entry) => entry.includes('"seed":"dice"') && entry.includes('"method":"systematic"'))).toBe(
    true,
  );
  expect(entries.filter((entry) => entry.includes('Without approval'))).toEqual([]);
});

test('rejects samples without rows, reason or size, of other snapshots and of controls that were not evaluated', async () => {
  const auditor = await openPortal();
  const invalid: Partial<SampleBody>[] = [
    { method: 'judgmental', reason: 'Why' },
    { method: 'judgmental', positions: [1] },
    { method: 'judgmental', positions: [12], reason: 'Why' },
    { method: 'random' },
    { method: 'all', size: 3 },
  ];
  for (const body of invalid) expect(await refusalOf(keep(auditor, body))).toMatchObject({ status: 400 });
  for (const body of [{ snapshot: otherSnapshotId }, { control: 'CHG-02' }] as const)
    expect(await refusalOf(keep(auditor, body))).toMatchObject({ status: 404 });
});

test('keeps every version of a workpaper, which only the auditor sees, and commits to each in the ledger', async () => {
  const auditor = await openPortal();
  const { portalId, call } = auditor;
  const { id: sampleId } = await keep(auditor, { method: 'judgmental', positions: [3, 4], reason: 'Failed' });
  const params = { portalId, sampleId };
  const write = (body: CallInput<typeof writeWorkpaper>['body']) => call(writeWorkpaper, { params, body });
  await write({ position: 3, conclusion: 'inconclusive', note: 'Asked for the approval.' });
  expect(await write({ position: 3, conclusion: 'exception', note: 'Quibbleton saw no approval.' })).toMatchObject({
    version: 2,
  });
  await write({ position: -1, conclusion: 'exception', note: '' });
  expect(await refusalOf(write({ position: 5, conclusion: 'effective', note: '' }))).toMatchObject({ status: 404 });
  expect(await call(getAuditSample, { params })).toMatchObject({
    tested: { effective: 0, exception: 1, inconclusive: 0, not_tested: 0 },
    conclusion: 'exception',
    rows: [
      { row: { position: 3, verdict: 'fail' }, workpaper: { conclusion: 'exception', version: 2 } },
      { row: { position: 4 }, workpaper: null },
    ],
  });
  const seen = await owner()(getPortalSampleRows, { params });
  expect(seen.rows.map(({ row }) => row.position)).toEqual([3, 4]);
  expect(JSON.stringify([seen, await owner()(listPortalSamples, { params: { portalId } })])).not.toMatch(
    /exception|Quibbleton/,
  );
  const written = (await entriesOf(portalId)).filter((entry) => entry.includes('portal.workpaper_written'));
  expect(written).toHaveLength(3);
  expect(written.filter((entry) => /"sha256":"[0-9a-f]{64}"/.test(entry))).toHaveLength(3);
  expect(written.join()).not.toMatch(/exception|Quibbleton/);
  await expect(
    server.services.database.withOrg(org.id, ({ db }) =>
      db.updateTable('audit_workpaper').set({ conclusion: 'effective' }).execute(),
    ),
  ).rejects.toThrow(/permission denied/);
});

test('passes files in both directions, as downloads that no browser displays', async () => {
  const auditor = await openPortal();
  const { portalId } = auditor;
  const { id: sample } = await keep(auditor, { method: 'judgmental', positions: [3], reason: 'Failed' });
  const ownerToken = await server.token(org.owner, org.id);
  const asOwner = { authorization: `Bearer ${ownerToken}` };
  const upload = (
    query: NonNullable<CallInput<typeof attachToPortal>['query']>,
    body: string | Uint8Array<ArrayBuffer>,
  ) =>
    fetch(urlOf(`${server.url}/api`, attachToPortal, { params: { portalId }, query }), {
      method: 'POST',
      headers: { ...asOwner, 'content-type': 'application/octet-stream' },
      body,
    });
  const uploaded = await upload({ name: 'Freigabe "ö".txt', sample, position: 3 }, '<script>alert(1)</script>');
  expect(uploaded.status).toBe(201);
  const { id } = (await uploaded.json()) as { id: string };

  const download = await auditor.send(downloadAsAuditor, { params: { portalId, attachmentId: id } });
  expect([download.status, await download.text()]).toEqual([200, '<script>alert(1)</script>']);
  expect(download.headers.get('content-type')).toContain('application/octet-stream');
  expect(download.headers.get('x-content-type-options')).toBe('nosniff');
  expect(download.headers.get('content-disposition')).toBe('attachment; filename="Freigabe ___.txt"');

  const octets = { 'content-type': 'application/octet-stream' };
  const back = await auditor.send(
    attachAsAuditor,
    { params: { portalId }, query: { name: 'notes.pdf', sample, position: 3 } },
    { headers: octets, body: 'my notes' },
  );
  expect(back.status).toBe(201);
  const own = (await back.json()) as { id: string };
  const { rows } = await auditor.call(getAuditSample, { params: { portalId, sampleId: sample } });
  expect(rows[0]?.attachments.map(({ side, name }) => [side, name])).toEqual([
    ['organization', 'Freigabe "ö".txt'],
    ['auditor', 'notes.pdf'],
  ]);
  // Files of the auditor in workpapers are not for the organization.
  const seen = await owner()(getPortalSampleRows, { params: { portalId, sampleId: sample } });
  expect(seen.rows[0]?.attachments.map(({ name }) => name)).toEqual(['Freigabe "ö".txt']);
  const fetched = (attachmentId: string) =>
    fetch(urlOf(`${server.url}/api`, downloadPortalAttachment, { params: { portalId, attachmentId } }), {
      headers: asOwner,
    });
  expect([(await fetched(id)).status, (await fetched(own.id)).status]).toEqual([200, 404]);

  for (const [query, body, status] of [
    [{ name: 'a.html', sample }, 'x', 400],
    [{ name: '../a.txt', sample }, 'x', 400],
    [{ name: 'a.txt' }, 'x', 400],
    [{ name: 'a.txt', sample }, '', 400],
    [{ name: 'a.txt', sample, position: 4 }, 'x', 404],
    [{ name: 'a.txt', sample }, new Uint8Array(MAX_ATTACHMENT_BYTES + 1), 413],
  ] as const)
    expect([query, (await upload(query, body)).status]).toEqual([query, status]);
});

test('opens no sample and no file of another portal or organization', async () => {
  const [auditor, second] = [await openPortal(), await openPortal()];
  const foreign = await openTestPortal(server, other, [otherSnapshotId]);
  const { id: sampleId } = await keep(auditor, {});
  const file = await auditor.send(
    attachAsAuditor,
    { params: { portalId: auditor.portalId }, query: { name: 'a.txt', sample: sampleId } },
    { headers: { 'content-type': 'application/octet-stream' }, body: 'x' },
  );
  const { id: attachmentId } = (await file.json()) as { id: string };
  for (const { call, send, portalId } of [second, foreign]) {
    for (const params of [
      { portalId, sampleId },
      { portalId: auditor.portalId, sampleId },
    ]) {
      expect(await refusalOf(call(getAuditSample, { params }))).toMatchObject({ status: 404 });
      const body = { position: -1, conclusion: 'effective', note: '' } as const;
      expect(await refusalOf(call(writeWorkpaper, { params, body }))).toMatchObject({ status: 404 });
    }
    expect((await send(downloadAsAuditor, { params: { portalId, attachmentId } })).status).toBe(404);
    expect(await call(listAuditSamples, { params: { portalId } })).toEqual([]);
    const query = { name: 'a.txt', sample: sampleId };
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await send(attachAsAuditor, { params: { portalId }, query }, { headers, body: 'x' })).status).toBe(404);
  }
  const intruder = server.as(other.owner, other.id);
  const params = { portalId: auditor.portalId, sampleId };
  expect(await refusalOf(intruder(getPortalSampleRows, { params }))).toMatchObject({ status: 404 });
});

test('keeps requests as threads with due dates until the auditor closes them, without their text in the ledger', async () => {
  const { portalId, call } = await openPortal();
  const text = 'Who is quibble-words?';
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const today = new Date().toISOString().slice(0, 10);
  const ask = (dueOn: string | null) =>
    call(requestEvidence, { params: { portalId }, body: { control: 'CHG-01', text, dueOn } });
  expect(await refusalOf(ask(yesterday))).toMatchObject({ status: 400 });
  const { id: requestId, ...asked } = await ask(today);
  expect(asked).toMatchObject({ state: 'open', dueOn: today, isOverdue: false, messages: [] });
  const params = { portalId, requestId };
  const portalsWith = async (requests: 'open' | 'overdue') =>
    (await owner()(listPortals, { query: { requests } })).rows.map(({ id }) => id);
  expect([await portalsWith('open'), await portalsWith('overdue')]).toEqual([
    expect.arrayContaining([portalId]),
    expect.not.arrayContaining([portalId]),
  ]);
  await superuser.query('update evidence_request set due_on = $2 where id = $1', [requestId, yesterday]);
  expect(await portalsWith('overdue')).toContain(portalId);
  expect(await owner()(listEvidenceRequests, { params: { portalId } })).toMatchObject([{ isOverdue: true }]);
  const notifications = await vi.waitFor(async () => {
    const { items } = await owner()(listNotifications, { query: { types: ['portal.requested'] } });
    const ofPortal = items.filter(({ link }) => link === `/evidence/auditor-portals/${portalId}`);
    expect(ofPortal).toMatchObject([{ reason: 'owner', actor: null }]);
    return ofPortal;
  }, 20_000);
  expect(JSON.stringify(notifications)).toContain('CHG-01');
  expect(JSON.stringify(notifications)).not.toContain('quibble');

  const answered = await owner()(answerEvidenceRequest, { params, body: { text: 'Our quibble-words bot.' } });
  expect(answered).toMatchObject({ state: 'answered', isOverdue: false });
  expect(await portalsWith('open')).not.toContain(portalId);
  expect(await call(getPortalStatus, { params: { portalId } })).toMatchObject({ answered: 1 });
  expect(await call(replyToAnswer, { params, body: { text: 'And who owns the quibble?' } })).toMatchObject({
    state: 'open',
    isOverdue: true,
  });
  await owner()(answerEvidenceRequest, { params, body: { text: 'Ada owns the quibble.' } });
  expect(await call(closeEvidenceRequest, { params })).toMatchObject({ state: 'closed', isOverdue: false });
  for (const send of [
    () => owner()(answerEvidenceRequest, { params, body: { text: 'No.' } }),
    () => call(replyToAnswer, { params, body: { text: 'No?' } }),
    () => call(closeEvidenceRequest, { params }),
  ])
    expect(await refusalOf(send())).toMatchObject({ status: 409 });
  const [thread] = await call(listOwnEvidenceRequests, { params: { portalId } });
  expect(thread?.messages.map(({ side }) => side)).toEqual(['organization', 'auditor', 'organization']);

  const entries = await entriesOf(portalId);
  for (const action of ['requested', 'answered', 'replied', 'request_closed'])
    expect(entries.some((entry) => entry.includes(`audit.portal.${action}"`))).toBe(true);
  expect(entries.filter((entry) => entry.includes('quibble'))).toEqual([]);
});

test('lists records of the bundle: control definitions with their catalog, and missing evidence', async () => {
  const { portalId, call } = await openPortal();
  const list = (kind: 'policies' | 'definitions' | 'gaps', search = '') =>
    call(listPortalRecords, { params: { portalId, snapshotId, kind }, query: { search } });
  const { rows: definitions } = await list('definitions');
  expect(definitions.map(({ key }) => key)).toEqual(expect.arrayContaining(['CHG-01', 'LOG-01', 'SCN-01']));
  expect(definitions[0]).toMatchObject({ state: `Version ${catalogVersion} of the catalog` });
  const { rows: gaps, total } = await list('gaps', 'SCN-01');
  expect([total > 0, gaps.every(({ title }) => title.startsWith('SCN-01'))]).toEqual([true, true]);
  expect(await list('policies')).toEqual({ rows: [], total: 0 });
  const params = { portalId, snapshotId: otherSnapshotId, kind: 'gaps' } as const;
  expect(await refusalOf(call(listPortalRecords, { params }))).toMatchObject({ status: 404 });
});

test('keeps a result that the auditor signed about a bundle of the portal, and no other', async () => {
  const { portalId, call, send } = await openPortal();
  const { period, bundle } = await call(getPortalSnapshot, { params: { portalId, snapshotId } });
  const documentOf = (sha256: string) => {
    const sample = { name: 'Merges', control: 'CHG-01', snapshot: snapshotId, method: 'all', seed: null, reason: '' };
    return canonicalJson(
      auditorResultOf({
        id: newId(),
        title: 'SOC 2',
        auditor: 'Petra Prüfer',
        organization: 'Acme',
        madeAt: new Date().toISOString(),
        snapshots: [{ id: snapshotId, name: 'Quarter 3', period, bundle: { name: bundle.name, sha256 } }],
        samples: [
          { ...sample, id: newId(), population: 12, size: 12, conclusion: 'exception', note: 'Two.', rows: [] },
        ],
      }),
    );
  };
  const key = crypto.getRandomValues(new Uint8Array(32));
  const give = (signed: object) =>
    send(
      returnResult,
      { params: { portalId } },
      { headers: { 'content-type': 'application/json' }, body: JSON.stringify(signed) },
    );
  const signed = signResult(documentOf(bundle.sha256), key);
  const forged = { ...signed, payload: signResult(documentOf(bundle.sha256), key).payload };
  for (const wrong of [forged, signResult(documentOf('ab'.repeat(32)), key), { ...signed, signatures: [] }, {}])
    expect((await give(wrong)).status).toBe(400);
  const kept = await give(signed);
  expect(kept.status).toBe(201);
  const { id: resultId, keyId, sha256 } = (await kept.json()) as { id: string; keyId: string; sha256: string };
  expect(keyId).toBe(signed.signatures[0]?.keyid);

  const [seen, ...others] = await owner()(listPortalResults, { params: { portalId } });
  expect([seen, others]).toMatchObject([
    { keyId, findings: [{ control: 'CHG-01', conclusion: 'exception', isSatisfied: false }] },
    [],
  ]);
  expect(await call(listOwnResults, { params: { portalId } })).toHaveLength(1);
  const file = await fetch(urlOf(`${server.url}/api`, downloadPortalResult, { params: { portalId, resultId } }), {
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
  });
  expect(verifyResult(await file.json())).toMatchObject({ keyId, bundles: [bundle.sha256] });
  const entries = await entriesOf(portalId);
  expect(entries.some((entry) => entry.includes('portal.result_returned') && entry.includes(sha256))).toBe(true);
});

test('re-performs a control from the facts of the snapshot, and lists the items that differ', async () => {
  const { portalId, call } = await openPortal();
  const params = { portalId, snapshotId, controlId: 'CHG-01' } as const;
  const same = await call(reperformControl, { params });
  expect(same).toMatchObject({
    total: 0,
    differences: [],
    catalog: catalogVersion,
    computedBy: server.config.PUBLIC_URL,
  });
  expect(same.rowsSha256.again).toBe(same.rowsSha256.bundle);
  expect(same.counts.again).toEqual(same.counts.bundle);
  // The operator changes a recorded fact, and keeps the bundle.
  const changed = await superuser.query<{ id: string }>(
    `update change_record set parts = jsonb_set(parts, '{reviews}', '{"state":"complete","value":[]}')
     where org_id = $1 and (parts -> 'reviews' -> 'value' -> 0) is not null
       and id = (select id from change_record where org_id = $1 and (parts -> 'reviews' -> 'value' -> 0) is not null order by id limit 1)
     returning id, parts`,
    [org.id],
  );
  expect(changed.rows).toHaveLength(1);
  const after = await call(reperformControl, { params });
  expect(after.differences).toEqual([
    {
      subject: `change:${changed.rows[0]?.id}`,
      bundle: 'pass',
      again: 'fail',
      fields: expect.arrayContaining(['reviews', 'verdict']),
    },
  ]);
  expect(after.rowsSha256.again).not.toBe(after.rowsSha256.bundle);
  const entries = (await entriesOf(portalId)).filter((entry) => entry.includes('portal.reperformed'));
  expect(entries.map((entry) => /"differences":(\d+)/.exec(entry)?.[1])).toEqual(['0', '1']);
  const unknown = { ...params, snapshotId: otherSnapshotId };
  expect(await refusalOf(call(reperformControl, { params: unknown }))).toMatchObject({ status: 404 });
});

test('re-performance also compares the items that parameters excluded', async () => {
  const before = await addReadySnapshot(server, org, '2026-Q2');
  const reperformed = async (snapshot: string) => {
    const { portalId, call } = await openTestPortal(server, org, [snapshot]);
    return call(reperformControl, { params: { portalId, snapshotId: snapshot, controlId: 'CHG-01' } });
  };
  expect(await reperformed(before)).toMatchObject({ total: 0, excluded: { bundle: 0, again: 0 } });
  // The default scope of CHG-01 is the default branch, so that the parameter excludes a change of another one.
  const { rows } = await superuser.query<{ id: string }>(
    `update change_record set is_default_branch = false, branch = 'side' where org_id = $1 and id = (
       select id from change_record where org_id = $1 and merged_at < '2026-07-01' and number is not null
         and jsonb_array_length(parts -> 'reviews' -> 'value') > 0 order by id limit 1) returning id`,
    [org.id],
  );
  const subject = `change:${rows[0]?.id}`;
  const moved = await reperformed(before);
  expect(moved).toMatchObject({
    total: 1,
    excluded: { bundle: 0, again: 1 },
    differences: [
      { subject, bundle: 'pass', again: 'excluded', fields: expect.arrayContaining(['branch', 'verdict']) },
    ],
  });
  expect(moved.excludedSha256.again).not.toBe(moved.excludedSha256.bundle);
  const after = await createAnotherSnapshot();
  expect(await reperformed(after)).toMatchObject({ total: 0, excluded: { bundle: 1, again: 1 } });
  await superuser.query(
    `update change_record set parts = jsonb_set(parts, '{reviews}', '{"state":"complete","value":[]}')
     where org_id = $1 and id = $2`,
    [org.id, rows[0]?.id],
  );
  const edited = await reperformed(after);
  expect(edited.differences).toEqual([{ subject, bundle: 'excluded', again: 'excluded', fields: ['reviews'] }]);
  expect(edited.rowsSha256.again).toBe(edited.rowsSha256.bundle);
});

async function createAnotherSnapshot(): Promise<string> {
  const { id } = await owner()(createSnapshot, { body: { name: 'Again', period: '2026-Q2', controls: ['CHG-01'] } });
  await vi.waitFor(
    async () => expect((await owner()(getSnapshot, { params: { snapshotId: id } })).state).toBe('ready'),
    { timeout: 60_000, interval: 200 },
  );
  return id;
}

test('rolls a portal forward: open threads continue, and conclusions are references, not results', async () => {
  const earlier = await openPortal();
  const { id: sampleId } = await keep(earlier, {
    name: 'Merges',
    method: 'judgmental',
    positions: [3, 4],
    reason: 'Risk',
  });
  const write = (position: number, conclusion: 'effective' | 'exception') =>
    earlier.call(writeWorkpaper, {
      params: { portalId: earlier.portalId, sampleId },
      body: { position, conclusion, note: 'Quibbleton looked.' },
    });
  for (const [position, conclusion] of [
    [3, 'effective'],
    [3, 'exception'],
    [4, 'effective'],
    [-1, 'exception'],
  ] as const)
    await write(position, conclusion);
  const ask = async (text: string) => {
    const { id } = await earlier.call(requestEvidence, { params: { portalId: earlier.portalId }, body: { text } });
    return { portalId: earlier.portalId, requestId: id };
  };
  const open = await ask('Who owns the bot?');
  await owner()(answerEvidenceRequest, { params: open, body: { text: 'Ada.' } });
  const done = await ask('Done?');
  const attach = (requestId: string, name: string, content: string) =>
    earlier.send(
      attachAsAuditor,
      { params: { portalId: earlier.portalId }, query: { name, request: requestId } },
      { headers: { 'content-type': 'application/octet-stream' }, body: content },
    );
  await attach(open.requestId, 'question.txt', 'Which bot?');
  await attach(done.requestId, 'closed.txt', 'Not carried');
  await earlier.call(closeEvidenceRequest, { params: done });

  const next = await openTestPortal(server, org, [snapshotId], { rollForwardFrom: earlier.portalId });
  const { portal, samples } = await next.call(getEarlierPortal, { params: { portalId: next.portalId } });
  expect(portal).toMatchObject({ id: earlier.portalId });
  expect(samples).toMatchObject([
    {
      id: sampleId,
      name: 'Merges',
      method: 'judgmental',
      reason: 'Risk',
      size: 2,
      conclusion: 'exception',
      tested: 2,
      exceptions: 1,
    },
  ]);
  expect(JSON.stringify(samples)).not.toContain('Quibbleton');
  expect(await next.call(listAuditSamples, { params: { portalId: next.portalId } })).toEqual([]);
  const threads = await next.call(listOwnEvidenceRequests, { params: { portalId: next.portalId } });
  expect(threads).toMatchObject([
    {
      text: 'Who owns the bot?',
      state: 'answered',
      isCarriedForward: true,
      messages: [{ side: 'organization', text: 'Ada.' }],
    },
  ]);
  const [file] = threads[0]?.attachments ?? [];
  expect(threads[0]?.attachments).toMatchObject([{ name: 'question.txt', side: 'auditor', size: 10 }]);
  const download = await next.send(downloadAsAuditor, {
    params: { portalId: next.portalId, attachmentId: file?.id ?? '' },
  });
  expect(await download.text()).toBe('Which bot?');
  const { rows: carried } = await superuser.query('select carried_from from portal_attachment where portal_id = $1', [
    next.portalId,
  ]);
  expect(carried).toEqual([{ carried_from: expect.any(String) }]);
  const opened = (await entriesOf(next.portalId)).find((entry) => entry.includes('portal.opened'));
  expect(opened).toContain('"carriedFiles":1,"carriedRequests":1');
  const params = { portalId: next.portalId, requestId: threads[0]?.id ?? '' };
  expect(await next.call(closeEvidenceRequest, { params })).toMatchObject({ state: 'closed' });
  const [before] = await earlier.call(listOwnEvidenceRequests, { params: { portalId: earlier.portalId } });
  expect(before).toMatchObject({ state: 'closed', isCarriedForward: false });
  const [, stillOpen] = await earlier.call(listOwnEvidenceRequests, { params: { portalId: earlier.portalId } });
  expect(stillOpen).toMatchObject({ state: 'answered' });
  expect(await earlier.call(getEarlierPortal, { params: { portalId: earlier.portalId } })).toEqual({
    portal: null,
    samples: [],
  });
  const another = { rollForwardFrom: earlier.portalId, auditor: { name: 'Anton Andere', email: null } };
  await expect(openTestPortal(server, org, [snapshotId], another)).rejects.toMatchObject({ status: 400 });
});

test('archives everything of a portal, for the organization without the workpapers', async () => {
  const { portalId, call, send } = await openPortal();
  const auditor = { portalId, call, send };
  const { id: sampleId } = await keep(auditor, { method: 'judgmental', positions: [3], reason: 'Failed' });
  const body = { position: 3, conclusion: 'exception', note: 'Quibbleton saw no approval.' } as const;
  await call(writeWorkpaper, { params: { portalId, sampleId }, body });
  const { id: request } = await call(requestEvidence, { params: { portalId }, body: { text: 'Why?' } });
  const attach = async (query: CallInput<typeof attachAsAuditor>['query']) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await send(
      attachAsAuditor,
      { params: { portalId }, ...(query && { query }) },
      { headers, body: 'proof' },
    );
    return ((await answer.json()) as { id: string }).id;
  };
  const inSample = await attach({ name: 'notes.txt', sample: sampleId });
  const inRequest = await attach({ name: 'question.PDF', request });
  const bytesOf = async (answer: Response) => {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('zip')]);
    return openZip(new Uint8Array(await answer.arrayBuffer()));
  };
  const own = await bytesOf(await send(downloadOwnArchive, { params: { portalId } }));
  expect(own.paths).toEqual(
    [
      `attachments/${inSample}.txt`,
      `attachments/${inRequest}.pdf`,
      ...[
        'assertions.json',
        'attachments.json',
        `bundles/${snapshotId}.zip`,
        'portal.json',
        'requests.json',
        'samples.json',
      ],
      'manifest.json',
    ].toSorted((one, other) => (one === 'manifest.json' ? 1 : other === 'manifest.json' ? -1 : one < other ? -1 : 1)),
  );
  const text = (path: string) => Buffer.from(own.file(path)).toString();
  // A reader of the archive proves the workpaper by the ledger, which contains its hash only.
  const [{ workpapers }] = JSON.parse(text('samples.json')) as [
    { workpapers: [{ conclusion: string; note: string; salt: string }] },
  ];
  const [{ conclusion, note, salt }] = workpapers;
  expect(note).toBe(body.note);
  const hash = createHash('sha256').update(canonicalJson({ conclusion, note, salt })).digest('hex');
  expect((await entriesOf(portalId)).filter((entry) => entry.includes(`"sha256":"${hash}"`))).toHaveLength(1);
  const { bundle } = await call(getPortalSnapshot, { params: { portalId, snapshotId } });
  expect(JSON.parse(text('manifest.json')).files).toContainEqual({
    path: `bundles/${snapshotId}.zip`,
    size: bundle.bytes,
    sha256: bundle.sha256,
  });
  const theirs = await bytesOf(
    await fetch(urlOf(`${server.url}/api`, downloadPortalArchive, { params: { portalId } }), {
      headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
    }),
  );
  expect(theirs.paths).toEqual(own.paths.filter((path) => !path.includes(inSample)));
  expect(theirs.paths.map((path) => Buffer.from(theirs.file(path)).toString()).join()).not.toContain('Quibbleton');
});

test('shows the auditor assertions that owners sign off, which the application cannot change', async () => {
  const { portalId, call } = await openPortal();
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  const params = { portalId };
  const body = { text: 'Quibbleton asserts: the controls were effective.' };
  expect(await refusalOf(server.as(reviewer, org.id)(assertToAuditor, { params, body }))).toMatchObject({
    status: 403,
  });
  expect(await refusalOf(server.as(other.owner, other.id)(assertToAuditor, { params, body }))).toMatchObject({
    status: 404,
  });
  const signed = await owner()(assertToAuditor, { params, body });
  expect(await call(listOwnAssertions, { params })).toEqual([signed]);
  const later = await owner()(assertToAuditor, { params, body: { text: 'One correction.' } });
  expect(await owner()(listPortalAssertions, { params })).toEqual([later, signed]);
  const entries = (await entriesOf(portalId)).filter((entry) => entry.includes('portal.asserted'));
  expect([entries.length, entries.join().includes('Quibbleton')]).toEqual([2, false]);
  await expect(
    server.services.database.withOrg(org.id, ({ db }) =>
      db.updateTable('portal_assertion').set({ text: 'Other' }).execute(),
    ),
  ).rejects.toThrow(/permission denied/);
});
