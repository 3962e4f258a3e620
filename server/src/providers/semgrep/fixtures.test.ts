import { expect, test } from 'vitest';
import code from './fixtures/findings-sast.json' with { type: 'json' };
import packages from './fixtures/findings-sca.json' with { type: 'json' };
import { semgrepResultOf } from './results.ts';
import { findingPage } from './shapes.ts';

const resultsOf = (page: unknown) => findingPage.parse(page).findings.map(semgrepResultOf);

test('reads findings of Code, and ignored ones as suppressed with their reason', () => {
  expect(resultsOf(code)).toMatchObject([
    {
      ruleId: 'javascript.express.security.cookie-without-httponly',
      title: 'Cookie Security',
      severity: 'high',
      category: 'sast',
      cwes: [1004],
      path: 'src/cookie.js',
      line: 12,
      endLine: 14,
      content: 'matchBasedId/v1=3f0c11d2a9_0',
      evidence: { region: { column: 3, endColumn: 6 } },
      package: null,
      state: 'open',
      suppressed: null,
      discoveredAt: '2026-02-18T23:28:12.391Z',
      scannerReference: { number: '7001' },
    },
    {
      state: 'suppressed',
      suppressed: { reason: 'acceptable risk', comment: 'Only constants reach it' },
      cwes: [95],
    },
  ]);
});

test('reads findings of Supply Chain with package, advisory and fixed version', () => {
  expect(resultsOf(packages)).toMatchObject([
    {
      title: 'Prototype Pollution in lodash',
      severity: 'critical',
      category: 'sca',
      codes: [{ id: 'CWE-1321' }, { id: 'CVE-2020-8203' }],
      package: { name: 'lodash', version: '4.17.15', fixedIn: '4.17.19' },
    },
  ]);
});

const [found] = code.findings;
const resultOf = (part: object) => resultsOf({ findings: [{ ...found, ...part }] })[0];

test('reads a finding without what Semgrep may omit, and states nothing in its place', () => {
  const bare = { rule: null, rule_name: 'rules.eval', location: null, severity: 'experiment', created_at: 'soon' };
  expect(
    resultOf({ ...bare, match_based_id: null, line_of_code_url: null, confidence: null, status: null }),
  ).toMatchObject({
    ruleId: 'rules.eval',
    title: 'rules.eval',
    severity: 'info',
    severityTold: false,
    cwes: [],
    path: null,
    line: null,
    endLine: null,
    content: null,
    discoveredAt: null,
    assessment: { state: null, confidence: null },
    scannerReference: { url: null },
  });
  expect(resultOf({ rule: null, rule_name: null })).toMatchObject({ reason: 'has no rule' });
});

test.each([
  ['fixed by its status', { status: 'fixed' }, 'fixed'],
  ['fixed by its state', { status: null, state: 'fixed' }, 'fixed'],
  ['open if only the assistant ignored it', { status: 'provisionally_ignored', state: null }, 'open'],
])('a finding is %s', (_, part, state) => {
  expect(resultOf(part)).toMatchObject({ state });
});

test.each([
  ['cve-2026-12345', [{ id: 'CVE-2026-12345' }]],
  ['ghsa-aaaa-bbbb-cccc', [{ id: 'GHSA-aaaa-bbbb-cccc' }]],
  ['MAL-2026-1', []],
])('the vulnerability %s has its code, if it is one', (id, codes) => {
  const dependency = { found_dependency: { package: 'lodash' }, fix_recommendations: [{ package: 'other' }] };
  expect(
    resultOf({ ...dependency, rule: { name: 'r', cwe_names: ['none'] }, vulnerability_identifier: id }),
  ).toMatchObject({
    codes,
    category: 'sca',
    package: { name: 'lodash', version: null, fixedIn: null },
  });
});

test('an ignored finding without a reason is suppressed all the same', () => {
  expect(resultOf({ status: 'ignored', triage_reason: '', triage_comment: null })).toMatchObject({
    suppressed: { reason: 'ignored', comment: '' },
  });
});
