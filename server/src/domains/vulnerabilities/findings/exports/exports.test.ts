import { getAuditEntry, listAudit } from '@sightline/contract/organization/audit.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { dismissFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { requestFindingWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { connectSuperuser } from '../../../organization/audit/testing/entries.ts';
import { fillFindings } from '../testing/fill.ts';

let server: TestServer;
let superuser: pg.Client;
beforeAll(async () => {
  server = await shareTestServer();
  superuser = await connectSuperuser(server);
});
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

async function exportFile(org: TestOrganization, query: Record<string, string>) {
  const token = await server.token(org.owner, org.id);
  const answer = await fetch(`${server.url}/api/v2/vulnerabilities/export?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  // text() would remove the byte order mark that spreadsheets need to detect UTF-8
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
  return { text, headers: answer.headers, status: answer.status };
}

interface Sarif {
  version: string;
  runs: {
    tool: { driver: { name: string; rules: { id: string; shortDescription: { text: string }; properties: object }[] } };
    results: {
      ruleId: string;
      level: string;
      message: { text: string };
      baselineState: string;
      suppressions: { kind: string; status: string; justification?: string }[];
      locations: { physicalLocation: { artifactLocation: { uri: string }; region?: object } }[];
      fingerprints: Record<string, string>;
      properties: Record<string, string>;
    }[];
  }[];
}

test('exports every finding of the filter in each format, at any count', { tags: 'full' }, async () => {
  const org = await server.make.organization('Many');
  await superuser.query("select set_config('app.org', $1, false)", [org.id]);
  await fillFindings(superuser, { orgId: org.id, mark: 'many', repositories: 6, findings: 5000, titles: 40 });
  for (const query of [
    {},
    { status: 'open,fixed,dismissed,exception' },
    { search: 'injection' },
    { severity: 'high', category: 'sast' },
  ]) {
    const { total } = await server.as(org.owner, org.id)(listFindings, {
      query: Object.fromEntries(
        Object.entries(query as Record<string, string>).map(([name, value]) => [
          name,
          name === 'search' ? value : value.split(','),
        ]),
      ),
    });
    const csv = await exportFile(org, { ...query, format: 'csv' });
    expect(Number(csv.headers.get('x-total-count'))).toBe(total);
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(total + 1);
    const rows = JSON.parse((await exportFile(org, { ...query, format: 'json' })).text) as {
      id: string;
      severity: string;
    }[];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(total);
    const { runs } = JSON.parse((await exportFile(org, { ...query, format: 'sarif' })).text) as Sarif;
    const prints = runs.flatMap(({ results }) => results.map(({ fingerprints }) => fingerprints['sightline/v1']));
    expect([query, new Set(prints).size, prints.length]).toEqual([query, total, total]);
    for (const { tool, results } of runs) {
      const ids = tool.driver.rules.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(results.map(({ ruleId }) => ruleId))).toEqual(new Set(ids));
    }
  }
});

test('exports a file without findings', async () => {
  const org = await server.make.organization('Empty');
  expect((await exportFile(org, { format: 'csv' })).text.split('\r\n')).toHaveLength(2);
  expect(JSON.parse((await exportFile(org, { format: 'json' })).text)).toEqual([]);
  expect(JSON.parse((await exportFile(org, { format: 'sarif' })).text)).toMatchObject({ version: '2.1.0', runs: [] });
});

test('escapes formulas in exported cells', async () => {
  const org = await server.make.organization('Formula');
  const { send } = await createTestScanner(server, org);
  await send([
    createScanResult({ title: '=cmd|calc', path: '+src/a.ts', message: '@here\nand "there"', ruleId: '-1' }),
  ]);
  const { text, headers } = await exportFile(org, { format: 'csv' });
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="vulnerabilities-[^"]+-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(text.startsWith('\ufeff"severity","vulnerability"')).toBe(true);
  const [, line = ''] = text.split('\r\n');
  for (const cell of [`"'=cmd|calc"`, `"'+src/a.ts"`, `"'@here and ""there"""`, `"'-1"`]) expect(line).toContain(cell);
});

test('marks new and absent results in SARIF, with suppression reasons', async () => {
  const org = await server.make.organization('Sarif');
  const { send } = await createTestScanner(server, org);
  const call = server.as(org.owner, org.id);
  const names = ['stays', 'goes', 'counts for nothing', 'is accepted', 'is hushed'];
  const results = names.map((name, index) =>
    createScanResult({ ruleId: name, title: name, line: 10 * index + 1, path: 'src/a b.ts' }),
  );
  const hushed = { state: 'suppressed' as const, suppressed: { reason: 'inSource', comment: 'by a comment' } };
  await send([...results.slice(0, 4), { ...(results[4] ?? createScanResult()), ...hushed }], {
    commit: 'a'.repeat(40),
  });
  await send(
    [
      ...results.filter((_, index) => index !== 1 && index !== 4),
      { ...(results[4] ?? createScanResult()), ...hushed },
      createScanResult({ ruleId: 'comes', title: 'comes', severity: 'info' }),
    ],
    { commit: 'b'.repeat(40) },
  );
  const { rows } = await call(listFindings, {});
  const idOf = (title: string) => rows.find((row) => row.title === title)?.id ?? '';
  await call(dismissFindings, { body: { ids: [idOf(names[2] ?? '')], reason: 'false_positive', comment: 'checked' } });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await call(requestFindingWaivers, { body: { ids: [idOf(names[3] ?? '')], until, reason: 'until the rewrite' } });
  const { text, headers } = await exportFile(org, { format: 'sarif', status: 'open,fixed,dismissed,exception' });
  expect(headers.get('content-type')).toBe('application/sarif+json; charset=utf-8');
  const { version, runs } = JSON.parse(text) as Sarif;
  expect([version, runs.map(({ tool }) => tool.driver.name)]).toEqual(['2.1.0', ['CodeQL']]);
  const found = new Map(runs[0]?.results.map((result) => [result.ruleId, result]));
  const states = Object.fromEntries(
    [...found].map(([rule, { baselineState, suppressions }]) => [rule, [baselineState, suppressions]]),
  );
  expect(states).toEqual({
    stays: ['unchanged', []],
    goes: ['absent', []],
    'counts for nothing': [
      'unchanged',
      [{ kind: 'external', status: 'accepted', justification: 'false_positive: checked' }],
    ],
    'is accepted': ['unchanged', [{ kind: 'external', status: 'underReview', justification: 'until the rewrite' }]],
    'is hushed': ['unchanged', [{ kind: 'external', status: 'accepted', justification: 'inSource: by a comment' }]],
    comes: ['new', []],
  });
  expect(found.get('stays')).toMatchObject({
    level: 'error',
    message: { text: 'This query depends on input.' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
          region: { startLine: 1 },
        },
      },
    ],
    properties: { severity: 'high', status: 'open', 'security-severity': '8.0' },
  });
  expect(found.get('comes')).toMatchObject({ level: 'none', kind: 'informational' });
});

test('records an export in the audit log', async () => {
  const org = await server.make.organization('Audited');
  const { send } = await createTestScanner(server, org);
  await send([createScanResult({ severity: 'high' }), createScanResult({ severity: 'low', line: 90 })]);
  await exportFile(org, { format: 'json', severity: 'high', search: 'sql' });
  const call = server.as(org.owner, org.id);
  const { entries } = await call(listAudit, { query: { action: ['finding.exported'] } });
  expect(entries.map(({ sentence }) => sentence.map(({ text }) => text).join(''))).toEqual([
    'exported vulnerabilities as JSON, 1 in all',
  ]);
  const entry = await call(getAuditEntry, { params: { auditId: entries[0]?.id ?? '' } });
  expect(entry.more).toMatchObject({ format: 'json', findings: 1, severity: ['high'], search: 'sql' });
});
