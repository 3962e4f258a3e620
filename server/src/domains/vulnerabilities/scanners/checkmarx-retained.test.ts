import { connectScanner } from '@sightline/contract/sources/integrations.ts';
import { type FindingDetail, getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { currentKey } from '@sightline/sandbox/checkmarx/tenant.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { createCheckmarxHelpers, ofCheckmarx } from './checkmarx-connected.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;

beforeAll(async () => {
  story = await createStory();
  github = await startSandboxGithub([story.path]);
  const environment = { ...github.environment, CHECKMARX_BASE_URL: github.sandbox.url };
  server = await startTestServer({ environment, jobs: true });
}, 120_000);
afterAll(async () => {
  await server.close();
  await github.close();
  await story.remove();
});

const { inOrg, enable, settled, scan, findings } = createCheckmarxHelpers(
  () => server,
  () => github,
);

/** Imports a response into a new organization and returns its findings by title. */
async function importFindings(
  answer: object,
  status?: 'Partial',
): Promise<{ org: TestOrganization; of: Map<string, FindingDetail> }> {
  const org = await server.make.organization();
  Object.assign(github.sandbox.tenant.kept, { scans: [], webhooks: [] });
  await enable(org);
  await scan({ project: 'sandbox/widgets', results: JSON.stringify(answer), ...(status && { status }) });
  const body = { tenant: 'sandbox', apiKey: currentKey(github.sandbox.tenant) };
  await server.as(org.owner, org.id)(connectScanner, { params: ofCheckmarx, body });
  await settled(org);
  const call = server.as(org.owner, org.id);
  const details = await Promise.all(
    (await findings(org.id)).map(({ id }) => call(getFinding, { params: { findingId: id } })),
  );
  return { org, of: new Map(details.map((one) => [one.title, one])) };
}

const scansOf = (org: TestOrganization) =>
  inOrg(org.id, ({ db }) =>
    db
      .selectFrom('scan')
      .where('org_id', '=', org.id)
      .select(['category', 'external_id', 'rejected', 'complete', 'incomplete'])
      .orderBy('category')
      .execute(),
  );

test('stores result data of Checkmarx One beyond severity', { tags: 'full', timeout: 120_000 }, async () => {
  const result = (state: string, more: object = {}, data: object = {}) => ({
    type: 'sast',
    id: `hash/${state}=`,
    similarityId: state,
    severity: 'HIGH',
    state,
    status: 'NEW',
    data: { queryName: state, languageName: 'Java', nodes: [{ fileName: '/src/A.java', line: 7 }], ...data },
    ...more,
  });
  const { org, of } = await importFindings({
    results: [
      result('PROPOSED_NOT_EXPLOITABLE', {
        confidenceLevel: 80,
        comments: { comments: 'Behind a login' },
        vulnerabilityDetails: { cweId: 89, cvssScore: 8.100000381 },
      }),
      result('CONFIRMED', { confidenceLevel: 0 }, { sourceFileName: '/src/Source.java', sourceLine: '3' }),
      result('URGENT'),
      {
        type: 'sca',
        id: 'CVE-2025-7339',
        similarityId: 'CVE-2025-7339',
        severity: 'LOW',
        state: 'TO_VERIFY',
        data: { packageIdentifier: 'Npm-on-headers-1.0.2' },
        vulnerabilityDetails: {
          cvssScore: 3.4000000953674316,
          cvss: {
            version: 3,
            scope: 'UNCHANGED',
            attackVector: 'LOCAL',
            attackComplexity: 'LOW',
            userInteraction: 'NONE',
            privilegesRequired: 'HIGH',
            confidentiality: 'LOW',
            integrity: 'LOW',
            availability: 'NONE',
          },
        },
      },
    ],
    totalCount: 4,
  });
  const [latest] = await scansOf(org);
  expect(of.get('PROPOSED NOT EXPLOITABLE')).toMatchObject({
    status: 'open',
    assessment: {
      state: 'PROPOSED_NOT_EXPLOITABLE',
      confidence: '80',
      language: 'Java',
      notes: 'Behind a login',
      cvss: { score: 8.1, vector: null },
    },
  });
  const confirmed = of.get('CONFIRMED');
  expect(confirmed?.assessment).toMatchObject({ state: 'CONFIRMED', confidence: null, notes: '' });
  expect(confirmed?.coordinate).toMatchObject({ filePath: 'src/Source.java', line: 3 });
  expect(confirmed?.sources[0]?.instances[0]?.url).toMatch(
    new RegExp(`/results/${latest?.external_id}/[^/]+/sast\\?result-id=hash%2FCONFIRMED%3D$`),
  );
  expect(of.get('URGENT')?.assessment?.state).toBe('URGENT');
  expect(of.get('CVE-2025-7339 in on-headers 1.0.2')?.assessment?.cvss).toEqual({
    score: 3.4,
    vector: 'CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:N',
  });
});

test('imports API security results as findings and lists skipped results', {
  timeout: 120_000,
}, async () => {
  const { org, of } = await importFindings({
    results: [
      {
        risk_id: '17637f08',
        severity: 'critical',
        name: 'Stored_XSS',
        status: 'recurrent',
        state: 'to_verify',
        http_method: 'GET',
        url: '/load',
        discovery_date: '2025-10-28 13:29:59+00:00',
      },
      { type: 'apisec', id: 'b', severity: 'HIGH', data: { queryName: 'SSRF', httpMethod: 'post', url: '/fetch' } },
      { type: 'license', id: 'c', severity: 'LOW', data: {} },
    ],
    totalCount: 3,
  });
  expect(of.get('Stored XSS in GET /load')).toMatchObject({ severity: 'critical', category: 'sast', status: 'open' });
  expect(of.get('Stored XSS in GET /load')?.discoverDate).toBe('2025-10-28T13:29:59.000Z');
  expect(of.get('SSRF in POST /fetch')).toMatchObject({ severity: 'high' });
  const skipped = (await scansOf(org)).flatMap(({ rejected }) => rejected as object[]);
  expect(skipped).toEqual([
    { place: 'results[2]', reason: 'is of the type “license”, which Sightline does not support' },
  ]);
});

test('reads package, container and API sections of a report', { timeout: 120_000 }, async () => {
  const { of } = await importFindings({
    reportType: 'scan',
    scanResults: {
      resultsList: [
        {
          queryName: 'Reflected_XSS',
          queryPath: 'Kotlin/Kotlin_High_Risk/Reflected_XSS',
          cweId: 79,
          vulnerabilities: [
            {
              similarityId: 1,
              severity: 'High',
              state: 'Urgent',
              sourceFileName: '/src/C.kt',
              sourceLine: 69,
              nodes: [{ fileName: '/src/Other.kt', method: 'm', line: 1 }],
            },
          ],
        },
      ],
    },
    iacScanResults: null,
    scaScanResults: {
      totals: [{ severity: 'HIGH', count: 1 }],
      packages: [
        {
          packageName: 'lodash',
          packageVersion: '4.17.4',
          packageCategory: [
            {
              categoryName: 'CWE-1321',
              categoryResults: [{ cve: 'CVE-2019-10744', severity: 'Critical', state: 'To Verify', cvssScore: '9.1' }],
            },
          ],
        },
      ],
    },
    containerScanResults: {
      images: [
        {
          imageName: 'node',
          imageTag: '12',
          packages: [
            {
              packageName: 'zlib',
              packageVersion: '1.2.11',
              vulnerabilities: [{ cve: 'CVE-2018-25032', severity: 'High', status: 'Recurrent' }],
            },
          ],
        },
      ],
    },
    apiSecScanResults: {
      resultsList: [{ riskId: 'r', riskName: 'Missing_Auth', severity: 'Medium', httpMethod: 'GET', url: '/admin' }],
    },
  });
  expect([...of.keys()].sort()).toEqual([
    'CVE-2018-25032 in zlib 1.2.11',
    'CVE-2019-10744 in lodash 4.17.4',
    'Missing Auth in GET /admin',
    'Reflected XSS',
  ]);
  expect(of.get('Reflected XSS')).toMatchObject({
    coordinate: { filePath: 'src/C.kt', line: 69 },
    assessment: { state: 'URGENT', language: 'Kotlin' },
  });
  expect(of.get('CVE-2019-10744 in lodash 4.17.4')).toMatchObject({
    category: 'sca',
    severity: 'critical',
    package: { name: 'lodash', version: '4.17.4' },
    assessment: { cvss: { score: 9.1 } },
  });
  expect(of.get('CVE-2019-10744 in lodash 4.17.4')?.codes.map(({ id }) => id)).toEqual(['CWE-1321', 'CVE-2019-10744']);
  expect(of.get('CVE-2018-25032 in zlib 1.2.11')).toMatchObject({ category: 'container', severity: 'high' });
  expect(of.get('Missing Auth in GET /admin')).toMatchObject({ category: 'sast', severity: 'medium' });
});

test('names the engine that did not complete in a partial scan', { timeout: 120_000 }, async () => {
  const { org } = await importFindings(
    { results: [{ type: 'kics', id: 'k', severity: 'LOW', data: {} }], totalCount: 1 },
    'Partial',
  );
  for (const { complete, incomplete } of await scansOf(org)) {
    expect(complete).toBe(false);
    expect(incomplete).toEqual([
      { code: 'engine_failed', message: expect.stringMatching(/did not complete|is partial/) },
    ]);
  }
});
