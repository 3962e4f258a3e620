import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RejectedResult, ScannerResult } from '#providers/scanner.ts';
import { sarifAnalysesOf } from './analyses.ts';
import { receiveSarif } from './read.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-results-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the results of one run. */
async function read(run: object): Promise<(ScannerResult | RejectedResult)[]> {
  const text = JSON.stringify({ version: '2.1.0', runs: [run] });
  const file = await receiveSarif(folder, Readable.from([Buffer.from(text)]));
  const [analysis] = sarifAnalysesOf(file, {
    repositoryId: 'r',
    ref: 'refs/heads/main',
    commit: undefined,
    category: undefined,
  });
  const results: (ScannerResult | RejectedResult)[] = [];
  for await (const one of analysis?.results() ?? []) results.push(one);
  await file.close();
  return results;
}

/** Returns the only result of a run. */
async function one(result: object, driver: object = {}, more: object = {}): Promise<ScannerResult> {
  const [first] = await read({ tool: { driver: { name: 'Tool', ...driver } }, results: [result], ...more });
  if (!first || 'reason' in first) throw new Error(`rejected: ${first?.reason}`);
  return first;
}

const at = (uri: string, region: object = {}, uriBaseId?: string) => ({
  locations: [{ physicalLocation: { artifactLocation: { uri, ...(uriBaseId && { uriBaseId }) }, region } }],
});

describe('severity', () => {
  const rule = (score: unknown, level?: string) => ({
    rules: [{ id: 'r', properties: { 'security-severity': score }, ...(level && { defaultConfiguration: { level } }) }],
  });
  test.each([
    ['9.0', 'critical'],
    ['8.9', 'high'],
    ['7.0', 'high'],
    ['6.9', 'medium'],
    ['4.0', 'medium'],
    ['3.9', 'low'],
    ['0.1', 'low'],
    ['0.0', 'info'],
    [9.8, 'critical'],
  ])('score %j is %s, regardless of the level', async (score, severity) => {
    expect((await one({ ruleId: 'r', level: 'note' }, rule(score))).severity).toBe(severity);
  });
  test.each([
    [{ level: 'error' }, 'note', 'high'],
    [{}, 'error', 'high'],
    [{}, 'note', 'low'],
    [{}, 'none', 'info'],
    [{}, undefined, 'medium'],
    [{ kind: 'informational' }, undefined, 'info'],
  ])('result %j with rule level %j is %s', async (result, level, severity) => {
    expect((await one({ ruleId: 'r', ...result }, rule('no number', level))).severity).toBe(severity);
  });
});

describe('the rule', () => {
  const extension = { name: 'Pack', guid: 'AA', rules: [{ id: 'x/1', shortDescription: { text: 'From the pack' } }] };
  const tool = {
    driver: { name: 'T', rules: [{ id: 'd', shortDescription: { text: 'From the driver' } }] },
    extensions: [extension],
  };
  test.each([
    [{ rule: { index: 0, toolComponent: { index: 0 } } }, 'From the pack'],
    [{ rule: { index: 0, toolComponent: { guid: 'aa' } } }, 'From the pack'],
    [{ rule: { index: 0, toolComponent: { name: 'Pack' } } }, 'From the pack'],
    [{ rule: { id: 'x/1' } }, 'From the pack'],
    [{ ruleId: 'x/1/deeper/still' }, 'From the pack'],
    [{ ruleIndex: 0 }, 'From the driver'],
    [{ ruleId: 'd', ruleIndex: 99 }, 'From the driver'],
    [{ ruleId: 'x/1', ruleIndex: 0 }, 'From the pack'],
    [{ ruleId: 'unknown', message: { text: 'What it says. And more.' } }, 'What it says'],
  ])('is found for result %j', async (result, title) => {
    const [found] = await read({ tool, results: [result] });
    expect(found).toMatchObject({ title });
  });
});

describe('weaknesses', () => {
  test.each([
    [{ rules: [{ id: 'r', properties: { tags: ['external/cwe/cwe-079', 'CWE-89: SQL', 'cwe_22'] } }] }, [79, 89, 22]],
    [{ rules: [{ id: 'r', properties: { cwe: 'CWE-0327' } }] }, [327]],
    [{ rules: [{ id: 'r', relationships: [{ target: { id: '401', toolComponent: { name: 'CWE' } } }] }] }, [401]],
    [{ rules: [{ id: 'r', relationships: [{ target: { id: '5', toolComponent: { name: 'OWASP' } } }] }] }, []],
  ])('for %j', async (driver, cwes) => {
    expect((await one({ ruleId: 'r' }, driver)).cwes).toEqual(cwes);
  });

  test('are read from a taxonomy named by GUID and from the result itself', async () => {
    const taxonomies = [{ name: 'CWE', guid: 'ABC' }];
    const taxa = [
      { id: '20', toolComponent: { guid: 'abc' } },
      { id: 'A1', toolComponent: { name: 'OWASP' } },
    ];
    const found = await one({ ruleId: 'r', taxa, properties: { tags: ['CWE-20', 'cwe-21'] } }, {}, { taxonomies });
    expect([found.cwes, found.compliances]).toEqual([[20, 21], [{ framework: 'OWASP', control: 'A1' }]]);
  });

  test('include the advisories named by the rule and tags', async () => {
    const tags = ['OWASP-A03:2021 - Injection', 'GHSA-29MW-wpgm-hmr9'];
    const found = await one(
      { ruleId: 'BDSA-1 (CVE-2020-11022)' },
      { rules: [{ id: 'BDSA-1 (CVE-2020-11022)', properties: { tags } }] },
    );
    expect(found.codes.map(({ id }) => id)).toEqual(['CVE-2020-11022', 'GHSA-29mw-wpgm-hmr9']);
    expect(found.compliances).toEqual([{ framework: 'OWASP Top 10 2021', control: 'A03' }]);
  });
});

describe('the location', () => {
  test.each([
    ['src/a.ts', undefined, 'src/a.ts'],
    ['./src/../lib/a%20b.ts', undefined, 'lib/a b.ts'],
    ['file:///src/index.js', undefined, 'src/index.js'],
    ['file:///C:/code/a.c', undefined, 'C:/code/a.c'],
    ['src\\win\\a.cs', undefined, 'src/win/a.cs'],
    ['file:///home/runner/work/api/api/src/a.ts', undefined, 'src/a.ts'],
    ['/github/workspace/src/a.ts', undefined, 'src/a.ts'],
    ['../../etc/passwd', undefined, 'etc/passwd'],
    ['a.ts', 'SRC', 'packages/web/a.ts'],
    ['a.ts', '%SRCROOT%', 'a.ts'],
    ['https://shop.example/login', undefined, 'https://shop.example/login'],
    ['no file associated with this alert', undefined, null],
  ])('of %s with base %s is %s', async (uri, base, path) => {
    const originalUriBaseIds = {
      ROOT: { uri: 'file:///work/' },
      SRC: { uri: 'packages/web', uriBaseId: 'ROOT' },
      LOOP: { uri: 'x', uriBaseId: 'LOOP' },
    };
    expect((await one({ ruleId: 'r', ...at(uri, {}, base) }, {}, { originalUriBaseIds })).path).toBe(path);
  });

  test('may be an artifact index, omits line 0, and never ends before its start', async () => {
    const artifacts = [{ location: { uri: 'a.ts' } }, { location: { uri: 'b.ts' } }];
    const locations = [{ physicalLocation: { artifactLocation: { index: 1 }, region: { startLine: 7, endLine: 3 } } }];
    expect(await one({ ruleId: 'r', locations }, {}, { artifacts })).toMatchObject({
      path: 'b.ts',
      line: 7,
      endLine: 7,
    });
    expect((await one({ ruleId: 'r', ...at('a.ts', { startLine: 0 }) })).line).toBeNull();
    expect(await one({ ruleId: 'r' })).toMatchObject({ path: null, line: null });
  });
});

test('formats messages by id with their arguments and removes links', async () => {
  const driver = {
    rules: [{ id: 'r', messageStrings: { a: { text: "'{0}' meets {1}, {{not}} [here](2)" } } }],
    globalMessageStrings: { g: { text: 'Everywhere {0}' } },
  };
  const messageOf = async (message: object) => (await one({ ruleId: 'r', message }, driver)).message;
  expect(await messageOf({ id: 'a', arguments: ['x', 'y'] })).toBe("'x' meets y, {not} here");
  expect(await messageOf({ id: 'g', arguments: ['1'] })).toBe('Everywhere 1');
  expect(await messageOf({ text: 'Plain [text](https://a.example) with {0}' })).toBe('Plain text with {0}');
  expect(await messageOf({ id: 'none' })).toBe('');
});

describe('the state of a result', () => {
  test.each([
    [[{ kind: 'inSource', justification: 'nosec' }], { reason: 'suppressed in the code', comment: 'nosec' }],
    [[{ kind: 'external', status: 'accepted' }], { reason: 'suppressed in the scanner', comment: '' }],
    [[{ kind: 'external', state: 'underReview' }], null],
    [[{ kind: 'external' }, { kind: 'external', status: 'rejected' }], null],
    [[], null],
  ])('for %j', async (suppressions, suppressed) => {
    const found = await one({ ruleId: 'r', suppressions });
    expect([found.state, found.suppressed]).toEqual([suppressed ? 'suppressed' : 'open', suppressed]);
  });
  test('is fixed when the baseline marks it absent', async () => {
    expect((await one({ ruleId: 'r', baselineState: 'absent' })).state).toBe('fixed');
  });
});

describe('the content identifier', () => {
  test.each([
    [{ partialFingerprints: { primaryLocationLineHash: 'a:1', other: 'b' }, fingerprints: { c: 'd' } }, 'a:1'],
    [{ fingerprints: { z: '1', 'match/v1': '2' }, partialFingerprints: { p: 'q' } }, 'match/v1=2\nz=1'],
    [{ partialFingerprints: { primaryLocationStartColumnFingerprint: '4' } }, null],
    [{ partialFingerprints: { commitSha: 'c', author: 'Ada', email: 'ada@example.org' } }, 'commitSha=c'],
    [{ fingerprints: { csv: { value: 'x' } } }, 'csv={"value":"x"}'],
    [{}, null],
  ])('for %j', async (result, content) => {
    expect((await one({ ruleId: 'r', ...result })).content).toBe(content);
  });
});

test('stores no part of a secret', async () => {
  const secret = 'AKIAIOSFODNN7EXAMPLE';
  const found = await one(
    {
      ruleId: 'aws-key',
      message: { text: `aws-key has detected ${secret} in a.env` },
      ...at('a.env', { startLine: 3, snippet: { text: `KEY="${secret}"` } }),
      properties: { offender: secret },
      fingerprints: { raw: secret },
    },
    { name: 'gitleaks' },
  );
  expect(found).toMatchObject({ category: 'secret', snippet: null, message: 'aws-key has detected ••• in a.env' });
  expect(JSON.stringify(found)).not.toContain(secret);
});

describe('category', () => {
  const lodash = { ruleId: 'CVE-2021-1', message: { text: "Package 'lodash@4.17.4' is vulnerable to 'CVE-2021-1'" } };
  test.each([
    ['CodeQL', {}, {}, 'sast'],
    ['Semgrep OSS', {}, {}, 'sast'],
    ['gitleaks', {}, {}, 'secret'],
    ['Checkov', {}, {}, 'iac'],
    ['KICS', {}, {}, 'iac'],
    ['grype', {}, {}, 'container'],
    ['osv-scanner', {}, {}, 'sca'],
    ['Scorecard', {}, {}, 'scorecard'],
    ['Snyk Open Source', {}, {}, 'sca'],
    ['Snyk IaC', {}, {}, 'iac'],
    ['SnykCode', {}, {}, 'sast'],
    ['Trivy', { name: 'OsPackageVulnerability' }, {}, 'container'],
    ['Trivy', { name: 'LanguageSpecificPackageVulnerability' }, {}, 'sca'],
    ['Trivy', { name: 'LanguageSpecificPackageVulnerability' }, { properties: { imageName: 'alpine' } }, 'container'],
    ['Trivy', { name: 'Misconfiguration' }, {}, 'iac'],
    ['Trivy', { name: 'Secret' }, {}, 'secret'],
    ['A scanner of our own', {}, {}, 'sast'],
  ])('of %s with rule %j and run %j is %s', async (name, rule, run, category) => {
    expect((await one({ ruleId: 'r' }, { name, rules: [{ id: 'r', ...rule }] }, run)).category).toBe(category);
  });
  test('of an unknown scanner is sca when the result names a package', async () => {
    expect(await one(lodash)).toMatchObject({ category: 'sca', package: { name: 'lodash', version: '4.17.4' } });
  });
});

test('replaces characters that the database cannot store', async () => {
  const found = await one({ ruleId: 'r\0', message: { text: `half \ud800 and \0` } });
  expect([found.ruleId, found.message]).toEqual(['r\ufffd', 'half \ufffd and \ufffd']);
});
