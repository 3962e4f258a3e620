import { gzipSync } from 'node:zlib';
import { createAccessKey, revokeAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { getScan, listScans } from '@sightline/contract/vulnerabilities/scans.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sendUpload, type UploadOptions } from './testing/uploads.ts';

let server: TestServer;
let org: TestOrganization;
let to: UploadOptions;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  await createTestRepository(server, org, 'api');
  to = { token: await server.token(org.owner, org.id), repository: 'acme/api' };
});
afterAll(() => server?.close());

const result = (number: number) => ({
  ruleId: 'js/eval',
  message: { text: `Number ${number}` },
  locations: [{ physicalLocation: { artifactLocation: { uri: `src/${number}.ts` }, region: { startLine: number } } }],
  partialFingerprints: { primaryLocationLineHash: `hash ${number}` },
});
const runOf = (results: unknown, name = 'Semgrep') => ({ tool: { driver: { name } }, results });
const logOf = (...runs: unknown[]) => JSON.stringify({ version: '2.1.0', runs });

describe('a SARIF file', () => {
  test('becomes a listed scan that reports its changes', async () => {
    const sha = 'a'.repeat(40);
    const query = { ref: 'next', commit: sha, category: 'lint' };
    const { status, scans } = await sendUpload(server, logOf(runOf([result(1), result(2)])), { ...to, query });
    expect(status).toBe(202);
    expect(scans).toEqual([
      {
        id: expect.any(String),
        repository: { id: expect.any(String), fullName: 'acme/api' },
        source: 'sarif',
        tool: { id: 'semgrep', name: 'Semgrep', version: null },
        category: 'lint',
        ref: 'refs/heads/next',
        commit: sha,
        state: 'done',
        received: 2,
        counts: { new: 2, unchanged: 0, fixed: 0, reopened: 0, rejected: 0 },
        rejected: [],
        incomplete: null,
        error: null,
        startedBy: 'Olga Owner',
        receivedAt: expect.any(String),
        finishedAt: expect.any(String),
      },
    ]);
    const call = server.as(org.owner, org.id);
    expect(await call(getScan, { params: { scanId: scans[0]?.id ?? '' } })).toEqual(scans[0]);
    const params = { provider: 'github', repoPath: 'acme/api' } as const;
    expect(await call(listScans, { params, query: { perPage: 1 } })).toMatchObject({ rows: scans });
  });

  test('is assigned to the default branch without a ref, and to the category it names', async () => {
    const run = { ...runOf([]), automationDetails: { id: 'codeql/javascript/2026-11-21' } };
    const { scans } = await sendUpload(server, logOf(run), to);
    expect(scans).toMatchObject([{ ref: 'refs/heads/main', category: 'codeql/javascript', commit: null }]);
  });

  test('creates one scan per scanner and category and combines runs of the same pair', async () => {
    const file = logOf(runOf([result(1)], 'A'), runOf([result(2)], 'B'), runOf([result(3)], 'A'));
    const { scans } = await sendUpload(server, file, to);
    expect(scans.map(({ tool, counts }) => [tool.name, counts?.new])).toEqual([
      ['A', 2],
      ['B', 1],
    ]);
    expect((await sendUpload(server, file, to)).scans.map(({ counts }) => counts?.unchanged)).toEqual([2, 1]);
  });

  test('with many runs is imported completely or not at all, and lists every scan', {
    tags: ['full'],
    timeout: 90_000,
  }, async () => {
    const names = Array.from({ length: 12 }, (_, run) => (run === 8 ? 'Broken' : `Many ${run}`));
    const file = logOf(...names.map((name, run) => runOf([result(run + 1)], name)));
    const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
    await superuser.connect();
    await superuser.query(`
      create function break_import() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger break_import before insert on analysis for each row when (new.tool = 'broken') execute function break_import()`);
    const found = async () =>
      (await superuser.query("select count(*)::int as n from finding_source where tool like 'many %'")).rows[0].n;
    const { status, scans } = await sendUpload(server, file, to);
    expect([status, scans.map(({ tool }) => tool.name)]).toEqual([202, names]);
    expect(new Set(scans.map(({ state, error }) => `${state}: ${error}`))).toEqual(
      new Set(['failed: An internal error occurred and nothing was imported. Upload it again.']),
    );
    expect(await found()).toBe(0);
    await superuser.query('drop trigger break_import on analysis; drop function break_import');
    const again = await sendUpload(server, file, to);
    expect(new Set(again.scans.map(({ state, counts }) => `${state} ${counts?.new}`))).toEqual(new Set(['done 1']));
    expect(again.scans).toHaveLength(names.length);
    expect(await found()).toBe(names.length - 1);
    await superuser.end();
  });

  test('may define rules after the results that refer to them', async () => {
    const rules = [{ id: 'r', properties: { 'security-severity': '9.5', tags: ['external/cwe/cwe-089'] } }];
    const run = { results: [{ ruleIndex: 0, message: { text: 'm' } }], tool: { driver: { rules, name: 'Late' } } };
    const text = JSON.stringify({ runs: [run], version: '2.1.0' });
    const { scans } = await sendUpload(server, text, to);
    const rows = await server.services.database.withOrg(org.id, ({ db }) =>
      db.selectFrom('finding').select(['severity', 'cwes']).where('data_source', '=', 'late').execute(),
    );
    expect([scans[0]?.counts?.new, rows]).toEqual([1, [{ severity: 0, cwes: [89] }]]);
  });

  test.each([
    ['gzip with a Content-Encoding header', { 'content-encoding': 'gzip' }],
    ['gzip without a header', {}],
    ['gzip as an octet stream', { 'content-type': 'application/octet-stream' }],
    ['gzip as its own media type', { 'content-type': 'application/gzip' }],
  ])('may be compressed with %s', async (_, headers) => {
    const { status, scans } = await sendUpload(server, gzipSync(logOf(runOf([], 'Packed'))), { ...to, headers });
    expect([status, scans[0]?.tool.name]).toEqual([202, 'Packed']);
  });

  test('is imported without its invalid results, each reported with path and reason', async () => {
    const bad = [1, { level: 'fatal', message: { text: 'm' } }, { ruleId: 7 }, {}, { ruleId: 'a', kind: 'pass' }];
    const { scans } = await sendUpload(server, logOf(runOf([result(1), ...bad], 'Sloppy')), to);
    expect(scans[0]?.counts).toEqual({ new: 1, unchanged: 0, fixed: 0, reopened: 0, rejected: 5 });
    expect(scans[0]?.rejected).toEqual([
      { place: 'runs[0].results[1]', reason: 'is not an object' },
      { place: 'runs[0].results[2]', reason: 'level "fatal" is none of error, warning, note and none' },
      { place: 'runs[0].results[3]', reason: 'ruleId must be a text' },
      { place: 'runs[0].results[4]', reason: 'has neither a rule nor a message' },
      { place: 'runs[0].results[5]', reason: 'the check passed, so it is not a finding' },
    ]);
  });

  test('of a failed scanner marks no findings as fixed', async () => {
    await sendUpload(server, logOf(runOf([result(1), result(2)], 'Shaky')), to);
    const failed = { ...runOf([result(1)], 'Shaky'), invocations: [{ executionSuccessful: false }] };
    expect((await sendUpload(server, logOf(failed), to)).scans[0]?.counts).toMatchObject({ unchanged: 1, fixed: 0 });
    const none = { tool: { driver: { name: 'Shaky' } } };
    expect((await sendUpload(server, logOf(none), to)).scans[0]?.counts).toMatchObject({ unchanged: 0, fixed: 0 });
    expect((await sendUpload(server, logOf(runOf([result(1)], 'Shaky')), to)).scans[0]?.counts).toMatchObject({
      fixed: 1,
    });
  });
});

describe('rejects an invalid file with path and reason, and stores nothing', () => {
  let superuser: pg.Client;
  beforeAll(async () => {
    superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
    await superuser.connect();
  });
  afterAll(() => superuser?.end());
  const countStored = async () =>
    (
      await superuser.query(`select (select count(*) from scan) as scans, (select count(*) from scan_result) as results,
        (select count(*) from finding) as findings, (select count(*) from audit_event) as entries`)
    ).rows[0];

  const good = logOf(runOf(Array.from({ length: 200 }, (_, index) => result(index + 1))));
  const deep = `{"version":"2.1.0","runs":[{"x":${'['.repeat(100_000)}`;
  const cases: [string, string | Buffer, number, string, RegExp][] = [
    ['0 bytes', '', 400, 'file', /^The file is empty/],
    ['truncated', good.slice(0, 9000), 400, '', /runs\[0\]\.results\[\d+\].* is truncated, at line 1/],
    ['truncated gzip', gzipSync(good).subarray(0, 300), 400, 'file', /has truncated gzip data/],
    ['broken gzip', Buffer.concat([Buffer.of(0x1f, 0x8b), Buffer.alloc(40, 7)]), 400, 'file', /is not valid gzip data/],
    ['malformed', good.replace('"Number 7"', '"Number 7'), 400, '', /runs\[0\]\.results\[6\] is not JSON, at line 1/],
    ['no JSON', 'Hello', 400, 'file', /The file is not JSON: a value is missing, at line 1, column 1/],
    ['nested', deep, 400, '', /nested deeper than 100 levels/],
    ['UTF-16', Buffer.from(good, 'utf16le'), 400, 'file', /UTF-16/],
    ['a list', '[]', 400, 'runs', /it is a list/],
    [
      'of Checkmarx',
      '{"results":[],"totalCount":0,"scanID":"x"}',
      400,
      'runs',
      /a report of Checkmarx One.*SARIF 2\.1\.0 is needed/,
    ],
    ['of GitLab', '{"version":"15.0.4","vulnerabilities":[]}', 400, 'runs', /a report of GitLab/],
    ['of Trivy', '{"SchemaVersion":2,"ArtifactName":"x","Results":[]}', 400, 'runs', /Trivy JSON/],
    ['XML', '<?xml version="1.0"?><a/>', 400, 'file', /The file is XML/],
    ['a ZIP', Buffer.from('PK\x03\x04 and more'), 400, 'file', /ZIP archive/],
    ['of an old version', '{"version":"1.0.0","runs":[]}', 400, 'version', /SARIF 1\.0\.0/],
    ['without a version', '{"runs":[]}', 400, 'version', /has no SARIF version/],
    ['without runs', '{"version":"2.1.0"}', 400, 'runs', /it has no "runs"/],
    ['runs no list', '{"version":"2.1.0","runs":{}}', 400, 'runs', /runs must be a list/],
    ['run no object', '{"version":"2.1.0","runs":[null]}', 400, 'runs[0]', /runs\[0\] must be an object/],
    ['results no list', logOf(runOf({ a: 1 })), 400, 'runs[0].results', /runs\[0\]\.results must be a list/],
    ['without a scanner', '{"version":"2.1.0","runs":[{"results":[]}]}', 400, 'runs[0].tool.driver.name', /is missing/],
    [
      'results elsewhere',
      logOf({ ...runOf(undefined), externalPropertyFileReferences: { results: [{ location: { uri: 'x' } }] } }),
      400,
      '',
      /another file/,
    ],
  ];
  test.each(cases)('%s', async (_, file, status, field, message) => {
    const before = await countStored();
    const answer = await sendUpload(server, file, to);
    expect([answer.status, answer.refusal.code]).toEqual([status, 'validation_failed']);
    expect(answer.refusal.message).toMatch(message);
    expect(answer.refusal.details?.[0]?.field).toEqual(field === '' ? expect.stringMatching(/^runs/) : field);
    expect(await countStored()).toEqual(before);
  });

  const bad = good.indexOf('Number 50') + 'Number '.length;
  const withBytes = (...bytes: number[]) =>
    Buffer.concat([Buffer.from(good.slice(0, bad)), Buffer.from(bytes), Buffer.from(good.slice(bad))]);
  const lines = (text: string) => text.replace('"runs"', '\n"runs"').replace('"tool"', '\n  "tool"');
  const positions: [string, string | Buffer, string, string][] = [
    [
      'a byte that is no UTF-8',
      withBytes(0xff),
      'runs[0].results[49]',
      `is not encoded in UTF-8, at line 1, column ${bad + 1}`,
    ],
    [
      'half of a character',
      withBytes(0x0a, 0xc3, 0x28),
      'runs[0].results[49]',
      'is not encoded in UTF-8, at line 2, column 1',
    ],
    [
      'a word that is none',
      good.replace('"startLine":50', '"startLine":\nnul'),
      'runs[0].results[49]',
      'is not JSON, at line 2, column 1',
    ],
    ['null for runs', lines('{"version":"2.1.0","runs":null}'), 'runs', 'must be a list, at line 2, column 8'],
    [
      'null for a run',
      lines('{"version":"2.1.0","runs":[ null]}'),
      'runs[0]',
      'must be an object, at line 2, column 10',
    ],
    [
      'null for the tool',
      lines(JSON.stringify({ version: '2.1.0', runs: [{ tool: null }] })),
      'runs[0].tool',
      'must be an object, at line 3, column 10',
    ],
    ['an object for results', lines(logOf(runOf({}))), 'runs[0].results', 'must be a list, at line 3, column 50'],
    [
      'null for everything',
      'null',
      'runs',
      'is not SARIF: it is null, and a SARIF log is an object with "version" and "runs"',
    ],
    [
      'a text for everything',
      '"x"',
      'runs',
      'is not SARIF: it is a text, and a SARIF log is an object with "version" and "runs"',
    ],
  ];
  test.each(positions)('%s, with line and column', async (_, file, field, message) => {
    const { refusal } = await sendUpload(server, file, to);
    expect(refusal.details?.[0]).toEqual({ field, message });
  });

  test('a compression bomb', async () => {
    const before = await countStored();
    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, ' '));
    const answer = await sendUpload(server, bomb, to);
    expect([answer.status, answer.refusal.code]).toEqual([413, 'too_large']);
    expect(await countStored()).toEqual(before);
  }, 120_000);

  test('200 MB, with or without Content-Length', { tags: 'full', timeout: 120_000 }, async () => {
    const before = await countStored();
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    const stream = () => {
      let sent = 0;
      return new ReadableStream({
        pull(controller) {
          sent += 1;
          if (sent > 200) controller.close();
          else controller.enqueue(megabyte);
        },
      });
    };
    const unannounced = await sendUpload(server, stream(), to);
    expect([unannounced.status, unannounced.refusal.message]).toEqual([413, expect.stringContaining('100 MB')]);
    const announced = await sendUpload(server, Buffer.alloc(200 * 1024 * 1024, ' '), to);
    expect([announced.status, announced.refusal.code]).toEqual([413, 'too_large']);
    expect(await countStored()).toEqual(before);
  });

  test('an unsupported media type', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await sendUpload(server, good, { ...to, headers });
    expect([answer.status, answer.refusal.message]).toEqual([415, expect.stringContaining('application/sarif+json')]);
  });
});

describe('access to uploads', () => {
  const file = logOf(runOf([], 'Who'));

  test('is denied to a contributor and for an unknown repository', async () => {
    const contributor = await server.make.member(org.id, 'rol_contributor');
    const theirs = { ...to, token: await server.token(contributor, org.id) };
    expect((await sendUpload(server, file, theirs)).refusal).toMatchObject({
      code: 'forbidden',
      requiredPermission: 'write:findings',
    });
    expect((await sendUpload(server, file, { ...to, repository: 'acme/none' })).status).toBe(404);
  });

  test('is granted to a build with an access key, for its repository, until revocation', async () => {
    const call = server.as(org.owner, org.id);
    const otherId = await createTestRepository(server, org, 'web');
    const { key, accessKey } = await call(createAccessKey, { body: { name: 'CI', repositoryId: otherId } });
    const withKey = { token: key, repository: 'acme/web' };
    const { status, scans } = await sendUpload(server, file, withKey);
    expect([status, scans[0]?.startedBy]).toEqual([202, `Access key CI (…${key.slice(-4)})`]);
    expect((await sendUpload(server, file, { ...withKey, repository: 'acme/api' })).status).toBe(404);

    const scanOf = (token: string) =>
      server.app.inject({ url: `/api/v2/scans/${scans[0]?.id}`, headers: { authorization: `Bearer ${token}` } });
    expect((await scanOf(key)).statusCode).toBe(200);
    const { key: unrestrictedKey } = await call(createAccessKey, { body: { name: 'All', days: 1 } });
    expect((await sendUpload(server, file, { token: unrestrictedKey, repository: 'acme/api' })).status).toBe(202);

    await call(revokeAccessKey, { params: { accessKeyId: accessKey.id } });
    expect((await sendUpload(server, file, withKey)).refusal.code).toBe('unauthenticated');
    expect((await scanOf(key)).statusCode).toBe(401);
  });

  test('excludes scans of repositories that the member cannot see', async () => {
    const { scans } = await sendUpload(server, file, to);
    const contributor = await server.make.member(org.id, 'rol_contributor');
    const response = server.as(contributor, org.id)(getScan, { params: { scanId: scans[0]?.id ?? '' } });
    expect(await refusalOf(response)).toEqual({ status: 404, code: 'not_found' });
  });
});
