import { queryEvents } from '@sightline/contract/timeline/events.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Invalid } from '#core/errors.ts';
import { fullSummary } from '#core/event-text.ts';
import { factId, newId } from '#core/ids.ts';
import type { ScannerResult } from '#providers/scanner.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { addResults, beginScan, failScan, finishScan } from './intake.ts';
import { endInterrupted } from './jobs.ts';
import { lockFindingsOf, recomputeFindings } from './status.ts';

let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
});
afterAll(() => server.close());

const none = { new: 0, unchanged: 0, fixed: 0, reopened: 0, rejected: 0 };
const ten = Array.from({ length: 10 }, (_, index) =>
  createScanResult({
    ruleId: `rule-${index % 3}`,
    path: `src/file-${index}.ts`,
    line: 10 + index,
    content: `hash ${index}`,
  }),
);

const semgrep = { key: 'semgrep', name: 'Semgrep', version: '1.0' };
const feature = { ref: 'refs/heads/feature' };

/** Sets a decision directly, without the triage endpoints. */
const decide = (findingId: string, decided: 'open' | 'dismissed' | 'exception') =>
  server.services.database.withOrg(org.id, async (tx) => {
    await lockFindingsOf(tx, org.id, [findingId]);
    await tx.db
      .updateTable('finding')
      .set({ decided })
      .where('org_id', '=', org.id)
      .where('id', '=', findingId)
      .execute();
    await recomputeFindings(tx, org.id, [findingId]);
  });

describe('one analysis', () => {
  test('changes nothing for the same results, fixes missing ones and reopens returning ones', async () => {
    const { send, findings, recounted } = await createTestScanner(server, org);
    expect((await send(ten)).counts).toEqual({ ...none, new: 10 });
    const first = await findings();
    expect(first.map(({ status }) => status)).toEqual(Array(10).fill('open'));
    expect((await send(ten.toReversed())).counts).toEqual({ ...none, unchanged: 10 });
    expect(await findings()).toEqual(first);
    expect((await send(ten.slice(0, 5))).counts).toEqual({ ...none, unchanged: 5, fixed: 5 });
    expect((await findings()).map(({ status }) => status)).toEqual([
      ...Array(5).fill('open'),
      ...Array(5).fill('fixed'),
    ]);
    expect((await send(ten)).counts).toEqual({ ...none, unchanged: 5, reopened: 5 });
    expect(await findings()).toEqual(first);
    const { kept, counted } = await recounted();
    expect(kept).toEqual(counted);
  });

  test('does not rewrite unchanged results', async () => {
    const { send, rowVersions } = await createTestScanner(server, org);
    await send(ten);
    const before = await rowVersions();
    await send(ten);
    await send(ten, { tool: { key: 'codeql', name: 'CodeQL', version: '3.0.0' } });
    expect(await rowVersions()).toEqual(before);
  });

  test('fixes nothing for partial results, unless the scanner reports a fix', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send(ten);
    const partial = { complete: false };
    expect((await send(ten.slice(0, 2), partial)).counts).toEqual({ ...none, unchanged: 2 });
    const fixed = ten.slice(0, 1).map((result) => ({ ...result, state: 'fixed' as const }));
    expect((await send(fixed, partial)).counts).toEqual({ ...none, fixed: 1 });
    expect((await send(fixed, partial)).counts).toEqual(none);
    expect((await findings()).map(({ status }) => status)).toEqual(['fixed', ...Array(9).fill('open')]);
    expect((await send(ten.slice(0, 1), partial)).counts).toEqual({ ...none, reopened: 1 });
    expect((await send([])).counts).toEqual({ ...none, fixed: 10 });
  });

  test('moves findings with their lines and updates changed fields', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send(ten);
    const before = await findings();
    const later = ten.map((result) => ({
      ...result,
      line: (result.line ?? 0) + 7,
      severity: 'low' as const,
      title: 'Renamed',
    }));
    expect((await send(later)).counts).toEqual({ ...none, unchanged: 10 });
    const after = await findings();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[0]).toMatchObject({ line: 17, severity: 3, title: 'Renamed' });
  });

  test('keeps the number of equal results and the decision on each', async () => {
    const { send, findings } = await createTestScanner(server, org);
    const at = (...lines: number[]) => lines.map((line) => createScanResult({ content: 'same', line }));
    expect((await send(at(10, 50, 90))).counts).toEqual({ ...none, new: 3 });
    const [, second] = await findings();
    await decide(second?.id ?? '', 'dismissed');
    // The first one is fixed: by number alone, the dismissal would move to the third.
    expect((await send(at(45, 85))).counts).toEqual({ ...none, unchanged: 2, fixed: 1 });
    expect((await findings()).map(({ line, status }) => [line, status])).toEqual([
      [10, 'fixed'],
      [45, 'dismissed'],
      [85, 'open'],
    ]);
    expect((await send(at(10, 45, 85, 99))).counts).toEqual({ ...none, unchanged: 2, reopened: 1, new: 1 });
    expect((await send(at(10, 45, 85, 99), feature)).counts).toEqual({ ...none, unchanged: 4 });
  });

  test('keeps a decision on the equal result when results have no lines', async () => {
    const { send, findings } = await createTestScanner(server, org);
    const of = (...all: ScannerResult['severity'][]) =>
      all.map((severity) => createScanResult({ line: null, severity }));
    const four = ['critical', 'high', 'medium', 'low'] as const;
    expect((await send(of(...four))).counts).toEqual({ ...none, new: 4 });
    const [first, second] = await findings();
    await decide(first?.id ?? '', 'dismissed');
    await decide(second?.id ?? '', 'dismissed');
    const dismissed = async () =>
      (await findings()).filter(({ status }) => status === 'dismissed').map(({ severity }) => four[severity] ?? 'info');
    const [one = 'info', other = 'info'] = await dismissed();
    const [open = 'info'] = four.filter((severity) => severity !== one && severity !== other);
    // A dismissed result and an open one are no longer reported.
    expect((await send(of(open, other))).counts).toEqual({ ...none, unchanged: 2, fixed: 2 });
    expect(await dismissed()).toContain(other);
    expect(await dismissed()).not.toContain(open);
    expect((await send(of(...four.toReversed()))).counts).toEqual({ ...none, unchanged: 2, reopened: 2 });
    expect((await dismissed()).sort()).toEqual([one, other].sort());
  });

  test('dismisses results suppressed by the scanner, unless a person decided that they count', async () => {
    const { send, findings } = await createTestScanner(server, org);
    const suppressed = ten.map((result) => ({
      ...result,
      state: 'suppressed' as const,
      suppressed: { reason: 'inSource', comment: 'checked' },
    }));
    await send(ten, feature);
    await send(suppressed);
    expect(new Set((await findings()).map(({ status }) => status))).toEqual(new Set(['open']));
    expect((await send(suppressed, feature)).counts).toEqual({ ...none, unchanged: 10 });
    const [one] = await findings();
    expect(one?.status).toBe('dismissed');
    await decide(one?.id ?? '', 'open');
    await send(suppressed, feature);
    expect((await findings()).map(({ status }) => status)).toEqual(['open', ...Array(9).fill('dismissed')]);
    await send(ten);
    expect(new Set((await findings()).map(({ status }) => status))).toEqual(new Set(['open']));
  });

  test('keeps decisions through rescans, also after an intermediate fix', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send(ten);
    const [one, two] = await findings();
    await decide(one?.id ?? '', 'dismissed');
    await decide(two?.id ?? '', 'exception');
    const statuses = async () => (await findings()).slice(0, 3).map(({ status }) => status);
    await send(ten, { tool: { key: 'codeql', name: 'CodeQL', version: '9' } });
    expect(await statuses()).toEqual(['dismissed', 'exception', 'open']);
    await send([]);
    expect(await statuses()).toEqual(['fixed', 'fixed', 'fixed']);
    await send(ten);
    expect(await statuses()).toEqual(['dismissed', 'exception', 'open']);
  });
});

describe('a renamed file', () => {
  const renamed = (results: ScannerResult[]) =>
    results.map((result) => ({ ...result, path: result.path?.replace('src/', 'lib/') ?? null }));

  test('keeps its findings and decisions', async () => {
    const { send, findings, sources } = await createTestScanner(server, org);
    await send(ten);
    const before = await findings();
    await decide(before[0]?.id ?? '', 'dismissed');
    expect((await send(renamed(ten))).counts).toEqual({ ...none, unchanged: 10 });
    const after = await findings();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[0]).toMatchObject({ path: 'lib/file-0.ts', status: 'dismissed' });
    expect((await sources()).at(-1)).toMatchObject({
      reason: 'moved',
      explanation: expect.stringContaining('at src/file-'),
    });
  });

  test('keeps its findings without content', async () => {
    const { send, findings } = await createTestScanner(server, org);
    const withoutContent = ten.map((result) => ({ ...result, content: null }));
    await send(withoutContent);
    const before = await findings();
    expect((await send(renamed(withoutContent))).counts).toEqual({ ...none, unchanged: 10 });
    expect((await findings()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test('keeps its findings on a branch first, and after the merge', async () => {
    const { send, findings } = await createTestScanner(server, org);
    await send(ten);
    const before = await findings();
    await decide(before[0]?.id ?? '', 'dismissed');
    expect((await send(renamed(ten), feature)).counts).toEqual({ ...none, unchanged: 10 });
    expect((await send(renamed(ten))).counts).toEqual({ ...none, unchanged: 10 });
    const after = await findings();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[0]).toMatchObject({ path: 'lib/file-0.ts', status: 'dismissed' });
  });

  test('differs from a copy, which creates new findings', { tags: ['full'] }, async () => {
    const { send } = await createTestScanner(server, org);
    await send(ten);
    expect((await send([...ten, ...renamed(ten)])).counts).toEqual({ ...none, unchanged: 10, new: 10 });
  });
});

describe('several refs and scanners', () => {
  test('keep a finding open while any ref has it, shown by the default branch', async () => {
    const { send, findings, instances } = await createTestScanner(server, org);
    await send(ten, feature);
    expect((await findings())[0]).toMatchObject({ ref: 'refs/heads/feature' });
    expect((await send(ten)).counts).toEqual({ ...none, unchanged: 10 });
    expect(await findings()).toHaveLength(10);
    expect((await findings())[0]).toMatchObject({ ref: 'refs/heads/main' });
    expect(await instances()).toHaveLength(20);
    expect((await send([])).counts).toEqual({ ...none, fixed: 10 });
    expect((await findings())[0]).toMatchObject({ ref: 'refs/heads/feature', status: 'open' });
    await send([], feature);
    expect((await findings())[0]).toMatchObject({ status: 'fixed' });
  });

  test('combine results with a shared CWE within two lines into one finding, with the reason', async () => {
    const { send, findings, sources } = await createTestScanner(server, org);
    await send([createScanResult({ line: 48 }), createScanResult({ line: 80, ruleId: 'other' })]);
    const other = [
      createScanResult({ ruleId: 'tainted-sql', line: 50 }),
      createScanResult({ ruleId: 'tainted-sql', line: 51 }),
      createScanResult({ ruleId: 'xss', line: 80, cwes: [79] }),
    ];
    expect((await send(other, { tool: semgrep })).counts).toEqual({ ...none, new: 2, unchanged: 1 });
    expect((await send(other, { tool: semgrep })).counts).toEqual({ ...none, unchanged: 3 });
    const shared = (await findings()).find(({ tools }) => tools.length === 2);
    expect(shared).toMatchObject({ line: 48, tools: ['codeql', 'semgrep'], data_source: 'codeql' });
    expect((await sources()).find(({ reason }) => reason === 'same_location')?.explanation).toBe(
      'CodeQL sql-injection at src/a.ts:48 and Semgrep tainted-sql at src/a.ts:50 share CWE-89.',
    );
    // Open while one of them reports it.
    await send([]);
    expect((await findings()).find(({ id }) => id === shared?.id)).toMatchObject({ status: 'open', line: 50 });
  });

  test('never combine findings that were split manually', async () => {
    const { send, findings, apart } = await createTestScanner(server, org);
    await send([createScanResult({ line: 48 })]);
    await apart();
    await send([createScanResult({ ruleId: 'tainted-sql', line: 48 })], { tool: semgrep });
    expect(await findings()).toHaveLength(2);
  });

  test('combine results of one scanner from two sources, and equal advisories of one package', async () => {
    const { send, findings, sources } = await createTestScanner(server, org);
    const lodash = { name: 'lodash', version: '4.17.1', fixedIn: '4.17.21' };
    const cve = { kind: 'cve' as const, id: 'CVE-2021-23337', url: 'https://nvd.example' };
    const one = createScanResult({
      ruleId: cve.id,
      category: 'sca',
      package: lodash,
      codes: [cve],
      path: 'package-lock.json',
      line: 1,
    });
    await send([createScanResult({ content: 'hash' }), one]);
    await send([createScanResult({ content: '7', line: 11 })], { source: 'code_scanning' });
    await send([{ ...one, ruleId: 'GHSA-1', path: null, line: null }], {
      source: 'checkmarx',
      tool: { key: 'checkmarx', name: 'Checkmarx', version: null },
    });
    await send([{ ...one, path: 'web/package-lock.json', line: 9 }], { tool: semgrep });
    expect((await findings()).map(({ path, tools }) => [path, tools])).toEqual([
      ['package-lock.json', ['checkmarx', 'codeql']],
      ['src/a.ts', ['codeql']],
      ['web/package-lock.json', ['semgrep']],
    ]);
    expect(
      (await sources()).filter(({ reason }) => reason === 'same_location').map(({ explanation }) => explanation),
    ).toEqual([
      'CodeQL sql-injection at src/a.ts:10 and CodeQL sql-injection at src/a.ts:11 are the same rule at the same location.',
      'CodeQL CVE-2021-23337 at package-lock.json:1 and Checkmarx GHSA-1 both report CVE-2021-23337 in lodash.',
    ]);
  });
});

describe('an upload', () => {
  test('changes nothing for the same results, and stores changed ones', async () => {
    const { upload, findings, left } = await createTestScanner(server, org);
    expect((await upload(ten)).counts).toEqual({ ...none, new: 10 });
    const first = await findings();
    expect(await upload(ten)).toMatchObject({ received: 10, counts: { ...none, unchanged: 10 } });
    expect(await findings()).toEqual(first);
    const [changed, ...rest] = ten.map((result, index) => (index === 0 ? { ...result, line: 77 } : result));
    if (!changed) throw new Error('no result');
    expect((await upload([changed, ...rest.slice(1)])).counts).toEqual({ ...none, unchanged: 9, fixed: 1 });
    expect((await findings()).map(({ line, status }) => `${line} ${status}`).toSorted()).toEqual(
      [
        '77 open',
        ...rest.slice(1).map(({ line }) => `${line} open`),
        ...rest.slice(0, 1).map(({ line }) => `${line} fixed`),
      ].toSorted(),
    );
    expect((await upload(ten)).counts).toEqual({ ...none, unchanged: 9, reopened: 1 });
    expect(await left()).toBe(0);
  });

  test('receives its results again if another scan changed them after they were compared', async () => {
    const { upload, findings, left, repositoryId } = await createTestScanner(server, org);
    const twice = [createScanResult({ path: 'src/equal.ts' }), createScanResult({ path: 'src/equal.ts' })];
    expect((await upload([...ten, ...twice])).counts).toEqual({ ...none, new: 12 });
    const first = await findings();
    const other = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
    await other.connect();
    try {
      await other.query(`begin; select pg_advisory_xact_lock(hashtextextended('${org.id}findings${repositoryId}', 0))`);
      const uploading = upload([...ten, ...twice]);
      await vi.waitFor(
        async () => {
          const { rowCount } = await other.query(
            `select from pg_locks where locktype = 'advisory' and not granted
             and pg_blocking_pids(pid) = array[pg_backend_pid()]`,
          );
          expect(rowCount).toBe(1);
        },
        { timeout: 20_000 },
      );
      await other.query(
        `update finding_instance set line = 1, digest = gen_random_uuid() where repository_id = '${repositoryId}' and path = 'src/file-3.ts'`,
      );
      await other.query('commit');
      expect(await uploading).toMatchObject({ received: 12, counts: { ...none, unchanged: 12 } });
    } finally {
      await other.end();
    }
    expect(await findings()).toEqual(first);
    expect((await upload([...ten, ...twice])).counts).toEqual({ ...none, unchanged: 12 });
    expect(await left()).toBe(0);
  });
});

describe('a failing scan', () => {
  async function* broken(results: ScannerResult[], error: Error) {
    yield* results;
    throw error;
  }

  test('keeps only its row when interrupted, with the reason only if user-facing', async () => {
    const { send, findings, scans, left } = await createTestScanner(server, org);
    await send(ten.slice(0, 3));
    const before = await findings();
    const many = Array.from({ length: 2500 }, (_, index) => createScanResult({ content: `${index}` }));
    await expect(send(broken(many, Invalid('runs[0].results[2500]', 'is not an object')))).rejects.toThrow();
    await expect(send(broken(many, new Error('secret detail')))).rejects.toThrow();
    expect(await findings()).toEqual(before);
    expect(await left()).toBe(0);
    expect((await scans()).map(({ state, error, counts }) => ({ state, error, counts }))).toEqual([
      { state: 'done', error: null, counts: { ...none, new: 3 } },
      { state: 'failed', error: 'runs[0].results[2500] is not an object.', counts: null },
      { state: 'failed', error: expect.stringContaining('nothing was imported'), counts: null },
    ]);
    expect((await scans())[2]?.error).not.toContain('secret detail');
  });

  test('keeps nothing when it fails during matching', async () => {
    const { analysis, findings, scans, left } = await createTestScanner(server, org);
    const scan = await beginScan(server.services, org.id, { integration: 'test' }, analysis);
    await addResults(server.services, scan, ten);
    await server.services.database.withOrg(org.id, (tx) =>
      tx.query({
        name: '',
        text: 'delete from scan_result where org_id = $1 and scan_id = $2 and position = 3',
        values: [org.id, scan.id],
      }),
    );
    const failing = finishScan(server.services, { integration: 'test' }, scan);
    await expect(failing).rejects.toThrow('lost');
    await failScan(server.services, scan, 'It was cut short.');
    expect(await findings()).toEqual([]);
    expect(await left()).toBe(0);
    expect(await scans()).toMatchObject([{ state: 'failed', error: 'It was cut short.' }]);
    await expect(addResults(server.services, scan, ten)).rejects.toThrow('ended');
  });

  test('is ended without a heartbeat, while a live one continues', { tags: ['full'] }, async () => {
    const { analysis, scans, left, send } = await createTestScanner(server, org);
    const dead = await beginScan(server.services, org.id, { integration: 'test' }, analysis);
    await addResults(server.services, dead, ten);
    clearInterval(dead.pulse);
    const alive = await beginScan(server.services, org.id, { integration: 'test' }, analysis);
    await server.services.database.withOrg(org.id, (tx) =>
      tx.query({
        name: '',
        text: `update scan set touched_at = now() - interval '31 seconds' where org_id = $1 and id = $2`,
        values: [org.id, dead.id],
      }),
    );
    await endInterrupted(server.services);
    expect(await left()).toBe(0);
    expect(await scans()).toMatchObject([
      { state: 'failed', error: expect.stringContaining('Upload it again') },
      { state: 'receiving', error: null },
    ]);
    await addResults(server.services, alive, ten);
    await finishScan(server.services, { integration: 'test' }, alive);
    expect((await send(ten)).counts).toEqual({ ...none, unchanged: 10 });
  });

  test('is refused for repositories not enabled or of others, and in an archived organization', async () => {
    const { analysis } = await createTestScanner(server, org);
    const otherOrg = await server.make.organization('Other');
    const begin = (orgId: string, repositoryId = analysis.repositoryId) =>
      beginScan(server.services, orgId, { integration: 'test' }, { ...analysis, repositoryId });
    await expect(begin(otherOrg.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(begin(org.id, newId())).rejects.toMatchObject({ code: 'not_found' });
    const theirs = await createTestScanner(server, otherOrg);
    await server.services.database.withOrg(otherOrg.id, ({ db }) =>
      db.updateTable('organization').set({ archived_at: new Date() }).where('id', '=', otherOrg.id).execute(),
    );
    await expect(begin(otherOrg.id, theirs.repositoryId)).rejects.toMatchObject({ code: 'conflict' });
    await server.services.database.withOrg(org.id, ({ db }) =>
      db
        .updateTable('repository')
        .set({ tracked: false })
        .where('org_id', '=', org.id)
        .where('id', '=', analysis.repositoryId)
        .execute(),
    );
    await expect(begin(org.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('rejects invalid results one by one, imports the rest and tolerates malformed characters', async () => {
    const { send, findings } = await createTestScanner(server, org);
    const scan = await send([
      createScanResult({
        title: 'A \0 and half a \ud800 pair',
        message: '\udfff',
        discoveredAt: 'yesterday',
        line: -4,
        endLine: 1e12,
      }),
      createScanResult({ path: 'x'.repeat(2000) }),
      { place: 'runs[0].results[7]', reason: 'has no message' },
    ]);
    expect(scan).toMatchObject({
      received: 1,
      counts: { ...none, new: 1, rejected: 2 },
      rejected: [
        { reason: 'the path is longer than 1000 bytes' },
        { place: 'runs[0].results[7]', reason: 'has no message' },
      ],
    });
    expect((await findings())[0]?.title).toBe('A \ufffd and half a \ufffd pair');
  });
});

test('serializes concurrent scans of one repository without loss or double counting', { tags: ['full'] }, async () => {
  const { send, findings, recounted, repositoryId } = await createTestScanner(server, org);
  const elsewhere = await createTestScanner(server, org);
  const done = await Promise.all([
    send(ten),
    send(ten),
    send(ten, feature),
    send(ten, { tool: semgrep }),
    elsewhere.send(ten),
  ]);
  expect(repositoryId).not.toBe(elsewhere.repositoryId);
  const ofRepository = done.slice(0, 4);
  expect(ofRepository.reduce((sum, { counts }) => sum + (counts.new ?? 0), 0)).toBe(10);
  expect(ofRepository.reduce((sum, { counts }) => sum + (counts.unchanged ?? 0), 0)).toBe(30);
  expect(await findings()).toHaveLength(10);
  const { kept, counted } = await recounted();
  expect(kept).toEqual(counted);
});

test('search finds scans by rules and codes of changed findings, and by tag', { tags: ['full'] }, async () => {
  const { send, repositoryId } = await createTestScanner(server, org);
  const log4j = createScanResult({
    ruleId: 'log4j',
    ruleName: 'Log4Shell',
    path: 'pom.xml',
    cwes: [502],
    codes: [
      { kind: 'cwe', id: 'CWE-502', url: '' },
      { kind: 'cve', id: 'CVE-2021-44228', url: '' },
      { kind: 'ghsa', id: 'GHSA-jfh8-c2jp-5v3q', url: '' },
    ],
  });
  const first = await send(ten);
  const added = await send([...ten, log4j]);
  const unchanged = await send([...ten, log4j]);
  const removed = await send(ten);
  const tagged = await send(ten, { ref: 'refs/tags/v1.0' });
  const name = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('repository').select('full_name').where('id', '=', repositoryId).executeTakeFirstOrThrow(),
  );
  const found = async (query: string) => {
    const body = { query: `${query} repo:${name.full_name}`, pagination: { events: 50, cursors: {} } };
    const { events } = await server.as(org.owner, org.id)(queryEvents, { body });
    return events.map(({ uuid }) => uuid).sort();
  };
  const events = (...scans: { id: string }[]) => scans.map(({ id }) => factId('scan', id)).sort();
  for (const query of ['rule:log4j', 'rule:log4shell', 'cwe:502', 'cwe:CWE-502', 'cve:CVE-2021-*', 'ghsa:GHSA-jfh8-*'])
    expect([query, await found(query)]).toEqual([query, events(added, removed)]);
  expect(await found('cwe:89')).toEqual(events(first, tagged));
  expect(await found('tag:v1.*')).toEqual(events(tagged));
  expect(await found('-has:rule kind:vuln')).toEqual(events(unchanged));
});

test('records a scan in the timeline with counts by severity, and in the audit log', async () => {
  const { send, repositoryId } = await createTestScanner(server, org);
  const { id } = await send(ten, { commit: 'a'.repeat(40) });
  const rows = await server.services.database.withOrg(org.id, async (tx) => ({
    events: await tx.query<{ kind: string; repo: string; summary: string; detail: string }>({
      name: '',
      text: 'select * from event where org_id = $1 and repo = $2',
      values: [org.id, repositoryId],
    }),
    audit: await tx.query<{ data: object }>({
      name: '',
      text: `select * from audit_event where org_id = $1 and action = 'scan.imported' and subject_id = $2`,
      values: [org.id, repositoryId],
    }),
  }));
  expect(rows.events).toHaveLength(1);
  expect(rows.events[0]).toMatchObject({ kind: 'vulnerability' });
  expect(JSON.stringify(rows.events)).toContain('10 new');
  const { severity } = createScanResult();
  expect(JSON.parse(fullSummary(rows.events[0]?.summary ?? ''))).toMatchObject({
    parameters: expect.arrayContaining([
      expect.objectContaining({
        data: { severities: { critical: 0, high: 0, medium: 0, low: 0, info: 0, [severity]: 10 } },
      }),
    ]) as unknown[],
  });
  expect(rows.audit).toMatchObject([{ data: { scan: id, tool: 'CodeQL', new: 10, received: 10 } }]);
});
