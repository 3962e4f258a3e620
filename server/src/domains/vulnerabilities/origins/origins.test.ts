import { getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { bob, createStory, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { declaredAgentOf } from '#core/agents.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import type { ScannerResult } from '#providers/scanner.ts';
import { createScanResult } from '#testing/findings.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { queueImport } from '../../sources/imports/commands.ts';
import { webhookHelpers } from '../../sources/webhooks/deliveries.fixture.ts';
import { importResults } from '../findings/intake.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;
let head: string;
const shas: Record<string, string> = {};

beforeAll(async () => {
  story = await createStory();
  shas.first = await story.commit('First', { 'src/app.ts': 'one\ntwo\nthree\n' });
  shas.second = await story.commit(
    'Second\n\nCo-authored-by: Claude <noreply@anthropic.com>',
    { 'src/app.ts': 'one\nTWO\nthree\n' },
    zoe,
  );
  story.git(['checkout', '--quiet', '-b', 'feature/pulled']);
  shas.pulled = await story.commit('Pulled', { 'src/pulled.ts': 'one\n' }, bob);
  story.git(['checkout', '--quiet', 'main']);
  story.merge('feature/pulled', 'Merge pull request #31 from sandbox/feature/pulled\n\nPulled');
  story.git(['branch', '--quiet', '-D', 'feature/pulled']);
  head = story.git(['rev-parse', 'HEAD']);
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  acme = await server.make.organization();
  repositoryId = await enableOnly(acme, sandbox);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, enableOnly } = webhookHelpers(() => server);

// Without CWEs that another result could share.
const plain = createScanResult({ cwes: [], path: 'src/app.ts', line: 2 });

/** Imports a finding of a scanner with this name and waits for the search of its origin. */
const importFinding = async (name: string, result: Partial<ScannerResult>, commit: string | null = head) => {
  const tool = { key: name.toLowerCase(), name, version: null };
  const analysis = {
    repositoryId,
    source: 'sarif',
    tool,
    category: '',
    ref: 'refs/heads/main',
    complete: true,
  } as const;
  await importResults(server.services, acme.id, {
    actor: { integration: 'test' },
    analysis: { ...analysis, commit, nativeId: null },
    results: [{ ...plain, ...result, ruleId: name }],
  });
  return awaitSearch(name);
};
const awaitSearch = (name: string) =>
  vi.waitFor(
    async () => {
      const { id, origin_sought_at } = await inOrg(acme.id, ({ db }) =>
        db
          .selectFrom('finding')
          .where('data_source', '=', name.toLowerCase())
          .select(['id', 'origin_sought_at'])
          .executeTakeFirstOrThrow(),
      );
      expect(origin_sought_at).not.toBeNull();
      return server.as(acme.owner, acme.id)(getFinding, { params: { findingId: id } });
    },
    { timeout: 20_000, interval: 100 },
  );

test('returns the commit, author, pull request and AI agent from blame', { tags: 'full' }, async () => {
  const finding = await importFinding('Blamed', {});
  expect(finding.introducedBy).toMatchObject({
    commit: shas.second,
    pullRequest: null,
    agent: 'Claude',
    confidence: 'observed',
    actor: { login: 'zoe-a' },
    reason: expect.stringMatching(/^According to git blame, .* that changed line 2 of src\/app.ts/) as string,
  });
  expect(finding.history).toContainEqual(
    expect.objectContaining({
      kind: 'introduced',
      phrase: `wrote the code in ${shas.second?.slice(0, 7)}, with Claude`,
    }),
  );
  expect((await importFinding('Pulled', { path: 'src/pulled.ts', line: 1 })).introducedBy).toMatchObject({
    commit: shas.pulled,
    pullRequest: 31,
    agent: null,
    actor: { name: 'Bob' },
  });
});

test('attributes a finding on several lines to the most recent commit', { tags: 'full' }, async () => {
  expect((await importFinding('Several', { line: 1, endLine: 3 })).introducedBy?.commit).toBe(shas.second);
  expect((await importFinding('One', { line: 1, endLine: 1 })).introducedBy?.commit).toBe(shas.first);
});

test('returns no origin without a line, for an unknown line, or with incomplete history', {
  tags: 'full',
}, async () => {
  expect((await importFinding('Lineless', { line: null })).introducedBy).toBeNull();
  expect((await importFinding('Beyond', { line: 99 })).introducedBy).toBeNull();
  expect((await importFinding('Commitless', {}, null)).introducedBy).toBeNull();
});

test('infers the origin from the last prior change once the history is complete, labeled inferred', {
  tags: 'full',
}, async () => {
  await inOrg(acme.id, (tx) => queueImport(server.services, tx, acme.id, repositoryId));
  const finding = await vi.waitFor(
    async () => {
      const now = await awaitSearch('Commitless');
      expect(now.introducedBy).not.toBeNull();
      return now;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect(finding.introducedBy).toMatchObject({
    commit: shas.second,
    confidence: 'inferred',
    agent: 'Claude',
    reason: expect.stringContaining('is the last commit known to have changed src/app.ts before Commitless') as string,
  });
  expect(finding.history.find(({ kind }) => kind === 'introduced')?.phrase).toMatch(/^made the last known change/);
  // Without a line, only the file is known, and the reason states that.
  expect((await awaitSearch('Lineless')).introducedBy).toMatchObject({
    commit: shas.second,
    confidence: 'inferred',
    reason: expect.stringContaining('reports no line, so the commit is only a guess') as string,
  });
  // First reported before any known change of the file, so that no origin is inferred.
  const early = await importFinding('Early', { discoveredAt: '2001-01-01T00:00:00Z' }, null);
  expect(early.introducedBy).toBeNull();
});

test('limits blame requests to the code host and infers the remaining origins', { tags: 'full' }, async () => {
  const blamedPaths: string[] = [];
  const github = await server.services.githubApps.find();
  const blame = github?.blame;
  if (!github || !blame) throw new Error('no GitHub');
  github.blame = (ref, commit, paths) => {
    blamedPaths.push(...paths);
    return blame(ref, commit, paths);
  };
  const results = Array.from({ length: 60 }, (_, index) => ({
    ...plain,
    ruleId: 'many',
    path: `src/many-${index}.ts`,
    line: 1,
    severity: index < 30 ? ('low' as const) : plain.severity,
  }));
  const tool = { key: 'many', name: 'Many', version: null };
  const analysis = {
    repositoryId,
    source: 'sarif',
    tool,
    category: '',
    ref: 'refs/heads/main',
    complete: true,
  } as const;
  const fullAnalysis = { ...analysis, commit: head, nativeId: null };
  await importResults(server.services, acme.id, { actor: { integration: 'test' }, analysis: fullAnalysis, results });
  await awaitSearch('Many');
  github.blame = blame;
  expect(new Set(blamedPaths).size).toBe(40);
  const mostSevere = new Set(Array.from({ length: 30 }, (_, index) => `src/many-${index + 30}.ts`));
  expect(blamedPaths.slice(0, 30).every((path) => mostSevere.has(path))).toBe(true);
});

test.each([
  ['dependabot[bot]', 'Bump', 'dependabot'],
  [null, 'Fix\n\nCo-Authored-By: Claude Opus 4 <noreply@anthropic.com>', 'Claude'],
  ['ada', 'Fix\n\nCo-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>', 'Copilot'],
  ['ada', 'Fix\n\nGenerated-by: Frobnicator 3', 'Frobnicator 3'],
  ['ada', 'Fix\n\nCo-authored-by: Claudia Cursorio <claudia@example.org>', null],
  ['ada', 'We discussed Claude here', null],
])('author %s with message %j is attributed to agent %s', (login, message, agent) => {
  expect(declaredAgentOf(login, message)).toBe(agent);
});
