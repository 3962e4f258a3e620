import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import {
  connectScanner,
  disconnectScanner,
  listIntegrations,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sendUpload } from '../sarif/testing/uploads.ts';
import { createCheckmarxHelpers } from './checkmarx-connected.fixture.ts';
import { createScannerHelpers } from './connected.fixture.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let github: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;

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
  await fetch(`${github.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await enable(acme);
});

const { inOrg, enable, findings } = createCheckmarxHelpers(
  () => server,
  () => github,
);
const owner = () => server.as(acme.owner, acme.id);
const helpersOf = (scanner: ScannerName) =>
  createScannerHelpers(
    () => server,
    () => github,
    scanner,
  );
const cardOf = async (scanner: ScannerName) =>
  (await owner()(listIntegrations, {})).find(({ name }) => name === scanner);
const openFindings = async () => (await findings(acme.id)).filter(({ status }) => status === 'open');

/** `list`: a request of the scanner that a sync always sends. */
const scanners: readonly { scanner: ScannerName; kind: 'sast' | 'sca'; noun: string; denied: RegExp }[] = [
  { scanner: 'sonarqube', kind: 'sast', noun: 'token', denied: /no permission to browse/ },
  { scanner: 'semgrep', kind: 'sast', noun: 'token', denied: /no permission to use the Web API/ },
  { scanner: 'snyk', kind: 'sast', noun: 'token', denied: /no permission to view/ },
  { scanner: 'dependency-track', kind: 'sca', noun: 'key', denied: /no permission to view the portfolio/ },
];

describe.each(scanners)('$scanner', ({ scanner, kind, noun, denied }) => {
  const { params, connection, control, connect, settled, sync } = helpersOf(scanner);
  const connected = async () => {
    await control('behavior', { mayRead: true, repeatsPages: false });
    await connect(acme);
    expect(await settled(acme)).toMatchObject({ webhook: 'unsupported', sync: { state: 'idle', error: null } });
    return findings(acme.id);
  };

  test('imports the findings of the repository of each project once', async () => {
    const first = await connected();
    expect(first.length).toBeGreaterThan(1);
    expect(await cardOf(scanner)).toMatchObject({ status: 'active', problem: null, missing: [] });
    expect(await sync(acme)).toMatchObject({ sync: { results: 0, error: null } });
    expect(await findings(acme.id)).toEqual(first);
  });

  test('imports what a scan adds and removes, and what people dismiss between scans', async () => {
    await connected();
    const before = await openFindings();
    await control('scan', { remove: 1, kinds: [kind] });
    await sync(acme);
    expect(await openFindings()).toHaveLength(before.length - 1);
    await control('scan', { add: 1, kinds: [kind] });
    await sync(acme);
    const after = await openFindings();
    expect(after).toHaveLength(before.length);
    await control('scan', { dismiss: 1, kinds: [kind] });
    await sync(acme);
    expect(await openFindings()).toHaveLength(after.length - 1);
    expect((await findings(acme.id)).filter(({ status }) => status === 'dismissed')).not.toEqual([]);
  });

  const path = `^/${scanner}/(api|rest)`;
  const failures: readonly [string, () => Promise<unknown>, string, RegExp][] = [
    ['a revoked token', () => control('revoke'), 'bad_key', new RegExp(`rejects this ${noun}`)],
    ['a repeated page', () => control('behavior', { repeatsPages: true }), 'unreachable', /(repeated|returned 2 of)/],
    ['missing permissions', () => control('behavior', { mayRead: false }), 'no_permission', denied],
  ];
  const retriedFailures: typeof failures = [
    [
      'errors',
      () => github.control('faults', { match: path, status: 500, times: 4 }),
      'unreachable',
      /does not respond/,
    ],
    [
      'broken responses',
      () => github.control('faults', { match: path, truncate: true, times: 4 }),
      'unreachable',
      /does not respond/,
    ],
  ];
  const showsAndRecovers = async (fail: () => Promise<unknown>, code: string, message: RegExp) => {
    const before = await connected();
    await control('scan', { remove: 1, kinds: [kind] });
    await fail();
    expect(await sync(acme)).toMatchObject({ sync: { state: 'failed' } });
    expect(await cardOf(scanner)).toMatchObject({
      status: 'error',
      problem: { code, message: expect.stringMatching(message) },
    });
    expect(await findings(acme.id)).toEqual(before);
    await control('scan', { add: 1, kinds: [kind] });
    const after = await connected();
    expect(await cardOf(scanner)).toMatchObject({ status: 'active', problem: null });
    // The scanner found what it had lost again.
    expect(after).toEqual(before);
  };
  test.each(failures)('shows %s on the card, and loses and duplicates nothing', (_, fail, code, message) =>
    showsAndRecovers(fail, code, message),
  );
  // Their requests are retried, with pauses.
  test.each(retriedFailures)(
    'shows %s on the card, and loses and duplicates nothing',
    { tags: 'full' },
    (_, fail, code, message) => showsAndRecovers(fail, code, message),
  );

  test('postpones a sync during a rate limit', async () => {
    await connected();
    await github.control('faults', { match: path, status: 429, retryAfter: 600 });
    const { problem } = await owner()(testScanner, { params, body: {} });
    expect(problem?.message).toMatch(/ is rate limiting requests\. Wait a minute and try again\.$/);
    await github.control('faults', { match: path, status: 429, retryAfter: 600, times: 10 });
    const { baseURL, ...rest } = await connection();
    const refused = await refusalOf(owner()(connectScanner, { params, body: { ...rest, baseURL } }));
    expect(refused).toMatchObject({ status: 502 });
  });

  test('disconnects and keeps the findings', async () => {
    const before = await connected();
    await owner()(disconnectScanner, { params });
    expect(await cardOf(scanner)).toMatchObject({ status: 'inactive' });
    expect(await findings(acme.id)).toEqual(before);
  });
});

describe('finds the same findings in SARIF', () => {
  const upload = async (runs: unknown) => {
    const token = await server.token(acme.owner, acme.id);
    const file = JSON.stringify({ version: '2.1.0', runs });
    const { status, refusal } = await sendUpload(server, file, { token, repository: 'sandbox/widgets' });
    expect([status, refusal]).toEqual([202, expect.anything()]);
    await vi.waitFor(async () => {
      const rows = await inOrg(acme.id, ({ db }) =>
        db.selectFrom('scan').where('org_id', '=', acme.id).where('source', '=', 'sarif').select('state').execute(),
      );
      expect(rows).toEqual([{ state: 'done' }]);
    }, 30_000);
  };
  const read = async (scanner: ScannerName, path: string, headers: Record<string, string> = {}) => {
    const { connection } = helpersOf(scanner);
    const { apiKey, baseURL } = await connection();
    const signed = { authorization: `Bearer ${apiKey}`, 'x-api-key': apiKey, ...headers };
    return (await fetch(`${baseURL}/api${path}`, { headers: signed })).json();
  };
  const imported = async (scanner: ScannerName) => {
    const { connect, control, settled } = helpersOf(scanner);
    await control('behavior', { mayRead: true, repeatsPages: false });
    await connect(acme);
    await settled(acme);
    return findings(acme.id);
  };
  const locationOf = (uri: string, startLine: number) => [
    { physicalLocation: { artifactLocation: { uri }, region: { startLine } } },
  ];

  test('of converters for SonarQube, with and without the hash of the line', async () => {
    const before = await imported('sonarqube');
    const query = '/issues/search?componentKeys=sandbox_widgets&types=VULNERABILITY&ps=500';
    const { issues } = (await read('sonarqube', query)) as { issues: SonarSource[] };
    expect(issues.length).toBeGreaterThan(2);
    const results = issues.map(({ rule, message, component, line, hash }, index) => ({
      ruleId: rule,
      message: { text: message },
      locations: locationOf(component.replace(/^[^:]+:/, ''), line),
      ...(index % 2 === 0 && { partialFingerprints: { primaryLocationLineHash: hash } }),
    }));
    await upload([{ tool: { driver: { name: 'SonarQube', rules: [] } }, results }]);
    expect(await findings(acme.id)).toHaveLength(before.length);
  });

  test('of Semgrep', async () => {
    const before = await imported('semgrep');
    const list = (type: string) => `/v1/deployments/sandbox/findings?issue_type=${type}&page_size=500`;
    const found = [await read('semgrep', list('sast')), await read('semgrep', list('sca'))] as {
      findings: SemgrepSource[];
    }[];
    const results = found
      .flatMap((page) => page.findings)
      .map(({ rule, location, match_based_id }) => ({
        ruleId: rule.name,
        message: { text: rule.message },
        locations: locationOf(location.file_path, location.line),
        fingerprints: { 'matchBasedId/v1': match_based_id },
      }));
    await upload([{ tool: { driver: { name: 'Semgrep OSS', rules: [] } }, results }]);
    expect(await findings(acme.id)).toHaveLength(before.length);
  });

  test('of Snyk Open Source', async () => {
    const before = await imported('snyk');
    const { apiKey, baseURL } = await helpersOf('snyk').connection();
    const get = async (path: string) =>
      (await (
        await fetch(`${baseURL}/rest/orgs/sandbox/${path}`, { headers: { authorization: `token ${apiKey}` } })
      ).json()) as { data: { id: string; attributes: SnykSource }[] };
    const { data: projects } = await get('projects?limit=100');
    const project = projects.find(({ attributes }) => attributes.type === 'npm');
    const { data: issues } = await get(`issues?limit=100&scan_item.id=${project?.id}`);
    expect(issues.length).toBeGreaterThan(1);
    const results = issues.map(({ attributes: { key, coordinates } }) => {
      const { package_name, package_version } = coordinates?.[0]?.representations[0]?.dependency ?? {};
      return {
        ruleId: key,
        message: { text: `This file introduces a vulnerable ${package_name} package.` },
        locations: [
          {
            ...locationOf('package.json', 1)[0],
            logicalLocations: [{ fullyQualifiedName: `${package_name}@${package_version}` }],
          },
        ],
      };
    });
    await upload([{ tool: { driver: { name: 'Snyk Open Source', rules: [] } }, results }]);
    expect(await findings(acme.id)).toHaveLength(before.length);
  });

  test('that Dependency-Track exports', async () => {
    const before = await imported('dependency-track');
    const [project] = (await read('dependency-track', '/v1/project')) as { uuid: string }[];
    const path = `/v1/finding/project/${project?.uuid}?suppressed=true`;
    const { runs } = (await read('dependency-track', path, { accept: 'application/sarif+json' })) as { runs: unknown };
    await upload(runs);
    expect(await findings(acme.id)).toHaveLength(before.length);
  });
});

interface SonarSource {
  rule: string;
  message: string;
  component: string;
  line: number;
  hash: string;
}

interface SnykSource {
  type: string;
  key: string;
  coordinates?: { representations: { dependency: { package_name: string; package_version: string } }[] }[];
}

interface SemgrepSource {
  rule: { name: string; message: string };
  location: { file_path: string; line: number };
  match_based_id: string;
}
