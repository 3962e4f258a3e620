import { getFindingSnippet } from '@sightline/contract/vulnerabilities/findings.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import type { ScannerResult } from '#providers/scanner.ts';
import { createScanResult } from '#testing/findings.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from '../../sources/webhooks/deliveries.fixture.ts';
import { importResults } from './intake.ts';
import { maskSecrets, snippetAround } from './snippet-lines.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let other: TestOrganization;
let repositoryId: string;
let before: string;

const file = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);

beforeAll(async () => {
  story = await createStory();
  await story.commit('Code', {
    'src/long.ts': `${file.join('\n')}\n`,
    'src/dos.ts': 'one\r\ntwo\r\n',
    'src/key.ts':
      "const name = 'abc';\nconst key = 'CANARY-0123456789';\nconst other = 'CANARY-too-long-for-a-word';\n",
    'package.json': '{\n  "dependencies": {\n    "left-pad": "1.0.0"\n  }\n}\n',
    'big.txt': 'x'.repeat(1_100_000),
    'bytes.bin': '\0\0',
  });
  before = story.git(['rev-parse', 'HEAD']);
  await story.commit('Later', { 'src/long.ts': 'all new\n' });
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
  acme = await server.make.organization();
  other = await server.make.organization();
  repositoryId = await enableOnly(acme, sandbox);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, enableOnly } = webhookHelpers(() => server);

// Without CWEs that another result could share.
const plain = createScanResult({ cwes: [], path: 'src/long.ts', line: 20, endLine: 21 });

let count = 0;
const importFinding = async (result: Partial<ScannerResult>, commit: string | null = before): Promise<string> => {
  count += 1;
  const tool = { key: `tool ${count}`, name: `Tool ${count}`, version: null };
  const analysis = {
    repositoryId,
    source: 'sarif',
    tool,
    category: '',
    ref: 'refs/heads/main',
    complete: true,
  } as const;
  const actor = { integration: 'test' };
  await importResults(server.services, acme.id, {
    actor,
    analysis: { ...analysis, commit, nativeId: null },
    results: [{ ...plain, ...result, ruleId: `rule ${count}` }],
  });
  const row = await inOrg(acme.id, ({ db }) =>
    db.selectFrom('finding').where('data_source', '=', tool.key).select('id').executeTakeFirstOrThrow(),
  );
  return row.id;
};
const snippet = async (findingId: string, account: TestAccount = acme.owner, orgId = acme.id) =>
  server.as(account, orgId)(getFindingSnippet, { params: { findingId } });

test('shows the lines around a finding at the scanned commit', async () => {
  const id = await importFinding({});
  const highlightedLines = { from: 20, to: 21 };
  const expected = { filePath: 'src/long.ts', commit: before, from: 15, lines: file.slice(14, 26), highlightedLines };
  expect(await snippet(id)).toEqual(expected);
  expect(await snippet(await importFinding({ path: 'src/dos.ts', line: 2, endLine: null }))).toMatchObject({
    from: 1,
    lines: ['one', 'two'],
  });
});

test('uses the branch tip without a commit, and the lines naming the package without a line', async () => {
  expect(await snippet(await importFinding({ line: 1 }, null))).toMatchObject({
    commit: story.git(['rev-parse', 'HEAD']),
    from: 1,
    lines: ['all new'],
  });
  const dependency = { path: 'package.json', line: null, endLine: null, category: 'sca' } as const;
  const id = await importFinding({ ...dependency, package: { name: 'Left-Pad', version: null, fixedIn: null } });
  expect((await snippet(id)).lines).toContain('    "left-pad": "1.0.0"');
});

test('marks a region of characters or bytes by its lines', async () => {
  const region = (unit: 'characters' | 'bytes', from: number, length: number) => ({
    locations: [],
    relatedLocations: [],
    otherFlows: [],
    fixes: [],
    region: { column: null, endColumn: null, offset: { unit, from, length } },
  });
  // Each of the first nine lines has seven characters.
  const at = { line: null, endLine: null };
  const ofCharacters = await importFinding({ ...at, evidence: region('characters', 7 * 4, 14) });
  expect(await snippet(ofCharacters)).toMatchObject({ from: 1, highlightedLines: { from: 5, to: 6 } });
  const ofBytes = await importFinding({ ...at, path: 'src/dos.ts', evidence: region('bytes', 5, 3) });
  expect(await snippet(ofBytes)).toMatchObject({ from: 1, highlightedLines: { from: 2, to: 2 } });
  const beyond = await importFinding({ ...at, path: 'src/dos.ts', evidence: region('characters', 2 ** 31 - 1, 3) });
  expect((await snippet(beyond)).lines).toEqual(['one', 'two']);
});

test('masks secrets in every line, also next to another finding', async () => {
  const secret = await importFinding({ path: 'src/key.ts', line: 2, endLine: 2, category: 'secret' });
  const beside = await importFinding({ path: 'src/key.ts', line: 1, endLine: 1 });
  expect((await snippet(secret)).lines).toEqual(["const name = 'abc';", '••••••••', 'const other = ••••••••;']);
  expect((await snippet(beside)).lines).toEqual([
    ...["const name = 'abc';", '••••••••', "const other = 'CANARY-too-long-for-a-word';"],
  ]);
});

test('explains why a snippet is unavailable', async () => {
  const refused = (code: string, message: string | RegExp) => ({
    body: { code, message: expect.stringMatching(message) },
  });
  await expect(snippet(await importFinding({ path: null, line: null }))).rejects.toMatchObject(
    refused('not_found', /has no file/),
  );
  await expect(snippet(await importFinding({ path: 'gone.ts' }))).rejects.toMatchObject(
    refused('not_found', `gone.ts no longer exists on GitHub at ${before.slice(0, 7)}.`),
  );
  await expect(snippet(await importFinding({ path: 'big.txt' }))).rejects.toMatchObject(
    refused('not_found', /too large/),
  );
  await expect(snippet(await importFinding({ path: 'bytes.bin' }))).rejects.toMatchObject(
    refused('not_found', /not a text/),
  );
  const id = await importFinding({ path: 'a.txt', line: 1 });
  await sandbox.control('faults', { match: 'contents', status: 403 });
  await expect(snippet(id)).rejects.toMatchObject(refused('upstream_failed', /denies access/));
  await sandbox.control('faults', { match: 'contents', status: 429, retryAfter: 600 });
  await expect(snippet(id)).rejects.toMatchObject(
    refused('upstream_failed', /is rate limiting requests until .* UTC\./),
  );
  // No request is sent to the host before that time.
  await expect(snippet(id)).rejects.toMatchObject(
    refused('upstream_failed', /is rate limiting requests until .* UTC\./),
  );
});

test('returns no code of a repository without access', async () => {
  const id = await importFinding({});
  const notFound = { body: { code: 'not_found', message: 'Vulnerability not found.' } };
  await expect(snippet(id, other.owner, other.id)).rejects.toMatchObject(notFound);
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  await expect(snippet(id, contributor)).rejects.toMatchObject(notFound);
});

test.each([
  [1, null, 1, 6],
  [39, 50, 34, 7],
  [3, 500, 1, 40],
  [99, null, 35, 6],
])('snippet of lines %s to %s of forty begins at %s with %s lines', (line, endLine, from, length) => {
  const cut = snippetAround(file, { line, endLine, packageName: null });
  expect([cut.from, cut.lines.length]).toEqual([from, length]);
});

test('masks long words next to a secret', () => {
  const lines = ['token=0123456789abcdef0 # note', 'short = "abc"', 'long = "four letters"'];
  expect(maskSecrets({ from: 1, lines }, [], true).lines).toEqual([
    ...['•••••••• # note', 'short = "abc"', 'long = ••••••••'],
  ]);
});
