import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listControls } from '@sightline/contract/compliance/control-runs.ts';
import {
  createSnapshot,
  diffSnapshots,
  getSnapshot,
  listSnapshots,
  type SnapshotDetails,
} from '@sightline/contract/compliance/snapshots.ts';
import { listNotifications } from '@sightline/contract/delivery/notifications.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import { compareBundle } from '@sightline/evidence/bundle/testing/format.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import { catalogVersion } from '@sightline/evidence/controls/catalog.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import {
  refusalOf,
  shareTestServer,
  superuserUrl,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { recordListedRepositories } from '../../sources/repositories/commands.ts';
import { addChanges, addRepository } from './changes.fixture.ts';

let server: TestServer;
let org: TestOrganization;
let other: TestOrganization;
let auditor: TestAccount;
let repository: string;
beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
  org = await server.make.organization('Acme');
  other = await server.make.organization('Other');
  auditor = await server.make.member(org.id, 'rol_auditor');
  repository = await addRepository(server.services, org.id, 'widgets');
  await addChanges(server.services, org.id, repository, { from: '2026-07-02T00:00:00.000Z', count: 30 });
});
afterAll(() => server.close());

const owner = () => server.as(org.owner, org.id);
const request = { name: 'Quarter 3', period: '2026-Q3', controls: ['CHG-01', 'CHG-03', 'CHG-06', 'LOG-01'] } as const;

async function createFinished(body: Parameters<ReturnType<typeof owner>>[1] & object): Promise<SnapshotDetails> {
  const { id } = await owner()(createSnapshot, { body } as never);
  return vi.waitFor(
    async () => {
      const now = await owner()(getSnapshot, { params: { snapshotId: id } });
      expect(['ready', 'failed']).toContain(now.state);
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function fetchBundle(id: string, headers: Record<string, string> = {}, by = auditor): Promise<Response> {
  const token = await server.token(by, org.id);
  return fetch(`${server.url}/api/v2/snapshots/${id}/bundle`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

test('creates, evaluates and packages a snapshot of a quarter that can be verified independently', async () => {
  const snapshot = await createFinished(request);
  // The evidence of the same quarter has the same results.
  await vi.waitFor(
    async () => {
      const states = await owner()(listControls, { query: { period: request.period } });
      const results = states.flatMap(({ id, result }) =>
        result ? [{ id, status: result.status, counts: result.counts }] : [],
      );
      expect(results).toEqual(snapshot.results);
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(snapshot).toMatchObject({
    state: 'ready',
    problem: null,
    done: 4,
    createdBy: { id: org.owner.id },
    results: [
      { id: 'CHG-01', status: 'failing', counts: { population: 30, fail: 4 } },
      { id: 'CHG-03', counts: { population: 30 } },
      { id: 'CHG-06', counts: { population: 30 } },
      { id: 'LOG-01' },
    ],
  });
  expect(snapshot.files.map(({ path }) => path)).toContain('evidence/CHG-01.jsonl');
  const bundle = await bytesOf(await fetchBundle(snapshot.id));
  expect(bundle.length).toBe(snapshot.bundle?.bytes);
  const report = await verifyBundle(bundle, { keys: [parseVerifier(snapshot.key ?? '')] });
  expect(report.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  // docs/format specifies every file and field of it.
  expect(compareBundle(openZip(bundle)).problems).toEqual([]);
  expect(report.bundle?.codeHosts).toEqual([
    { host: 'github.com', connection: null, repositories: [{ id: repository, hostId: '4711' }] },
  ]);
  expect(report.controls).toMatchObject([
    { commitment: 'entries' },
    { commitment: 'entries' },
    { commitment: 'entries' },
    { commitment: 'run' },
  ]);
}, 90_000);

test('rebuilds an identical evidence package after 10,000 further events', {
  tags: 'full',
  timeout: 120_000,
}, async () => {
  const snapshot = await createFinished({ ...request, name: 'Kept' });
  const bundle = await bytesOf(await fetchBundle(snapshot.id));
  await addChanges(server.services, org.id, repository, { from: '2026-07-20T00:00:00.000Z', count: 20, first: 30 });
  for (let offset = 0; offset < 10; offset += 1) {
    await server.services.database.withOrg(org.id, (tx) =>
      appendEntries(tx, org.id, Array.from({ length: 1000 }, noise)),
    );
  }
  await sequenceAndSign(server.services.ledger, org.id);
  const folder = join(server.config.dataDir, 'bundles', org.id);
  for (const name of await readdir(folder)) await rm(join(folder, name));
  expect(await bytesOf(await fetchBundle(snapshot.id))).toEqual(bundle);

  // A later snapshot continues it and includes newer changes.
  const later = await createFinished({ ...request, name: 'Later', supersedes: snapshot.id });
  expect(later.supersedes).toEqual({ id: snapshot.id, name: 'Kept' });
  const keys = [parseVerifier(later.key ?? '')];
  const report = await verifyBundle(await bytesOf(await fetchBundle(later.id)), { keys, previous: bundle });
  expect(report.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(report.steps[8]?.state).toBe('ok');
  const difference = await owner()(diffSnapshots, { params: { snapshotId: later.id }, query: { with: snapshot.id } });
  expect(difference[0]).toMatchObject({
    id: 'CHG-01',
    before: { counts: { population: 30 } },
    after: { counts: { population: 50 } },
  });
});

async function runAsSuperuser(text: string, values: unknown[]): Promise<void> {
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  await superuser.query(text, values);
  await superuser.end();
}

const noise = () => {
  const at = new Date().toISOString();
  return createLedgerEntry(
    {
      id: newId(),
      org: org.id,
      kind: 'event.noise',
      asOf: at,
      receivedAt: at,
      person: null,
      source: 'test',
      subject: {},
      personal: {},
    },
    undefined,
  );
};

test('notifies the requester once when a snapshot succeeds or fails', { tags: 'full' }, async () => {
  const third = await server.make.organization('Third');
  const call = server.as(third.owner, third.id);
  const createNamed = async (name: string) => {
    const { id } = await call(createSnapshot, { body: { ...request, name, controls: ['LOG-01'] } });
    return vi.waitFor(
      async () => {
        const { items } = await call(listNotifications, { query: { types: ['evidence.ready'] } });
        const notifications = items.filter(({ subject }) => subject.ident === id);
        expect(notifications).toMatchObject([{ reason: 'author', link: `/evidence/snapshots/${id}`, count: 1 }]);
        return notifications.map(({ title }) => title);
      },
      { timeout: 60_000, interval: 200 },
    );
  };
  const folder = join(server.config.dataDir, 'bundles');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, third.id), 'No folder can be made here.');
  expect(await createNamed('In the way')).toEqual(['The snapshot In the way failed']);
  await rm(join(folder, third.id));
  expect(await createNamed('Out of the way')).toEqual(['The snapshot Out of the way is ready']);
});

test('serves an evidence package by byte ranges', async () => {
  const [{ id = '', bundle } = {}] = (await owner()(listSnapshots, { query: { sort: 'date-asc' } })).rows;
  const complete = await fetchBundle(id);
  const bytes = await bytesOf(complete);
  const etag = complete.headers.get('etag') ?? '';
  expect(etag).toBe(`"${bundle?.sha256}"`);
  expect(complete.headers.get('accept-ranges')).toBe('bytes');
  expect(complete.headers.get('content-disposition')).toContain(bundle?.name);
  for (const [range, from, to] of [
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, bytes.length],
    ['bytes=-50', bytes.length - 50, bytes.length],
    [`bytes=10-${bytes.length + 10}`, 10, bytes.length],
  ] as const) {
    const part = await fetchBundle(id, { range });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes.length}`);
    expect(await bytesOf(part)).toEqual(bytes.slice(from, to));
  }
  const past = await fetchBundle(id, { range: `bytes=${bytes.length}-` });
  expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  expect((await fetchBundle(id, { 'if-none-match': etag })).status).toBe(304);
  expect((await fetchBundle(id, { range: 'bytes=0-9', 'if-range': '"another"' })).status).toBe(200);
  expect((await fetchBundle(id, { range: 'bytes=5-2' })).status).toBe(200);
});

test('marks a filtered or redacted snapshot as such and verifies it in the same way', async () => {
  const narrow = await createFinished({ ...request, name: 'Narrow', repositories: [repository], redaction: 'people' });
  expect(narrow).toMatchObject({ state: 'ready', redaction: 'people', repositories: [repository] });

  const keys = [parseVerifier(narrow.key ?? '')];
  expect(await verifyBundle(await bytesOf(await fetchBundle(narrow.id)), { keys })).toMatchObject({ valid: true });
});

test('names repositories and people as the redaction permits, and opens redacted bundles with a key', async () => {
  await server.services.database.withOrg(org.id, (tx) =>
    recordListedRepositories(tx, org.id, {
      which: { provider: 'github', hostIds: [repository] },
      work: () =>
        tx.db
          .updateTable('repository')
          .set({ full_name: 'acme/renamed' })
          .where('org_id', '=', org.id)
          .where('id', '=', repository)
          .execute(),
    }),
  );
  const second = await addRepository(server.services, org.id, 'second');
  const disabled = { providerRepos: { github: { acme: [{ id: second, tracked: false }] } } };
  await owner()(enableRepositories, { body: disabled });
  const named = await createFinished({ ...request, name: 'Named' });
  const keys = [parseVerifier(named.key ?? '')];
  const bundle = await bytesOf(await fetchBundle(named.id));
  const { names } = (await verifyBundle(bundle, { keys })).bundle ?? { names: { repositories: [], people: [] } };
  expect(new Map(names.repositories).get(repository)).toBe('acme/renamed');
  expect(new Map(names.repositories).get(second)).toBe('acme/second');
  expect(names.people.map(([, name]) => name)).toEqual([org.owner.name]);
  const textOf = (bytes: Uint8Array) => {
    const zip = openZip(bytes);
    return zip.paths.map((path) => Buffer.from(zip.file(path)).toString('latin1')).join('\n');
  };
  const keyOf = async (id: string) =>
    new Uint8Array(
      await (
        await fetch(`${server.url}/api/v2/snapshots/${id}/disclosure-key`, {
          method: 'POST',
          headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
        })
      ).arrayBuffer(),
    );
  const hidden = await createFinished({ ...request, name: 'Hidden', redaction: 'all' });
  expect(hidden.bundle?.name).toMatch(/-redacted-all\.zip$/);
  const redacted = await bytesOf(await fetchBundle(hidden.id));
  const repositoryName = new Map(names.repositories).get(repository) ?? '';
  expect(textOf(bundle)).toContain(repositoryName);
  expect(textOf(redacted)).not.toContain(repositoryName);
  const closed = await verifyBundle(redacted, { keys });
  expect(closed).toMatchObject({ valid: true, bundle: { names: { repositories: [], people: [] } } });
  const disclosureKey = await keyOf(hidden.id);
  const opened = await verifyBundle(redacted, { keys, disclosureKey });
  expect(opened.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(opened.bundle?.names).toEqual(names);
  const wrong = await verifyBundle(redacted, { keys, disclosureKey: await keyOf(named.id) });
  expect(wrong.sentence).toContain('The disclosure key is that of another bundle');
  const { entries } = await owner()(listAudit, { query: { action: ['snapshot.key_downloaded'] } });
  expect(entries).toHaveLength(2);
});

test('hides a snapshot from other organizations and rejects a request that cannot be evaluated', async () => {
  const { id } = await createFinished({ ...request, name: 'Ours' });
  const params = { snapshotId: id };
  const otherOwner = server.as(other.owner, other.id);
  expect(await refusalOf(otherOwner(getSnapshot, { params }))).toMatchObject({ status: 404 });
  expect((await otherOwner(listSnapshots, {})).rows).toEqual([]);
  expect(await refusalOf(server.as(auditor, org.id)(createSnapshot, { body: request } as never))).toMatchObject({
    status: 403,
  });
  const foreign = { ...request, repositories: [newId()] };
  expect(await refusalOf(owner()(createSnapshot, { body: foreign } as never))).toMatchObject({ status: 404 });
  expect(
    await refusalOf(owner()(createSnapshot, { body: { ...request, supersedes: newId() } } as never)),
  ).toMatchObject({
    status: 404,
  });
  const unfinished = await owner()(createSnapshot, { body: { ...request, name: 'Waits' } } as never);
  const tooEarly = { ...request, supersedes: unfinished.id };
  expect(await refusalOf(owner()(createSnapshot, { body: tooEarly } as never))).toMatchObject({ status: 400 });
  expect(await refusalOf(owner()(createSnapshot, { body: { ...request, period: '2099' } } as never))).toMatchObject({
    status: 400,
  });
});

test('keeps the first report in the evidence package, and refuses a changed one', {
  tags: 'full',
}, async () => {
  const snapshot = await createFinished({ ...request, name: 'Drawn' });
  expect(snapshot.files.map(({ path }) => path)).toContain('report.pdf');
  const bundle = await bytesOf(await fetchBundle(snapshot.id));
  expect(Buffer.from(openZip(bundle).file('report.pdf')).toString('latin1')).toMatch(/^%PDF-1\.7/);
  // A report that was changed in the database is not handed out.
  const { withOrg } = server.services.database;
  const changed = await createFinished({ ...request, name: 'Changed', redaction: 'people' });
  await runAsSuperuser('update snapshot_report set pdf = null where snapshot_id = $1', [changed.id]);
  const folder = join(server.config.dataDir, 'bundles', org.id);
  for (const name of await readdir(folder)) await rm(join(folder, name));
  const answer = await fetchBundle(changed.id);
  expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
    409,
    expect.stringMatching(/^The report of this snapshot changed/),
  ]);
  const visibleReports = await withOrg(other.id, (tx) =>
    tx.query({ name: 'test.reports', text: 'select from snapshot_report', values: [] }),
  );
  expect(visibleReports).toEqual([]);
});

// Last, because these tests tamper with the ledger.
test.each([
  ['0.9.0', /^This snapshot was evaluated with catalog version 0\.9\.0/],
  [catalogVersion, /^The data of this snapshot changed/],
])('states why a lost evidence package is not rebuilt when rows of version %s differ', async (by, why) => {
  const snapshot = await createFinished({ ...request, name: `Evaluation criteria ${by}` });
  await runAsSuperuser(
    `update ledger_entry set packed = regexp_replace(regexp_replace(packed, '"catalog":"[^"]*"', $2), '"rowsSha256":"[^"]*"', $3)
     where kind = 'snapshot.control' and leaf_index = (select max(leaf_index) from ledger_entry where org_id = $1 and kind = 'snapshot.control')
       and org_id = $1`,
    [org.id, `"catalog":"${by}"`, `"rowsSha256":"${'0'.repeat(64)}"`],
  );
  const folder = join(server.config.dataDir, 'bundles', org.id);
  for (const name of await readdir(folder)) await rm(join(folder, name));
  const answer = await fetchBundle(snapshot.id);
  expect(answer.status).toBe(409);
  expect(((await answer.json()) as { message: string }).message).toMatch(why);
});
