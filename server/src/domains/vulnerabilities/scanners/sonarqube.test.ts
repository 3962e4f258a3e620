import { listIntegrations, testScanner } from '@sightline/contract/sources/integrations.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sendUpload } from '../sarif/testing/uploads.ts';
import { createCheckmarxHelpers } from './checkmarx-connected.fixture.ts';
import { createScannerHelpers } from './connected.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositories: Map<string, string>;

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
beforeEach(async () => {
  acme = await server.make.organization();
  repositories = await enable(acme);
  await control('behavior', { mayRead: true, repeatsPages: false });
});

const { enable, findings } = createCheckmarxHelpers(
  () => server,
  () => github,
);
const { params, connection, control, connect, settled, sync } = createScannerHelpers(
  () => server,
  () => github,
  'sonarqube',
);
const owner = () => server.as(acme.owner, acme.id);
const card = async () => (await owner()(listIntegrations, {})).find(({ name }) => name === 'sonarqube');
const open = async () => (await findings(acme.id)).filter(({ status }) => status === 'open');

describe('imports', () => {
  test('vulnerabilities and hotspots of the bound repository, each once', async () => {
    await connect(acme);
    expect(await settled(acme)).toMatchObject({ webhook: 'unsupported', sync: { state: 'idle', error: null } });
    const first = await findings(acme.id);
    expect(first.length).toBeGreaterThan(3);
    expect(new Set(first.map(({ repository_id }) => repository_id))).toEqual(
      new Set([repositories.get('sandbox/widgets')]),
    );
    expect(await sync(acme)).toMatchObject({ sync: { results: 0 } });
    expect(await findings(acme.id)).toEqual(first);
  });

  test('what a scan adds, removes and what people dismiss between scans', async () => {
    await connect(acme);
    await settled(acme);
    const before = await open();
    await control('scan', { add: 2, remove: 1, kinds: ['sast'] });
    await sync(acme);
    expect(await open()).toHaveLength(before.length + 1);
    await control('scan', { dismiss: 1, kinds: ['sast'] });
    await sync(acme);
    expect(await open()).toHaveLength(before.length);
    expect((await findings(acme.id)).filter(({ status }) => status === 'dismissed').length).toBeGreaterThan(0);
  });
});

describe('a failure is on the card, loses nothing and duplicates nothing:', () => {
  test.each([
    ['a revoked token', () => control('revoke'), 'bad_key', /rejects this token/],
    ['missing permissions', () => control('behavior', { mayRead: false }), 'no_permission', /no permission to browse/],
    [
      'errors',
      () => github.control('faults', { match: '^/sonarqube/api', status: 500, times: 4 }),
      'unreachable',
      /does not respond/,
    ],
    [
      'a broken response',
      () => github.control('faults', { match: '^/sonarqube/api', truncate: true, times: 4 }),
      'unreachable',
      /does not respond/,
    ],
  ])('%s', async (_, fail, code, message) => {
    await connect(acme);
    await settled(acme);
    const before = await findings(acme.id);
    await control('scan', { add: 1, kinds: ['sast'] });
    await fail();
    expect(await sync(acme)).toMatchObject({ sync: { state: 'failed' } });
    expect(await card()).toMatchObject({ status: 'error', problem: { code, message: expect.stringMatching(message) } });
    expect(await findings(acme.id)).toEqual(before);
    await control('behavior', { mayRead: true });
    await connect(acme);
    expect(await settled(acme)).toMatchObject({ sync: { state: 'idle' } });
    expect(await card()).toMatchObject({ status: 'active', problem: null });
    expect(await findings(acme.id)).toHaveLength(before.length + 1);
  });

  test('a rate limit longer than a request waits', async () => {
    await connect(acme);
    await settled(acme);
    await github.control('faults', { match: '^/sonarqube/api', status: 429, retryAfter: 600 });
    const { problem } = await owner()(testScanner, { params, body: {} });
    expect(problem?.message).toBe('SonarQube is rate limiting requests. Wait a minute and try again.');
  });
});

test('a SARIF file of the same issues finds the same findings', async () => {
  await connect(acme);
  await settled(acme);
  const before = await findings(acme.id);
  const api = `${(await connection()).baseURL}/api`;
  const headers = { authorization: `Bearer ${(await connection()).apiKey}` };
  const answer = await fetch(`${api}/issues/search?componentKeys=sandbox_widgets&types=VULNERABILITY&ps=500`, {
    headers,
  });
  const { issues } = (await answer.json()) as { issues: SarifSource[] };
  expect(issues.length).toBeGreaterThan(2);
  const driver = { name: 'SonarQube', rules: [] };
  // As the converters of the community write it: the rule, the path, the line; some add the hash.
  const results = issues.map(({ rule, message, component, line, hash }, index) => ({
    ruleId: rule,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: component.replace(/^[^:]+:/, '') },
          region: { startLine: line },
        },
      },
    ],
    ...(index % 2 === 0 && { partialFingerprints: { primaryLocationLineHash: hash } }),
  }));
  const file = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results }] });
  const token = await server.token(acme.owner, acme.id);
  const { status, scans } = await sendUpload(server, file, { token, repository: 'sandbox/widgets' });
  expect([status, scans.length]).toEqual([202, 1]);
  await vi.waitFor(async () => {
    const { rows } = await server.services.database.pool.query<{ state: string }>(
      `select state from scan where org_id = $1 and source = 'sarif'`,
      [acme.id],
    );
    expect(rows).toEqual([{ state: 'done' }]);
  }, 30_000);
  expect(await findings(acme.id)).toHaveLength(before.length);
});

interface SarifSource {
  rule: string;
  message: string;
  component: string;
  line: number;
  hash: string;
}
