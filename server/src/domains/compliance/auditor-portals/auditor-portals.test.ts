import {
  createPortal,
  enterPortal,
  getPortal,
  getPortalBundle,
  getPortalControl,
  getPortalSample,
  getPortalSnapshot,
  getPortalStatus,
  getPortalVisit,
  listPortalRows,
  listPortals,
  revokePortal,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { exportPortalPeople, getPortalChange } from '@sightline/contract/compliance/portal-changes.ts';
import { listPortalRecords } from '@sightline/contract/compliance/portal-records.ts';
import { listOwnEvidenceRequests, requestEvidence } from '@sightline/contract/compliance/portal-requests.ts';
import { listAuditSamples } from '@sightline/contract/compliance/portal-samples.ts';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { pathOf } from '@sightline/contract/core/client.ts';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import { fromBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { parseCheckpoint, timestampedText } from '@sightline/evidence/ledger/checkpoint.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { isIncluded } from '@sightline/evidence/ledger/proofs.ts';
import { leafHash } from '@sightline/evidence/ledger/tree.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { newId } from '#core/ids.ts';
import {
  refusalOf,
  shareTestServer,
  startTestServer,
  superuserUrl,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { addChanges, addRepository } from '../snapshots/changes.fixture.ts';
import { portalJobs } from './jobs.ts';

/** A person's name in the title of a pull request: disclosed, or withheld in a redacted portal. */
const planted = 'Thank Wilhelmina Quokkason for the fix';

let server: TestServer;
let org: TestOrganization;
let other: TestOrganization;
let superuser: pg.Client;
let snapshotId: string;
let foreignId: string;
/** The person behind the login wilhelmina. */
let authorId: string;
beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
  org = await server.make.organization('Acme');
  other = await server.make.organization('Other');
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  const repository = await addRepository(server.services, org.id, 'widgets');
  await addTitled(repository);
  snapshotId = await createReadySnapshot(org);
  foreignId = await createReadySnapshot(other);
}, 120_000);
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

/** Adds twelve merges of pull requests whose titles contain the name of a person. */
const addTitled = async (repository: string): Promise<void> => {
  const { database, people } = server.services;
  const [person, key] = await database.withOrg(org.id, async (tx) => {
    const names = [{ kind: 'github', value: 'wilhelmina' }] as const;
    const [id = ''] = await people.resolve(tx, org.id, [{ names, display: null, picture: null, source: 'test' }]);
    for (let number = 0; number < 12; number += 1) {
      await tx.db
        .insertInto('pull_request')
        .values({
          org_id: org.id,
          repository_id: repository,
          number,
          title: planted,
          status: 'accepted',
          draft: false,
          author_person: id,
          author_login: 'wilhelmina',
          created_at: new Date(),
          updated_at: new Date(),
          base_ref: 'main',
          head_ref: 'next',
          head_sha: '',
          url: 'https://code.example',
          context_id: newId(),
        })
        .execute();
    }
    authorId = id;
    return [id, (await people.keys(tx, org.id, [id])).get(id) ?? Buffer.alloc(0)] as const;
  });
  const titled = { title: planted, person, key };
  await addChanges(server.services, org.id, repository, { from: '2026-07-02T00:00:00.000Z', count: 12, titled });
};

async function createReadySnapshot({ owner, id }: TestOrganization): Promise<string> {
  const by = server.as(owner, id);
  const body = { name: 'Quarter 3', period: '2026-Q3', controls: ['CHG-01', 'LOG-01'] } as const;
  const created = await by(createSnapshot, { body } as never);
  await vi.waitFor(
    async () => expect((await by(getSnapshot, { params: { snapshotId: created.id } })).state).toBe('ready'),
    { timeout: 60_000, interval: 200 },
  );
  return created.id;
}

const owner = () => server.as(org.owner, org.id);
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const portalBody = (more: object = {}) => ({
  name: 'Audit 2026',
  auditor: { name: 'Petra Prüfer', email: null },
  snapshots: [snapshotId],
  expiresAt: tomorrow(),
  ...more,
});
const openPortal = (more: object = {}) => owner()(createPortal, { body: portalBody(more) } as never);

/** A browser of an auditor. */
interface EnteredVisit {
  portalId: string;
  cookie: string;
}

async function enterByLink(link: string): Promise<EnteredVisit> {
  const answer = await post(enterPortal, {}, { token: link.split('#')[1] });
  expect(answer.status).toBe(200);
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return { cookie, portalId: ((await answer.json()) as { portalId: string }).portalId };
}

const urlOf = (endpoint: Endpoint, params: object) => `${server.url}/api${pathOf(endpoint, params)}`;
const post = (endpoint: Endpoint, params: object, body: object, headers: Record<string, string> = {}) =>
  fetch(urlOf(endpoint, params), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const get = (
  visit: EnteredVisit,
  {
    endpoint,
    params = {},
    search = '',
    headers = {},
  }: {
    endpoint: Endpoint;
    params?: object | undefined;
    search?: string | undefined;
    headers?: Record<string, string> | undefined;
  },
) =>
  fetch(`${urlOf(endpoint, { portalId: visit.portalId, ...params })}${search}`, {
    headers: { cookie: visit.cookie, ...headers },
  });
/** Whether the proof of an entry leads to the root of the checkpoint. */
const provesInclusion = (
  index: number,
  { entry, proof, checkpoint }: { entry: string; proof: string[]; checkpoint: string },
) => {
  const { size, root } = parseCheckpoint(timestampedText(checkpoint));
  return isIncluded(leafHash(entry), { index, size, root, proof: proof.map(fromBase64) });
};

const read = async <Body>(answer: Promise<Response>): Promise<Body> => {
  const response = await answer;
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return JSON.parse(text) as Body;
};

/** Requests every URL of an auditor, including POST, and returns the responses. */
async function requestAll(
  visit: EnteredVisit,
  of = snapshotId,
): Promise<{ name: string; status: number; body: string }[]> {
  const control = { snapshotId: of, controlId: 'CHG-01' };
  const requests: [Endpoint, object][] = [
    [getPortalVisit, {}],
    [getPortalStatus, {}],
    [getPortalSnapshot, { snapshotId: of }],
    [getPortalControl, control],
    [listPortalRows, control],
    [getPortalSample, control],
    [getPortalChange, { snapshotId: of, entry: 1 }],
    [getPortalBundle, { snapshotId: of }],
    [listOwnEvidenceRequests, {}],
    [listAuditSamples, {}],
    [listPortalRecords, { snapshotId: of, kind: 'definitions' }],
  ];
  const answers = requests.map(async ([endpoint, params]) => ({
    name: endpoint.path,
    answer: await get(visit, { endpoint, params }),
  }));
  const evidenceRequest = post(
    requestEvidence,
    { portalId: visit.portalId },
    { text: 'Why?' },
    { cookie: visit.cookie },
  );
  const all = [...(await Promise.all(answers)), { name: 'ask', answer: await evidenceRequest }];
  return Promise.all(all.map(async ({ name, answer }) => ({ name, status: answer.status, body: await answer.text() })));
}

const withoutId = (body: string): unknown => ({ ...(JSON.parse(body) as object), requestId: '' });
const notFound = { code: 'not_found', message: 'Not found.', requestId: '' };
const expectNotFound = async (visit: EnteredVisit): Promise<void> => {
  for (const { name, status, body } of await requestAll(visit)) {
    expect([name, status, withoutId(body)]).toEqual([name, 404, notFound]);
  }
};

const entriesOf = async (
  portalId: string,
): Promise<{ kind: string; data: Record<string, unknown>; entry: string }[]> => {
  const { rows } = await superuser.query<{ kind: string; entry: string }>(
    `select kind, entry from ledger_known where org_id = $1 and entry::jsonb -> 'subject' ->> 'id' = $2 order by entry_id`,
    [org.id, portalId],
  );
  return rows.map(({ kind, entry }) => ({
    kind,
    entry,
    data: (JSON.parse(entry) as { subject: { data: Record<string, unknown> } }).subject.data,
  }));
};

test('opens the portal in a browser by link and limits the cookie to its paths', async () => {
  const { link, portal } = await openPortal();
  expect(new URL(link).pathname).toBe('/portal');
  expect(new URL(link).search).toBe('');
  const answer = await post(enterPortal, {}, { token: link.split('#')[1] });
  expect(answer.headers.get('set-cookie')).toMatch(
    new RegExp(
      `^sightline_portal=slvisit_[\\w-]{64,}; Path=/api/v2/portal/${portal.id}; Max-Age=\\d+; HttpOnly; SameSite=Strict$`,
    ),
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  const visit = await enterByLink(link);
  const seen = await read<EnteredVisit>(get(visit, { endpoint: getPortalVisit }));
  expect(seen).toMatchObject({
    name: 'Audit 2026',
    organization: 'Acme',
    auditor: 'Petra Prüfer',
    redaction: 'none',
    snapshots: [{ id: snapshotId, name: 'Quarter 3', results: [{ id: 'CHG-01' }, { id: 'LOG-01' }] }],
  });
  // The database contains neither secret in plain text.
  const dump = await superuser.query(
    'select r::text as row from auditor_portal r union all select v::text from auditor_portal_session v',
  );
  const secrets = [link.split('#')[1] ?? '?', visit.cookie.split('=')[1] ?? '?'];
  expect(dump.rows.filter(({ row }) => secrets.some((secret) => row.includes(secret)))).toEqual([]);
});

test('sets a cookie on an HTTPS site that no page without encryption can plant', async () => {
  const secure = await startTestServer({ beside: server, environment: { PUBLIC_URL: 'https://sightline.example' } });
  try {
    const { link, portal } = await openPortal();
    const answer = await secure.app.inject({
      method: enterPortal.method,
      url: `/api${enterPortal.path}`,
      headers: { origin: 'https://sightline.example' },
      payload: { token: link.split('#')[1] },
    });
    const [cookie = '', ...attributes] = String(answer.headers['set-cookie']).split('; ');
    expect(cookie).toMatch(/^__Secure-sightline_portal=slvisit_/);
    expect(attributes).toEqual(expect.arrayContaining([`Path=/api/v2/portal/${portal.id}`, 'HttpOnly', 'Secure']));
    const url = `/api${pathOf(getPortalVisit, { portalId: portal.id })}`;
    expect((await secure.app.inject({ url, headers: { cookie } })).statusCode).toBe(200);
    const planted = cookie.replace('__Secure-', '');
    expect((await secure.app.inject({ url, headers: { cookie: planted } })).statusCode).toBe(404);
  } finally {
    await secure.close();
  }
});

test('returns the same 404 for wrong tokens, cookies, portals and snapshots', async () => {
  const { link } = await openPortal();
  const visit = await enterByLink(link);
  const token = link.split('#')[1] ?? '';
  for (const wrong of ['', 'x', `${token.slice(0, -2)}AA`, visit.cookie.split('=')[1] ?? '', token.toUpperCase()]) {
    const answer = await post(enterPortal, {}, { token: wrong });
    expect([wrong, answer.status, withoutId(await answer.text())]).toEqual([wrong, 404, notFound]);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
  const second = await enterByLink((await openPortal({ name: 'Second' })).link);
  await expectNotFound({ ...visit, cookie: '' });
  await expectNotFound({ ...visit, cookie: second.cookie });
  await expectNotFound({ ...visit, portalId: second.portalId });
  await expectNotFound({ ...visit, portalId: newId() });
  await expectNotFound({ ...visit, portalId: 'nonsense' });
  // The token of a member or of the link is not accepted as a cookie.
  const bearer = { authorization: `Bearer ${await server.token(org.owner, org.id)}` };
  expect(
    (await get({ ...visit, cookie: '' }, { endpoint: getPortalVisit, params: {}, search: '', headers: bearer })).status,
  ).toBe(404);
  expect((await get({ ...visit, cookie: `sightline_portal=${token}` }, { endpoint: getPortalVisit })).status).toBe(404);
  // A snapshot of another organization, one of ours that is not in the portal, and an unknown ID.
  const outside = await createReadySnapshot(org);
  for (const id of [foreignId, outside, newId()]) {
    const answers = await requestAll(visit, id);
    for (const { name, status, body } of answers.filter(({ name: path }) => path.includes(':snapshotId'))) {
      expect([id, name, status, withoutId(body)]).toEqual([id, name, 404, notFound]);
    }
  }
});

test('returns 404 for every URL of the portal immediately after revocation', async () => {
  const { link, portal } = await openPortal();
  const visit = await enterByLink(link);
  expect((await requestAll(visit)).filter(({ status }) => status >= 400)).toEqual([]);
  const revoked = await owner()(revokePortal, { params: { portalId: portal.id } });
  expect(revoked).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) });
  await expectNotFound(visit);
  expect((await post(enterPortal, {}, { token: link.split('#')[1] })).status).toBe(404);
  const again = await owner()(revokePortal, { params: { portalId: portal.id } });
  expect(again.revokedAt).toBe(revoked.revokedAt);
  expect((await entriesOf(portal.id)).filter(({ kind }) => kind === 'audit.portal.revoked')).toHaveLength(1);
});

test('returns 404 for every URL within a second of closing time, and records the closing', async () => {
  const { link, portal } = await openPortal();
  const visit = await enterByLink(link);
  expect((await get(visit, { endpoint: getPortalVisit })).status).toBe(200);
  const { rows: queued } = await superuser.query(
    `select start_after from pgboss.job where name = 'portals.close' and singleton_key = $1`,
    [portal.id],
  );
  expect(queued).toHaveLength(1);
  expect(Math.abs((queued[0]?.start_after.getTime() ?? 0) - Date.parse(portal.expiresAt))).toBeLessThan(1_000);
  await superuser.query('update auditor_portal set expires_at = now() where id = $1', [portal.id]);
  await expectNotFound(visit);
  expect((await post(enterPortal, {}, { token: link.split('#')[1] })).status).toBe(404);
  for (const job of portalJobs(server.services))
    if (job.name === 'portals.close') await job.handle({ orgId: org.id, portalId: portal.id });
  const { rows } = await superuser.query('select closed_at from auditor_portal where id = $1', [portal.id]);
  expect(rows[0].closed_at).not.toBeNull();
  expect((await superuser.query('select from auditor_portal_session where portal_id = $1', [portal.id])).rowCount).toBe(
    0,
  );
  expect((await entriesOf(portal.id)).at(-1)?.kind).toBe('audit.portal.closed');
  expect((await owner()(getPortal, { params: { portalId: portal.id } })).state).toBe('closed');
});

test('ends a visit after one day and closes the portal of an archived organization', async () => {
  const visit = await enterByLink((await openPortal()).link);
  await superuser.query(`update auditor_portal_session set expires_at = now() where portal_id = $1`, [visit.portalId]);
  await expectNotFound(visit);
  const second = await enterByLink((await openPortal()).link);
  await superuser.query('update organization set archived_at = now() where id = $1', [org.id]);
  await expectNotFound(second);
  await superuser.query('update organization set archived_at = null where id = $1', [org.id]);
  expect((await get(second, { endpoint: getPortalVisit })).status).toBe(200);
  // Shortening a portal also ends visits that have time left.
  await superuser.query('update auditor_portal set expires_at = now() where id = $1', [second.portalId]);
  await expectNotFound(second);
});

test('records each view in the ledger before the response, committing to the auditor address only', async () => {
  const { link, portal } = await openPortal({ auditor: { name: 'Petra', email: 'petra@audit.example' } });
  const visit = await enterByLink(link);
  const rows = await read<{ change: number | null }[]>(
    get(visit, {
      endpoint: listPortalRows,
      params: { snapshotId, controlId: 'CHG-01' },
      search: '?verdict=fail&page=1',
    }),
  );
  const change = rows.find((row) => row.change !== null)?.change ?? -1;
  const views: [Endpoint, object, string][] = [
    [getPortalVisit, {}, ''],
    [getPortalSnapshot, { snapshotId }, ''],
    [getPortalControl, { snapshotId, controlId: 'CHG-01' }, ''],
    [listPortalRows, { snapshotId, controlId: 'CHG-01' }, '?page=2'],
    [getPortalSample, { snapshotId, controlId: 'CHG-01' }, '?seed=die+W%C3%BCrfel&size=5'],
    [getPortalChange, { snapshotId, entry: change }, ''],
    [listOwnEvidenceRequests, {}, ''],
    [getPortalBundle, { snapshotId }, ''],
  ];
  for (const [endpoint, params, search] of views) {
    const before = (await entriesOf(portal.id)).length;
    expect((await get(visit, { endpoint, params, search })).status).toBe(200);
    expect([endpoint.path, (await entriesOf(portal.id)).length]).toEqual([endpoint.path, before + 1]);
  }
  // A status request discloses nothing, so it is not recorded.
  const before = (await entriesOf(portal.id)).length;
  expect((await get(visit, { endpoint: getPortalStatus })).status).toBe(200);
  const entries = await entriesOf(portal.id);
  expect(entries.length).toBe(before);
  expect(entries.map(({ kind }) => kind.replace('audit.portal.', ''))).toEqual([
    ...[
      'opened',
      'entered',
      'viewed',
      'viewed',
      'viewed',
      'viewed',
      'viewed',
      'sampled',
      'viewed',
      'viewed',
      'downloaded',
    ],
  ]);
  expect(entries.find(({ kind }) => kind === 'audit.portal.sampled')?.data).toMatchObject({
    seed: 'die Würfel',
    size: 5,
    control: 'CHG-01',
    snapshot: snapshotId,
  });
  expect(entries.filter(({ entry }) => /petra/i.test(entry))).toEqual([]);
  expect(entries.slice(1).every(({ entry }) => (JSON.parse(entry) as { _sd?: string[] })._sd?.length === 1)).toBe(true);
  expect(await owner()(getPortal, { params: { portalId: portal.id } })).toMatchObject({
    views: 9,
    lastViewAt: expect.any(String),
  });

  // If the ledger rejects the entry, the response discloses nothing.
  await superuser.query(`create function refuse_entries() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
    create trigger refuse_entries before insert on ledger_pending for each statement execute function refuse_entries()`);
  try {
    for (const [endpoint, params, search] of views)
      expect((await get(visit, { endpoint, params, search })).status).toBe(500);
  } finally {
    await superuser.query('drop trigger refuse_entries on ledger_pending; drop function refuse_entries()');
  }
});

test('draws the same sample each time, from the seed of the package or a custom seed', async () => {
  const visit = await enterByLink((await openPortal()).link);
  const control = { snapshotId, controlId: 'CHG-01' };
  interface Sample {
    seed: string;
    isLedgerSeed: boolean;
    population: number;
    rows: { subject: string }[];
  }
  const drawn = (search: string) => read<Sample>(get(visit, { endpoint: getPortalSample, params: control, search }));
  const official = await drawn('');
  const bundle = openZip(
    new Uint8Array(await (await get(visit, { endpoint: getPortalBundle, params: { snapshotId } })).arrayBuffer()),
  );
  const controlFile = JSON.parse(new TextDecoder().decode(bundle.file('controls/CHG-01.json'))) as {
    sample: { seed: string; rows: { subject: string }[] };
  };
  expect(official).toMatchObject({ seed: controlFile.sample.seed, isLedgerSeed: true, population: 12 });
  expect(official.rows.map(({ subject }) => subject)).toEqual(controlFile.sample.rows.map(({ subject }) => subject));
  const own = await drawn('?seed=die');
  expect(own).toMatchObject({ seed: 'die', isLedgerSeed: false });
  expect(own.rows.map(({ subject }) => subject)).not.toEqual(official.rows.map(({ subject }) => subject));
  expect(await drawn('?seed=die')).toEqual(own);
});

test('discloses the content of the evidence package, but none of it when redacted, also on download', async () => {
  const open = await enterByLink((await openPortal()).link);
  const redactedVisit = await enterByLink((await openPortal({ redaction: 'people' })).link);
  const allText = async (visit: EnteredVisit) => {
    const control = { snapshotId, controlId: 'CHG-01' };
    const rows = await read<{ change: number | null }[]>(
      get(visit, { endpoint: listPortalRows, params: control, search: '?perPage=100' }),
    );
    const answers = await requestAll(visit);
    const changes = await Promise.all(
      rows.map(async ({ change }) =>
        (await get(visit, { endpoint: getPortalChange, params: { snapshotId, entry: change ?? -1 } })).text(),
      ),
    );
    return JSON.stringify([rows, answers.filter(({ name }) => name !== getPortalBundle.path), changes]);
  };
  expect(await allText(open)).toContain('Quokkason');
  expect(await allText(redactedVisit)).not.toContain('Quokkason');

  const bundleOf = async (visit: EnteredVisit) =>
    new Uint8Array(await (await get(visit, { endpoint: getPortalBundle, params: { snapshotId } })).arrayBuffer());
  const containsName = (bytes: Uint8Array<ArrayBuffer>) => {
    const zip = openZip(bytes);
    return zip.paths.some((path) => {
      const text = Buffer.from(zip.file(path)).toString('latin1');
      const opened = [...text.matchAll(/"disclosure":"([^"]+)"/g)].map(([, one = '']) => Buffer.from(one, 'base64url'));
      return [text, ...opened].some((one) => one.includes('Quokkason'));
    });
  };
  expect(containsName(await bundleOf(open))).toBe(true);
  const redacted = await bundleOf(redactedVisit);
  expect(containsName(redacted)).toBe(false);
  const { key, bundle } = await read<{ key: string; bundle: { sha256: string; bytes: number; name: string } }>(
    get(redactedVisit, { endpoint: getPortalSnapshot, params: { snapshotId } }),
  );
  expect(bundle).toMatchObject({ bytes: redacted.length, name: expect.stringMatching(/-redacted-people\.zip$/) });
  expect(await verifyBundle(redacted, { keys: [parseVerifier(key)] })).toMatchObject({ valid: true });
  // The bundle of the snapshot itself is unchanged.
  expect((await owner()(getSnapshot, { params: { snapshotId } })).bundle?.sha256).not.toBe(bundle.sha256);
});

test('shows the chain of custody with pseudonyms, with names where the portal has them, and exports the key', async () => {
  const custody = async (visit: EnteredVisit) => {
    const control = { snapshotId, controlId: 'CHG-01' };
    const rows = await read<{ change: number | null; subject: string }[]>(
      get(visit, { endpoint: listPortalRows, params: control, search: '?perPage=100' }),
    );
    const entry = rows[3]?.change ?? -1;
    return read<z.output<typeof getPortalChange.response>>(
      get(visit, { endpoint: getPortalChange, params: { snapshotId, entry } }),
    );
  };
  const opened = await openPortal();
  const change = await custody(await enterByLink(opened.link));
  expect(change).toMatchObject({
    parts: { reviews: { state: 'complete', value: [] }, authors: { state: 'complete' } },
    results: [{ control: 'CHG-01', verdict: 'fail', explanations: [{ code: 'no_independent_approval' }] }],
    versions: [{ entry: change.entry, version: 1 }],
  });
  expect(provesInclusion(change.entry, change.inclusion)).toBe(true);
  expect(change.people.map(({ id }) => id)).toContain(authorId);
  expect(change.people.filter(({ name }) => name !== null)).toEqual([]);

  const named = await custody(await enterByLink((await openPortal({ people: 'names' })).link));
  expect(named.people).toContainEqual({
    id: authorId,
    pseudonym: `Person ${authorId.slice(-8)}`,
    name: 'wilhelmina',
  });
  await expect(openPortal({ people: 'names', redaction: 'people' })).rejects.toMatchObject({ status: 400 });

  const key = await fetch(urlOf(exportPortalPeople, { portalId: opened.portal.id }), {
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
  });
  expect(await key.text()).toContain(`"Person ${authorId.slice(-8)}","${authorId}","wilhelmina"`);
});

test('serves an evidence package by byte ranges', async () => {
  const visit = await enterByLink((await openPortal()).link);
  const bytes = new Uint8Array(
    await (await get(visit, { endpoint: getPortalBundle, params: { snapshotId } })).arrayBuffer(),
  );
  const part = await get(visit, {
    endpoint: getPortalBundle,
    params: { snapshotId },
    search: '',
    headers: { range: 'bytes=10-29' },
  });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-29/${bytes.length}`]);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10, 30));
});

test('emails the auditor a personal link', async () => {
  const { portal } = await openPortal({ auditor: { name: 'Petra', email: 'Mailed@Audit.example' } });
  const text = await vi.waitFor(
    async () => {
      const { rows } = await superuser.query(`select body_text from mail where recipient = 'mailed@audit.example'`);
      expect(rows).toHaveLength(1);
      return rows[0].body_text as string;
    },
    { timeout: 20_000, interval: 200 },
  );
  const link = /https?:\/\/\S+\/portal#\S+/.exec(text)?.[0] ?? '';
  expect((await enterByLink(link)).portalId).toBe(portal.id);
  await vi.waitFor(
    async () => expect((await owner()(getPortal, { params: { portalId: portal.id } })).mailedAt).not.toBeNull(),
    20_000,
  );
});

test('requires permission, own snapshots and a closing time within 90 days to open a portal', async () => {
  const auditor = await server.make.member(org.id, 'rol_auditor');
  expect(await refusalOf(server.as(auditor, org.id)(createPortal, { body: portalBody() } as never))).toMatchObject({
    status: 403,
  });
  for (const [wrong, status] of [
    [{ snapshots: [foreignId] }, 404],
    [{ snapshots: [newId()] }, 404],
    [{ snapshots: [] }, 400],
    [{ expiresAt: new Date(Date.now() - 1000).toISOString() }, 400],
    [{ expiresAt: new Date(Date.now() + 91 * 86_400_000).toISOString() }, 400],
    [{ auditor: { name: 'P', email: 'no address' } }, 400],
  ] as const) {
    expect([wrong, await refusalOf(openPortal(wrong))]).toEqual([wrong, expect.objectContaining({ status })]);
  }
  const { portal } = await openPortal();
  const otherOwner = server.as(other.owner, other.id);
  expect((await otherOwner(listPortals, {})).rows).toEqual([]);
  expect(await refusalOf(otherOwner(getPortal, { params: { portalId: portal.id } }))).toMatchObject({ status: 404 });
  expect(await refusalOf(otherOwner(revokePortal, { params: { portalId: portal.id } }))).toMatchObject({ status: 404 });
  expect((await server.as(auditor, org.id)(getPortal, { params: { portalId: portal.id } })).state).toBe('open');
});

test('refuses to extend or un-redact an open portal, even with the application database role', async () => {
  const { portal } = await openPortal({ redaction: 'people' });
  for (const change of [`expires_at = expires_at + interval '1 day'`, `redaction = 'none'`]) {
    await expect(
      server.services.database.withOrg(org.id, (tx) =>
        tx.query({
          name: '',
          text: `update auditor_portal set ${change} where org_id = $1 and id = $2`,
          values: [org.id, portal.id],
        }),
      ),
    ).rejects.toThrow('An auditor portal cannot be changed');
  }
});
