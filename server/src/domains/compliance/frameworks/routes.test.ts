import { readFileSync } from 'node:fs';
import {
  approveFrameworkMapping,
  exportFramework,
  getFramework,
  importFramework,
  listFrameworks,
  removeFramework,
  updateFrameworkMapping,
  updateFrameworkRequirement,
} from '@sightline/contract/compliance/frameworks.ts';
import { parsePeriod, quarterOf } from '@sightline/contract/core/periods.ts';
import { danglingReferencesIn } from '@sightline/evidence/bundle/oscal.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { intervalsOf } from './status-history.ts';

let server: TestServer;
let org: TestOrganization;
let reviewer: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization('Pangolin');
  reviewer = await server.make.member(org.id, 'rol_reviewer');
});
afterAll(() => server.close());

const asOwner: ReturnType<TestServer['as']> = (endpoint, input) => server.as(org.owner, org.id)(endpoint, input);
const asReviewer: ReturnType<TestServer['as']> = (endpoint, input) => server.as(reviewer, org.id)(endpoint, input);

const profileOf = (...ids: string[]) => ({
  profile: {
    uuid: '74c8ba1e-5cd4-4ad1-bbfd-d888e2f6c724',
    metadata: { title: 'Baseline', version: '2', 'last-modified': '2026-01-01T00:00:00Z', 'oscal-version': '1.2.1' },
    imports: [{ href: 'catalog.json', 'include-controls': [{ 'with-ids': ids }] }],
  },
});

const importDocument = (document: unknown, name = `Baseline ${newId()}`) =>
  asOwner(importFramework, { body: { name, document: JSON.stringify(document) } });

/** Stores an evaluation for the quarter of its day. */
async function store(control: string, status: string, at: Date): Promise<void> {
  const period = parsePeriod(quarterOf(at));
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .insertInto('control_run')
      .values({
        org_id: org.id,
        id: newId(),
        control_id: control,
        catalog_version: '1',
        period_from: period?.from ?? '',
        period_to: period?.to ?? '',
        as_of_epoch: 1,
        as_of_size: at.getTime() % 1e9,
        population: 1,
        pass: 1,
        fail: 0,
        waived: 0,
        missing_evidence: 0,
        status,
        completeness: '[]',
        exclusions: '[]',
        weakenings: '[]',
        seed: '',
        reasons: '{}',
        rows_sha256: Buffer.alloc(32),
        is_reevaluation: false,
        entry_id: newId(),
        run_at: at,
      })
      .execute(),
  );
}

test('lists the frameworks of the release with their coverage, not approved at first', async () => {
  const frameworks = await asOwner(listFrameworks, {});
  expect(frameworks.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['soc2', 'iso27001', 'pci', 'ssdf', 'sp80053', 'nis2', 'dora', 'cra']),
  );
  for (const { requirements, covered, mapping } of frameworks) {
    expect(covered).toBeGreaterThan(0);
    expect(covered).toBeLessThanOrEqual(requirements);
    expect(mapping).toMatchObject({ version: 1, changed: null, approved: null });
  }
});

test('shows the last status in each week, and none for a week without an evaluation', async () => {
  // Weeks of a closed quarter.
  await store('CHG-01', 'failing', new Date('2025-01-07T02:00:00Z'));
  await store('CHG-01', 'passing', new Date('2025-01-08T02:00:00Z'));
  await store('CHG-01', 'missing_evidence', new Date('2025-01-20T02:00:00Z'));
  const framework = await asOwner(getFramework, { params: { frameworkId: 'soc2' }, query: { period: '2025-Q1' } });
  expect(framework.intervals).toMatchObject({
    unit: 'week',
    starts: expect.arrayContaining(['2025-01-01', '2025-01-06']),
  });
  const control = framework.controls.find(({ id }) => id === 'CHG-01');
  expect(control?.history.slice(0, 4)).toEqual(['not_evaluated', 'passing', 'not_evaluated', 'missing_evidence']);
  expect(control?.history).toHaveLength(framework.intervals.starts.length);
  expect(control?.status).toBe('missing_evidence');
  const uncovered = framework.rows.filter(({ controls }) => controls.length === 0);
  expect(uncovered.map(({ id }) => id)).toContain('CC6.1');
  for (const { gap } of uncovered) expect(gap).toMatch(/\.$/);
  const year = await asOwner(getFramework, { params: { frameworkId: 'soc2' }, query: { period: '2025' } });
  expect(year.intervals).toMatchObject({ unit: 'month', starts: { length: 12 } });
  expect(year.controls.find(({ id }) => id === 'CHG-01')?.history.slice(0, 2)).toEqual([
    'missing_evidence',
    'not_evaluated',
  ]);
  expect(await refusalOf(asOwner(getFramework, { params: { frameworkId: 'nothing' } }))).toMatchObject({ status: 404 });
});

test('has intervals that cover a period up to now without overlap', () => {
  const period = parsePeriod('2026-Q4');
  if (!period) throw new Error('invalid');
  expect(intervalsOf(period, new Date('2026-10-13T00:00:00Z')).starts).toEqual([
    '2026-10-01',
    '2026-10-05',
    '2026-10-12',
  ]);
  expect(intervalsOf(period, new Date('2026-09-01T00:00:00Z')).starts).toEqual([]);
});

test('keeps owner, due date and notes of a requirement, for active members only', async () => {
  const params = { frameworkId: 'iso27001', requirementId: 'A.8.32' };
  const body = { ownerId: reviewer.id, dueOn: '2026-12-31', notes: 'Ask Ada.' };
  await asReviewer(updateFrameworkRequirement, { params, body });
  const { rows } = await asOwner(getFramework, { params });
  expect(rows.find(({ id }) => id === 'A.8.32')).toMatchObject({
    owner: { id: reviewer.id },
    dueOn: '2026-12-31',
    notes: 'Ask Ada.',
  });
  const stranger = (await server.make.organization()).owner;
  for (const [change, expected] of [
    [{ params, body: { ...body, ownerId: stranger.id } }, { status: 400 }],
    [{ params: { ...params, requirementId: 'A.99' }, body }, { status: 404 }],
  ] as const) {
    expect(await refusalOf(asOwner(updateFrameworkRequirement, change))).toMatchObject(expected);
  }
  const auditor = await server.make.member(org.id, 'rol_auditor');
  expect(await refusalOf(server.as(auditor, org.id)(updateFrameworkRequirement, { params, body }))).toMatchObject({
    status: 403,
  });
});

test('maps an imported profile by versions, which another member approves', async () => {
  const { id: frameworkId, requirements } = await importDocument(profileOf('ac-6.7', 'x-1'));
  expect(requirements).toBe(2);
  const params = { frameworkId };
  const find = () => asOwner(getFramework, { params });
  const imported = await find();
  expect(imported.rows.map(({ id, title }) => [id, title])).toEqual([
    ['ac-6.7', 'Review of User Privileges'],
    ['x-1', 'x-1'],
  ]);
  expect(imported.mapping).toMatchObject({ version: 0, approved: null });
  const approve = (as: typeof asOwner, sha256: string) => as(approveFrameworkMapping, { params, body: { sha256 } });
  expect(await refusalOf(approve(asReviewer, imported.mapping.sha256))).toMatchObject({ status: 409 });
  const mappings = [{ requirement: 'ac-6.7', control: 'ACC-02' as const, rationale: 'Roles are reviewed.' }];
  const first = await asOwner(updateFrameworkMapping, { params, body: { version: 0, mappings } });
  expect(first).toMatchObject({ version: 1, changed: { by: { id: org.owner.id } }, approved: null });
  expect(await refusalOf(approve(asOwner, first.sha256))).toMatchObject({ status: 403 });
  expect(await refusalOf(approve(asReviewer, imported.mapping.sha256))).toMatchObject({ status: 409 });
  expect(await approve(asReviewer, first.sha256)).toMatchObject({ approved: { by: { id: reviewer.id } } });
  expect(await refusalOf(approve(asReviewer, first.sha256))).toMatchObject({ status: 409 });
  // Another mapping is another version, without the approval.
  expect(await refusalOf(asOwner(updateFrameworkMapping, { params, body: { version: 0, mappings } }))).toMatchObject({
    status: 409,
  });
  const unknown = [{ ...mappings[0], requirement: 'x-2', control: 'ACC-02' as const, rationale: 'None.' }];
  for (const wrong of [unknown, [...mappings, ...mappings]]) {
    expect(
      await refusalOf(asOwner(updateFrameworkMapping, { params, body: { version: 1, mappings: wrong } })),
    ).toMatchObject({ status: 400 });
  }
  const second = await asReviewer(updateFrameworkMapping, { params, body: { version: 1, mappings: [] } });
  expect(second).toMatchObject({ version: 2, approved: null });
  expect((await find()).covered).toBe(0);
  const entries = await server.services.database.withOrg(org.id, (tx) =>
    tx.query<{ action: string; entry: string }>({
      name: '',
      text: `select a.action, k.entry from audit_event a join ledger_known k on k.org_id = a.org_id and k.entry_id = a.id
             where a.org_id = $1 and a.subject_id = $2 order by a.at, a.id`,
      values: [org.id, frameworkId],
    }),
  );
  expect(entries.map(({ action }) => action)).toEqual([
    'framework.imported',
    'framework.mapping_changed',
    'framework.mapping_approved',
    'framework.mapping_changed',
  ]);
  // The ledger contains the hash that the approver saw.
  expect(JSON.parse(entries[2]?.entry ?? '{}').subject.data).toMatchObject({ version: 1, sha256: first.sha256 });
  await asOwner(removeFramework, { params });
  expect(await refusalOf(find())).toMatchObject({ status: 404 });
  expect(await refusalOf(asOwner(removeFramework, { params: { frameworkId: 'soc2' } }))).toMatchObject({ status: 404 });
});

test('approves mappings of the release until a release changes them', async () => {
  const [framework] = await asOwner(listFrameworks, {});
  const params = { frameworkId: framework?.id ?? '' };
  const { approved } = await asOwner(approveFrameworkMapping, {
    params,
    body: { sha256: framework?.mapping.sha256 ?? '' },
  });
  expect(approved?.by.id).toBe(org.owner.id);
  expect((await asOwner(getFramework, { params })).mapping.approved).toEqual(approved);
});

test('imports the controls of a catalog with groups and enhancements', async () => {
  const control = (id: string, controls?: object[]) => ({ id, title: `Title of ${id}`, ...(controls && { controls }) });
  const { id: frameworkId } = await importDocument({
    catalog: {
      metadata: { title: 'Own', version: '1' },
      groups: [
        {
          id: 'g',
          title: 'G',
          controls: [control('a-1', [control('a-1.1')])],
          groups: [{ controls: [control('b-1')] }],
        },
      ],
    },
  });
  const { rows, source } = await asOwner(getFramework, { params: { frameworkId } });
  expect([source, ...rows.map(({ id }) => id)]).toEqual(['Own, version 1', 'a-1', 'a-1.1', 'b-1']);
});

test.each([
  ['text that is not JSON', 'profile', 'must be JSON'],
  ['another model', JSON.stringify({ 'component-definition': {} }), 'must be an OSCAL profile or catalog'],
  ['a second model', JSON.stringify({ ...profileOf('a'), catalog: {} }), 'contain nothing else'],
  [
    'an import of everything',
    JSON.stringify({ profile: { ...profileOf('a').profile, imports: [{ href: 'x', 'include-all': {} }] } }),
    'with-ids',
  ],
  ['an ID that is no token', JSON.stringify(profileOf('1 a')), 'must be an OSCAL token'],
  ['a control twice', JSON.stringify(profileOf('a', 'a')), 'must name the control a once'],
  [
    'too many controls',
    JSON.stringify(profileOf(...Array.from({ length: 1001 }, (_, index) => `a-${index}`))),
    'at most 1000',
  ],
  ['brackets without end', '['.repeat(100_000), 'at most 40 levels'],
])('rejects %s with the reason', async (_name, document, reason) => {
  await expect(asOwner(importFramework, { body: { name: 'Wrong', document } })).rejects.toMatchObject({
    status: 400,
    refusal: { message: expect.stringContaining(reason) },
  });
});

interface AssessmentResults {
  'assessment-results': { results: { findings: { target: { status: { state: string } } }[] }[] };
}

const fetchFile = async (frameworkId: string, format: string) => {
  const path = exportFramework.path.replace(':frameworkId', frameworkId);
  const answer = await fetch(`${server.url}/api${path}?period=2025-Q1&format=${format}`, {
    headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
  });
  expect(answer.status).toBe(200);
  return answer;
};

test('exports valid OSCAL assessment results in which missing evidence satisfies nothing', {
  tags: ['full'],
}, async () => {
  const schema = JSON.parse(
    readFileSync(
      new URL('../../../../../evidence/src/bundle/testing/assessment-results-1.2.1.schema.json', import.meta.url),
      'utf8',
    ),
  ) as object;
  const ajv = new Ajv({ strict: false, unicodeRegExp: true, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  const { id: imported } = await importDocument(profileOf('only-1'));
  for (const id of ['soc2', 'pci', 'sp80053', 'cra', imported]) {
    const document = (await (await fetchFile(id, 'oscal')).json()) as AssessmentResults;
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(danglingReferencesIn(document as unknown as CanonicalValue)).toEqual([]);
    const findings = document['assessment-results'].results.flatMap((result) => result.findings);
    expect(findings.map(({ target }) => target.status.state)).not.toContain('satisfied');
  }
});

test('exports every requirement as CSV, with those that no control covers', async () => {
  const text = await (await fetchFile('soc2', 'csv')).text();
  expect(text).toMatch(/"CC8.1","Change management","CHG-01","Independent approval after the last push"/);
  expect(text).toMatch(/"CC6.1".*"No control covers this requirement"/);
  const { rows } = await asOwner(getFramework, { params: { frameworkId: 'soc2' } });
  expect(text.trim().split('\r\n')).toHaveLength(
    1 + rows.reduce((sum, { controls }) => sum + Math.max(1, controls.length), 0),
  );
});

test('exports a PDF of the framework', { tags: 'full' }, async () => {
  const answer = await fetchFile('sp80053', 'pdf');
  expect(answer.headers.get('content-type')).toContain('application/pdf');
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});
