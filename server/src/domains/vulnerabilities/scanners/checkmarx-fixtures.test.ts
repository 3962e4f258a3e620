import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { severities } from '@sightline/contract/core/severities.ts';
import { connectScanner } from '@sightline/contract/sources/integrations.ts';
import { currentKey } from '@sightline/sandbox/checkmarx/tenant.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseJsonExactly } from '#providers/checkmarx/json.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sampleUnlessFull } from '../../../../../scripts/full-suite.ts';
import { createCheckmarxHelpers, ofCheckmarx } from './checkmarx-connected.fixture.ts';

// Recorded responses beside the checkout, if present; synthetic ones are always tested.
const folder = new URL('../../../../../../shared/fixtures/checkmarx/results/', import.meta.url);
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;

beforeAll(async () => {
  story = await createStory();
  github = await startSandboxGithub([story.path]);
  const environment = { ...github.environment, CHECKMARX_BASE_URL: github.sandbox.url };
  server = await startTestServer({ environment, jobs: true });
});
afterAll(async () => {
  await server.close();
  await github.close();
  await story.remove();
});

const { inOrg, enable, settled, scan, findings } = createCheckmarxHelpers(
  () => server,
  () => github,
);

/** Creates an organization whose repository imported only the given response. */
async function connected(first: string): Promise<TestOrganization> {
  const org = await server.make.organization();
  const { kept } = github.sandbox.tenant;
  Object.assign(kept, { scans: [], webhooks: [] });
  await enable(org);
  await scan({ project: 'sandbox/widgets', results: first });
  const body = { tenant: 'sandbox', apiKey: currentKey(github.sandbox.tenant) };
  await server.as(org.owner, org.id)(connectScanner, { params: ofCheckmarx, body });
  await settled(org);
  return org;
}

/** Imports another response and returns its changes. */
async function importNext(org: TestOrganization, results: string) {
  await scan({ project: 'sandbox/widgets', results });
  const [latest] = github.sandbox.tenant.kept.scans.slice(-1);
  const lastImported = () =>
    inOrg(org.id, ({ db }) =>
      db.selectFrom('scanner_branch').where('org_id', '=', org.id).select('scan_id').executeTakeFirst(),
    );
  await vi.waitFor(async () => expect((await lastImported())?.scan_id).toBe(latest?.id), {
    timeout: 30_000,
    interval: 100,
  });
  const rows = await inOrg(org.id, ({ db }) =>
    db
      .selectFrom('scan')
      .where('org_id', '=', org.id)
      .where('external_id', '=', latest?.id ?? '')
      .select(['counts', 'state'])
      .execute(),
  );
  const sum = { new: 0, unchanged: 0, fixed: 0, reopened: 0, rejected: 0 };
  for (const { counts, state } of rows) {
    expect(state).toBe('done');
    for (const [name, count] of Object.entries(counts as Record<string, number>))
      sum[name as keyof typeof sum] += count;
  }
  return sum;
}

const none = { new: 0, unchanged: 0, fixed: 0, reopened: 0, rejected: 0 };
const tally = (pairs: string[]) =>
  Object.fromEntries([...Map.groupBy(pairs, (pair) => pair)].map(([pair, all]) => [pair, all.length]).toSorted());

interface Raw {
  type: string;
  severity: string;
}
interface ResultFile {
  results?: Raw[];
  scanResults?: { resultsList: { vulnerabilities: { severity: string }[] }[] };
  iacScanResults?: { technology: { queries: { resultsList: { severity: string }[] }[] }[] } | null;
}
const categoryOf: Record<string, string> = {
  sast: 'sast',
  apisec: 'sast',
  kics: 'iac',
  sca: 'sca',
  containers: 'container',
  'sca-container': 'container',
  'sscs-secret-detection': 'secret',
  'sscs-scorecard': 'scorecard',
};

/** Counts the results of the file independently of the product. */
function countedIn(file: ResultFile): Record<string, number> {
  const code = file.scanResults?.resultsList.flatMap(({ vulnerabilities }) => vulnerabilities) ?? [];
  const settings =
    file.iacScanResults?.technology.flatMap(({ queries }) => queries.flatMap((query) => query.resultsList)) ?? [];
  return tally([
    ...(file.results ?? []).flatMap(({ type, severity }) => {
      const category = categoryOf[type.toLowerCase()];
      return category === undefined ? [] : `${category} ${severity.toLowerCase()}`;
    }),
    ...code.map(({ severity }) => `sast ${severity.toLowerCase()}`),
    ...settings.map(({ severity }) => `iac ${severity.toLowerCase()}`),
  ]);
}

const countFindings = async (org: TestOrganization) =>
  tally((await findings(org.id)).map(({ category, severity }) => `${category} ${severities[severity]}`));

/** Returns the file with every other result. */
function halved(file: ResultFile): ResultFile {
  const half = <T>(all: T[]) => all.filter((_, index) => index % 2 === 0);
  if (file.results) return { ...file, results: half(file.results) };
  return { ...file, scanResults: { resultsList: half(file.scanResults?.resultsList ?? []) } };
}

// Results as in various engine versions: fields that are null, empty, of another type or missing, one ID in two
// packages, duplicates, and numbers beyond the precision of JavaScript.
const odd = JSON.stringify({
  results: [
    { type: 'sast', id: 'a', similarityId: 'LONG', severity: 'HIGH', data: { queryId: 'LONG', nodes: null } },
    {
      type: 'SAST',
      id: 7,
      severity: 'High',
      data: { queryName: 'Q', nodes: [{ fileName: '\\src\\a.cs', line: '12' }, 5] },
    },
    {
      type: 'kics',
      similarityId: 's',
      severity: 'MEDIUM',
      data: { filename: '/Dockerfile', line: -1, queryId: 'LONG' },
    },
    { type: 'sca', id: 'CVE-2021-1', severity: 'low', data: null, vulnerabilityDetails: '' },
    ...['Npm-a-1.0', 'Npm-b-2.0'].map((packageIdentifier) => ({
      type: 'sca',
      id: 'CVE-2021-2',
      similarityId: 'CVE-2021-2',
      severity: 'CRITICAL',
      state: 'OUR_OWN',
      data: { packageIdentifier, packageData: null },
      vulnerabilityDetails: { cweId: 'CWE-79', cvss: null },
    })),
    { type: 'apisec', id: 'api', severity: 'HIGH', data: {} },
    { type: 'containers', id: 'c', severity: 'INFO', data: { packageName: null, imageName: 'alpine', imageTag: 3 } },
    { type: 'sscs-secret-detection', id: 'k', severity: 'HIGH', data: { ruleName: 'Key', filename: '/.env', line: 2 } },
    { type: 'sscs-scorecard', id: 'b', severity: 'LOW', data: { fileName: 'Issue Found in your GitHub repository' } },
    ...[1, 2].map(() => ({
      type: 'sast',
      id: 'same',
      similarityId: 'same',
      severity: 'LOW',
      comments: ['x'],
      state: 'NOT_EXPLOITABLE',
      data: { queryName: 'Same', nodes: [{ fileName: '/src/b.cs', line: 3 }] },
    })),
  ],
  totalCount: 12,
}).replaceAll('"LONG"', '-17794213338002716560');

const synthetic = {
  'of odd shapes': odd,
  'of every kind': JSON.stringify({
    results: ['sast', 'kics', 'sca', 'sca-container', 'containers'].flatMap((type) =>
      ['CRITICAL', 'High', 'LOW', 'INFO'].map((severity, index) => ({
        type,
        id: `${type} ${index}`,
        similarityId: `${type} ${index}`,
        severity,
        state: 'TO_VERIFY',
        data: { queryName: 'Query', nodes: [{ fileName: `/src/${index}.ts`, line: 3 }], packageName: `p${index}` },
      })),
    ),
    totalCount: 20,
  }),
};
const all = [
  ...Object.entries(synthetic),
  ...files.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
] as [string, string][];

describe('Checkmarx One responses', () => {
  test.each(sampleUnlessFull(all, 1, 0))(
    '%s: counts a first import, the same again, half of it, and all again',
    { timeout: 120_000 },
    async (_, text) => {
      // Rounded IDs would be the IDs of other results.
      const file = parseJsonExactly(text) as ResultFile;
      const expected = countedIn(file);
      const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
      const org = await connected(text);
      expect(await countFindings(org)).toEqual(expected);
      const before = await findings(org.id);
      if (total === 0) return;
      expect(await importNext(org, text)).toEqual({ ...none, unchanged: total });
      expect(await findings(org.id)).toEqual(before);
      const half = Object.values(countedIn(halved(file))).reduce((sum, count) => sum + count, 0);
      const fewer = await importNext(org, JSON.stringify(halved(file)));
      expect(fewer).toEqual({ ...none, unchanged: half, fixed: total - half });
      expect(await importNext(org, text)).toEqual({ ...none, unchanged: half, reopened: total - half });
      expect(await findings(org.id)).toEqual(before);
    },
  );
});

test('skips unreadable results with their positions and imports the others', {
  timeout: 60_000,
}, async () => {
  const { results } = JSON.parse(synthetic['of every kind']) as { results: unknown[] };
  const org = await connected(JSON.stringify({ results: [null, ...results, 'text', [], { type: 3 }], totalCount: 24 }));
  expect(await findings(org.id)).toHaveLength(results.length);
  const scans = await inOrg(org.id, ({ db }) =>
    db.selectFrom('scan').where('org_id', '=', org.id).select('rejected').execute(),
  );
  expect(scans.flatMap(({ rejected }) => (rejected as { place: string }[]).map(({ place }) => place)).sort()).toEqual([
    'results[0]',
    'results[21]',
    'results[22]',
    'results[23]',
  ]);
});

test('fixes nothing for a response without a result list and reports it', { timeout: 60_000 }, async () => {
  const org = await connected(synthetic['of every kind']);
  const before = await findings(org.id);
  await scan({ project: 'sandbox/widgets', results: '{"message":"moved"}' });
  await vi.waitFor(
    async () => {
      const settings = await settled(org);
      expect(settings.sync).toMatchObject({ state: 'failed', error: expect.stringContaining('no list of results') });
    },
    { timeout: 30_000 },
  );
  expect(await findings(org.id)).toEqual(before);
});
