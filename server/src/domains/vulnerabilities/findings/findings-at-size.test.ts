import { listLedgerEntries } from '@sightline/contract/ledger/ledger.ts';
import { editFindings } from '@sightline/contract/vulnerabilities/finding-edits.ts';
import { type Finding, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { dismissFindings, mergeFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { decideWaiver, requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import { signLedger } from '#testing/ledger.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let org: TestOrganization;
let scanner: Awaited<ReturnType<typeof createTestScanner>>;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization();
  scanner = await createTestScanner(server, org);
});
afterAll(() => server.close());

const owner = () => server.as(org.owner, org.id);
const sign = () => signLedger(server, org);
const all = ['open', 'dismissed', 'exception', 'fixed'] as const;
const listAt = async (size: number, query: object = {}): Promise<Finding[]> =>
  (await owner()(listFindings, { query: { status: [...all], sort: 'name-asc', ...query, ledgerSize: `${size}` } }))
    .rows;
const one = (over: object = {}) => createScanResult({ ruleId: 'one', title: 'First', path: 'a.ts', line: 1, ...over });
const two = (over: object = {}) => createScanResult({ ruleId: 'two', title: 'Second', path: 'b.ts', line: 9, ...over });
const statusesOf = (rows: readonly Finding[]) => rows.map(({ title, severity, status }) => [title, severity, status]);
const idOf = (rows: readonly Finding[], name: string) => rows.find(({ title }) => title === name)?.id ?? '';

test('lists status, severity and location as scans had recorded them at each size', async () => {
  await scanner.send([one()]);
  const first = await sign();
  await scanner.send([one({ severity: 'low', line: 4 }), two()]);
  const second = await sign();
  await scanner.send([two()]);
  const third = await sign();
  expect(statusesOf(await listAt(first))).toEqual([['First', 'high', 'open']]);
  expect((await listAt(first))[0]?.coordinate).toEqual({ filePath: 'a.ts', line: 1, endLine: null });
  expect(statusesOf(await listAt(second))).toEqual([
    ['First', 'low', 'open'],
    ['Second', 'high', 'open'],
  ]);
  expect((await listAt(second))[0]?.coordinate?.line).toBe(4);
  expect(statusesOf(await listAt(third))).toEqual([
    ['First', 'low', 'fixed'],
    ['Second', 'high', 'open'],
  ]);
});

test('exports the findings at a size as CSV, and no format that needs unrecorded data', async () => {
  await scanner.send([one()]);
  const first = await sign();
  await scanner.send([two()]);
  await sign();
  const exportAt = async (format: string) =>
    fetch(`${server.url}/api/v2/vulnerabilities/export?ledgerSize=${first}&format=${format}`, {
      headers: { authorization: `Bearer ${await server.token(org.owner, org.id)}` },
    });
  const answer = await exportAt('csv');
  const lines = (await answer.text()).trim().split('\r\n');
  expect(lines).toEqual([
    expect.stringContaining('ledger entry'),
    expect.stringMatching(/^"high","First","open".*"a\.ts","1",/),
  ]);
  expect((await exportAt('sarif')).status).toBe(400);
});

test('lists decisions, waivers, edits and merges at each size', async () => {
  await scanner.send([one(), two()]);
  const scanned = await sign();
  const rows = await listAt(scanned);
  const [first, second] = [idOf(rows, 'First'), idOf(rows, 'Second')];
  await owner()(editFindings, {
    body: { findings: { ids: [first] }, edit: { assigneeId: org.owner.id, addLabels: ['audit'] } },
  });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await owner()(requestFindingWaivers, { body: { ids: [first], reason: 'Behind the proxy.', until } });
  await owner()(dismissFindings, { body: { ids: [second], reason: 'mitigated', comment: '' } });
  const requested = await sign();
  const waiver = (await listAt(requested))[0]?.exception;
  const approver = await server.make.member(org.id, 'rol_reviewer');
  await server.as(approver, org.id)(decideWaiver, { params: { waiverId: waiver?.id ?? '' }, body: { approve: true } });
  const approved = await sign();
  await owner()(mergeFindings, { params: { findingId: first }, body: { ids: [second] } });
  const merged = await sign();

  expect(await listAt(scanned)).toMatchObject([
    { status: 'open', assignee: null, labels: [], exception: null },
    { status: 'open' },
  ]);
  expect(await listAt(requested)).toMatchObject([
    {
      status: 'open',
      assignee: { id: org.owner.id },
      labels: ['audit'],
      exception: { state: 'requested', decidedBy: null },
    },
    { status: 'dismissed' },
  ]);
  expect((await listAt(approved))[0]).toMatchObject({
    status: 'exception',
    exception: { state: 'approved', decidedBy: { name: approver.name } },
  });
  expect((await listAt(approved)).map(({ id }) => id)).toEqual([first, second]);
  expect((await listAt(merged)).map(({ id }) => id)).toEqual([first]);
  expect((await listAt(requested, { assignee: ['me'], label: ['audit'] })).map(({ id }) => id)).toEqual([first]);
  expect(await listAt(scanned, { assignee: ['me'] })).toEqual([]);
});

test('names the ledger entry of a row, which counts and hashes the states of its transaction', async () => {
  await scanner.send([one(), two()]);
  const size = await sign();
  const rows = await listAt(size);
  expect(rows.map(({ recorded }) => recorded?.missing)).toEqual([['introducedBy'], ['introducedBy']]);
  const from = rows[0]?.recorded?.entry?.index ?? -1;
  const [entry] = await owner()(listLedgerEntries, { query: { from, to: from + 1 } });
  expect([rows[1]?.recorded?.entry?.index, entry?.kind]).toEqual([from, 'findings.changed']);
  const [hashed] = await server.services.database.withOrg(org.id, (tx) =>
    tx.query<{ sha256: string }>({
      name: '',
      text: `select encode(sha256(convert_to(string_agg(finding_state_content(s), chr(10) order by s.finding_id::text), 'UTF8')), 'hex')
               as sha256 from finding_state s where s.org_id = $1 and s.entry_id = $2`,
      values: [org.id, entry?.id],
    }),
  );
  expect(JSON.parse(entry?.entry ?? '{}')).toMatchObject({ subject: { findings: 2, sha256: hashed?.sha256 } });
});

test('hashes the text of a state as JSON of PostgreSQL', async () => {
  const row = {
    finding_id: newId(),
    repository_id: newId(),
    title_id: newId(),
    fingerprint: newId(),
    status: null,
    severity: 2,
    category: 'sast',
    tools: ['a "b"', 'ü'],
    data_source: 'a\\b',
    ref: 'refs/heads/"main"\n',
    codes: [{ id: '20', kind: 'cwe' }],
    discovered_at: '2026-01-02T03:04:05.678901+02:00',
    labels: [],
  };
  const filled = {
    ...row,
    status: 'open',
    path: 'src/\t"ä\u2028.ts',
    line: 1,
    end_line: 2,
    fixed_at: '2026-12-31T23:59:59Z',
    component: 'pack"age',
    assignee_id: newId(),
    labels: ['next release', '\\'],
    waiver_id: newId(),
    waiver_state: 'approved',
    ticket_url: 'https://tracker.example/1',
  };
  const rows = await server.services.database.withOrg(org.id, (tx) =>
    tx.query<{ content: string; json: string }>({
      name: '',
      text: `select finding_state_content(s) as content, (to_jsonb(s) - '{org_id,number,entry_id,ticket_url}'::text[] || jsonb_build_object(
               'discovered_at', to_char(s.discovered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
               'fixed_at', to_char(s.fixed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))::text as json
             from jsonb_populate_recordset(null::finding_state, $1::jsonb) s`,
      values: [JSON.stringify([row, filled])],
    }),
  );
  expect(rows).toHaveLength(2);
  for (const { content, json } of rows) expect(content).toBe(json);
});

test('adds no state and no entry for a scan that changes nothing', async () => {
  await scanner.send([one()]);
  const states = () =>
    server.services.database.withOrg(org.id, (tx) =>
      tx.query<{ count: number }>({
        name: '',
        text: 'select count(*)::int as count from finding_state where org_id = $1',
        values: [org.id],
      }),
    );
  expect(await states()).toEqual([{ count: 1 }]);
  await scanner.send([one()]);
  expect(await states()).toEqual([{ count: 1 }]);
});

test('filters, sorts and pages recorded findings in the repositories of the reader', async () => {
  const other = await createTestScanner(server, org, await createTestRepository(server, org));
  await scanner.send([one({ severity: 'critical' }), two({ category: 'secret' })]);
  await other.send([one({ title: 'Third', severity: 'low' })]);
  const size = await sign();
  const titles = async (query: object) => (await listAt(size, query)).map(({ title }) => title);
  expect(await titles({ severity: ['critical', 'low'] })).toEqual(['First', 'Third']);
  expect(await titles({ category: ['secret'] })).toEqual(['Second']);
  expect(await titles({ repository: [other.repositoryId] })).toEqual(['Third']);
  expect(await titles({ search: 'sec' })).toEqual(['Second']);
  expect(await titles({ dataSource: ['semgrep'] })).toEqual([]);
  expect(await titles({ sort: 'severity-desc' })).toEqual(['First', 'Second', 'Third']);
  expect(await titles({ sort: 'severity-asc', perPage: 1, page: 2 })).toEqual(['Second']);
  expect(await titles({ overdue: 'true' })).toEqual([]);
  await expect(listAt(size, { introducedBy: 'me' })).rejects.toMatchObject({
    status: 400,
    body: { message: 'introducedBy cannot be combined with ledgerSize, because the ledger does not record it.' },
  });
  const contributor = await server.make.member(org.id, 'rol_contributor');
  const seen = await server.as(contributor, org.id)(listFindings, { query: { ledgerSize: `${size}` } });
  expect(seen.total).toBe(0);
});
