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
