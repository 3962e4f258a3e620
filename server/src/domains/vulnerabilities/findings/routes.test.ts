import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import {
  getFinding,
  getFindingNeighbors,
  getFindingStats,
  listFindingFilter,
  listFindings,
  markFindingRead,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { dismissFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
let call: ReturnType<TestServer['as']>;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization('acme');
  call = server.as(org.owner, org.id);
});
afterAll(() => server.close());

const commit = (letter: string) => letter.repeat(40);
const listed = async () => (await call(listFindings, {})).rows;

test('returns no findings and no change before the first scan', async () => {
  expect(await call(listFindings, {})).toEqual({ rows: [], total: 0 });
  expect(await call(getFindingStats, {})).toEqual({
    total: 0,
    repositories: 0,
    countBySeverity: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
    changeSinceLastScan: null,
    lastScanAt: null,
    trend: [],
  });
  expect(await call(listFindingFilter, { params: { name: 'repositories' } })).toEqual([]);
  expect(await call(listFindingFilter, { params: { name: 'dataSources' } })).toEqual([]);
});

test('sums the changes of the latest scan of each repository by each scanner', async () => {
  const [one, other] = [await createTestScanner(server, org), await createTestScanner(server, org)];
  const four = ['a', 'b', 'c', 'd'].map((name) => createScanResult({ ruleId: name, severity: 'critical' }));
  await one.send(four);
  await one.send([...four.slice(0, 1), createScanResult({ ruleId: 'e', severity: 'low' })]);
  await other.send(four.slice(0, 2));
  const stats = await call(getFindingStats, {});
  expect(stats).toMatchObject({
    total: 4,
    repositories: 2,
    countBySeverity: { critical: 3, high: 0, medium: 0, low: 1, info: 0 },
    // A first scan reports no changes.
    changeSinceLastScan: { added: 1, fixed: 3, net: -2 },
  });
  expect(stats.trend).toEqual([{ day: new Date().toISOString().slice(0, 10), open: 4 }]);
  const ofOne = await call(getFindingStats, { query: { repository: [one.repositoryId] } });
  expect(ofOne.changeSinceLastScan).toEqual({ added: 1, fixed: 3, net: -2 });
  const ofOther = await call(getFindingStats, { query: { repository: [other.repositoryId] } });
  expect(ofOther).toMatchObject({ total: 2, changeSinceLastScan: null, lastScanAt: expect.any(String) });
  const ofUnknownScanner = await call(getFindingStats, { query: { dataSource: ['trivy'] } });
  expect(ofUnknownScanner).toMatchObject({ total: 0, changeSinceLastScan: null });
});

test('sums all parts of a scanner that sends its results in parts', async () => {
  const { send } = await createTestScanner(server, org);
  const [kept, fixed, packaged] = ['a', 'b', 'c'].map((ruleId) => createScanResult({ ruleId, path: `${ruleId}.ts` }));
  if (!kept || !fixed || !packaged) throw new Error('three results');
  for (const results of [
    [kept, fixed],
    [kept, createScanResult({ ruleId: 'd', path: 'd.ts' })],
  ]) {
    await send(results, { category: 'sast' });
    await send([packaged], { category: 'sca' });
  }
  expect((await call(getFindingStats, {})).changeSinceLastScan).toEqual({ added: 1, fixed: 1, net: 0 });
});

test('excludes suppressed findings from the change of open ones', async () => {
  const { send } = await createTestScanner(server, org);
  const [one, two, three] = ['a', 'b', 'c'].map((name) => ({ ruleId: name, path: `${name}.ts` }));
  const suppressed = { state: 'suppressed', suppressed: { reason: 'nosec', comment: '' } } as const;
  await send([createScanResult(one), createScanResult(two), createScanResult({ ...three, ...suppressed })]);
  const first = { total: 2, changeSinceLastScan: null };
  expect(await call(getFindingStats, {})).toMatchObject(first);
  await send([createScanResult({ ...one, ...suppressed }), createScanResult(two)]);
  const second = { total: 1, changeSinceLastScan: { added: 0, fixed: 1, net: -1 } };
  expect(await call(getFindingStats, {})).toMatchObject(second);
});

test('returns all details of a finding', async () => {
  const { send } = await createTestScanner(server, org);
  const result = createScanResult({
    ruleId: 'js/sql-injection',
    ruleName: 'SqlInjection',
    description: 'Do **not** do this.',
    snippet: 'db.query(input)',
    line: 48,
    endLine: 50,
    path: 'src/a b.ts',
    codes: [{ kind: 'cwe', id: 'CWE-89', url: 'https://cwe.mitre.org/data/definitions/89.html' }],
    flow: [{ filePath: 'src/in.ts', line: 3, endLine: null, message: 'comes in' }],
    references: [{ title: 'More', url: 'https://rules.example/1' }],
    compliances: [{ framework: 'PCI DSS', control: '6.2.4' }],
    scannerReference: { url: 'https://scanner.example/1', number: '1' },
  });
  await send([result], { commit: commit('a') });
  const [row] = await listed();
  const finding = await call(getFinding, { params: { findingId: row?.id ?? '' } });
  expect(finding).toMatchObject({
    ...row,
    title: expect.stringMatching(/\w/) as string,
    severity: 'high',
    category: 'sast',
    discoverDate: expect.any(String) as string,
    repository: { owner: 'acme' },
    ref: { ref: 'refs/heads/main' },
    coordinate: { filePath: 'src/a b.ts', line: 48, endLine: 50 },
    codes: [{ kind: 'cwe', id: 'CWE-89', url: 'https://cwe.mitre.org/data/definitions/89.html' }],
    description: 'Do **not** do this.',
    message: 'This query depends on input.',
    snippet: 'db.query(input)',
    flow: result.flow,
    package: null,
    references: result.references,
    commit: commit('a'),
    codeUrl: expect.stringMatching(/^https:\/\/code\.example\/acme\/.+\/blob\/a{40}\/src\/a%20b\.ts#L48-L50$/),
    dismissal: null,
    waivers: [],
    allowed: { dismiss: true, reopen: false, requestWaiver: true, merge: true, split: false },
    sources: [
      {
        tool: { id: 'codeql', name: 'CodeQL' },
        ruleId: 'js/sql-injection',
        ruleName: 'SqlInjection',
        reason: 'first',
        instances: [
          {
            ref: 'refs/heads/main',
            state: 'open',
            filePath: 'src/a b.ts',
            line: 48,
            commit: commit('a'),
            fixedAt: null,
            url: 'https://scanner.example/1',
          },
        ],
      },
    ],
  });
  expect(finding.compliances).toContainEqual(
    expect.objectContaining({ framework: expect.stringContaining('OWASP'), from: 'cwe' }),
  );
  expect(finding.compliances).toContainEqual(expect.objectContaining({ control: '6.2.4', from: 'scanner' }));
  expect(finding.history).toMatchObject([
    { kind: 'found', phrase: 'found it on main at aaaaaaa', actor: { kind: 'scanner', id: 'codeql', name: 'CodeQL' } },
  ]);
});

test('lists fixes and reopenings on each ref in the history, and decisions', async () => {
  const { send } = await createTestScanner(server, org);
  const result = createScanResult();
  await send([result], { commit: commit('a') });
  await send([], { commit: commit('b') });
  await send([result], { commit: commit('c') });
  await send([result], { commit: commit('d'), ref: 'refs/pull/7/merge' });
  const [row] = await listed();
  const findingId = row?.id ?? '';
  await call(dismissFindings, { body: { ids: [findingId], reason: 'used_in_tests', comment: 'a test' } });
  const finding = await call(getFinding, { params: { findingId } });
  expect(finding.history.map(({ kind, phrase, actor }) => [kind, actor.name, phrase])).toEqual([
    ['dismissed', org.owner.name, 'dismissed it: Used in tests only'],
    ['found', 'CodeQL', 'found it on pull request #7 at ddddddd'],
    ['reopened', 'CodeQL', 'found it again on main at ccccccc'],
    ['fixed', 'CodeQL', 'no longer found it on main at bbbbbbb'],
    ['found', 'CodeQL', 'found it on main at aaaaaaa'],
  ]);
  expect(finding).toMatchObject({
    status: 'dismissed',
    dismissal: { reason: 'Used in tests only', comment: 'a test' },
  });
});

test('records a renamed file and keeps the history of the finding', async () => {
  const { send } = await createTestScanner(server, org);
  await send([createScanResult({ content: 'same', path: 'src/old.ts' })], { commit: commit('a') });
  await send([], { commit: commit('b') });
  await send([createScanResult({ content: 'same', path: 'src/old.ts' })], { commit: commit('c') });
  await send([createScanResult({ content: 'same', path: 'src/new.ts' })], { commit: commit('d') });
  const [row, ...others] = await listed();
  expect([row?.coordinate?.filePath, others]).toEqual(['src/new.ts', []]);
  const { history } = await call(getFinding, { params: { findingId: row?.id ?? '' } });
  expect(history.map(({ kind }) => kind).toSorted()).toEqual(['fixed', 'found', 'moved', 'reopened']);
});

test('shows a requested waiver in the list', async () => {
  const { send } = await createTestScanner(server, org);
  await send([createScanResult()]);
  const [row] = await listed();
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await call(requestFindingWaivers, { body: { ids: [row?.id ?? ''], until, reason: 'for a while' } });
  expect((await listed())[0]?.exception).toMatchObject({
    state: 'requested',
    reason: 'for a while',
    requestedBy: { id: org.owner.id },
  });
});

describe('a finding is unread', () => {
  test('until the calling member marks it, for that member only, and again on request', async () => {
    const { send } = await createTestScanner(server, org);
    await send([createScanResult()]);
    const [row] = await listed();
    const params = { findingId: row?.id ?? '' };
    expect(row?.unread).toBe(true);
    await call(getFinding, { params });
    expect((await listed())[0]?.unread).toBe(true);
    for (const _ of [1, 2]) await call(markFindingRead, { params, body: { read: true } });
    expect((await listed())[0]?.unread).toBe(false);
    const reviewer = server.as(await server.make.member(org.id, 'rol_reviewer'), org.id);
    expect((await reviewer(listFindings, {})).rows[0]?.unread).toBe(true);
    for (const _ of [1, 2]) await call(markFindingRead, { params, body: { read: false } });
    expect((await listed())[0]?.unread).toBe(true);
  });
});

describe('does not return', () => {
  const refusals = (callAs: typeof call, findingId: string) =>
    Promise.all(
      [
        callAs(getFinding, { params: { findingId } }),
        callAs(getFindingNeighbors, { params: { findingId } }),
        callAs(markFindingRead, { params: { findingId }, body: { read: true } }),
      ].map(refusalOf),
    );
  const notFound = Array(3).fill({ status: 404, code: 'not_found' });

  test('findings of another organization, or unknown ones', async () => {
    const other = await server.make.organization('other');
    const { send, repositoryId } = await createTestScanner(server, other);
    await send([createScanResult()]);
    const theirs = server.as(other.owner, other.id);
    const [row] = (await theirs(listFindings, {})).rows;
    expect(await refusals(call, row?.id ?? '')).toEqual(notFound);
    expect(await refusals(call, newId())).toEqual(notFound);
    expect(await call(listFindings, { query: { repository: [repositoryId] } })).toEqual({ rows: [], total: 0 });
    expect((await call(getFindingStats, { query: { repository: [repositoryId] } })).lastScanAt).toBeNull();
  });

  test('findings outside the repositories of a contributor', async () => {
    const [mine, foreign] = [await createTestScanner(server, org), await createTestScanner(server, org)];
    await mine.send([createScanResult({ title: 'Mine' })]);
    await foreign.send([createScanResult({ title: 'Foreign' }), createScanResult({ title: 'Foreign too', line: 90 })]);
    const ada = await server.make.member(org.id, 'rol_contributor');
    await commitAs(ada.id, mine.repositoryId);
    const callAsAda = server.as(ada, org.id);
    const all = await listed();
    const titles = async (query: object) => (await callAsAda(listFindings, { query })).rows.map(({ title }) => title);
    expect(await titles({})).toEqual(['Mine']);
    expect(await titles({ sort: 'name-desc' })).toEqual(['Mine']);
    expect(await titles({ search: 'foreign' })).toEqual([]);
    expect(await titles({ repository: [foreign.repositoryId] })).toEqual([]);
    expect(await titles({ repository: [foreign.repositoryId, mine.repositoryId] })).toEqual(['Mine']);
    expect(await callAsAda(getFindingStats, {})).toMatchObject({
      total: 1,
      repositories: 1,
      changeSinceLastScan: null,
      trend: [{ open: 1 }],
    });
    expect(await callAsAda(listFindingFilter, { params: { name: 'repositories' } })).toHaveLength(1);
    expect(await callAsAda(listFindingFilter, { params: { name: 'severities' } })).toContainEqual({
      value: 'high',
      label: 'High',
      count: 1,
    });
    const hidden = all.find(({ title }) => title === 'Foreign');
    expect(await refusals(callAsAda, hidden?.id ?? '')).toEqual(notFound);
  });

  test('findings of a disabled repository, until it is enabled again', async () => {
    const { send, repositoryId } = await createTestScanner(server, org);
    await send([createScanResult()]);
    const [row] = await listed();
    const choose = (tracked: boolean) =>
      call(enableRepositories, { body: { providerRepos: { github: { acme: [{ id: repositoryId, tracked }] } } } });
    await choose(false);
    expect(await call(listFindings, {})).toEqual({ rows: [], total: 0 });
    expect(await call(getFindingStats, {})).toMatchObject({ total: 0, repositories: 0, lastScanAt: null });
    expect(await call(listFindings, { query: { repository: [repositoryId] } })).toEqual({ rows: [], total: 0 });
    expect(await refusals(call, row?.id ?? '')).toEqual(notFound);
    await choose(true);
    expect(await listed()).toHaveLength(1);
  });

  const commitAs = (accountId: string, repository: string) =>
    server.services.database.withOrg(org.id, async ({ db }) => {
      const { person_id } = await db
        .selectFrom('identity')
        .select('person_id')
        .where('org_id', '=', org.id)
        .where('kind', '=', 'account')
        .where('value', '=', accountId)
        .executeTakeFirstOrThrow();
      const who = { org_id: org.id, repository_id: repository, person_id, name: 'Ada', email: 'a@b.example' };
      await db
        .insertInto('contributor')
        .values({ ...who, commits: 1, last_commit: new Date() })
        .execute();
    });
});

test.each([
  'severity=worst',
  'category=code',
  'status=closed',
  'repository=acme',
  'page=0',
  'perPage=101',
  'sort=severity',
  'scanner=codeql',
  `search=${'a'.repeat(201)}`,
])('rejects %.40s', async (query) => {
  const token = await server.token(org.owner, org.id);
  const answer = await server.app.inject({
    url: `/api/v2/vulnerabilities?${query}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed']);
});
