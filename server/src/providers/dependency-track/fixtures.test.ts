import { expect, test } from 'vitest';
import findings from './fixtures/findings.json' with { type: 'json' };
import project from './fixtures/project.json' with { type: 'json' };
import { trackedResultOf } from './results.ts';
import { findingList, projectList, projectTimes } from './shapes.ts';

test('reads a project with its times', () => {
  expect(projectTimes.parse(project)).toEqual({
    lastBomImport: 1770000000000,
    lastVulnerabilityAnalysis: 1770000600000,
  });
  expect(projectList.parse([project])).toMatchObject([{ isLatest: true, externalReferences: [{ type: 'vcs' }] }]);
});

test('reads findings with their score and the decision of their audit', () => {
  const results = findingList.parse(findings).map((one) => trackedResultOf(one, 'https://track.example.com'));
  expect(results).toMatchObject([
    {
      ruleId: 'CVE-2026-25547',
      title: 'Expansion of ranges takes exponential time',
      severity: 'critical',
      cwes: [1333],
      codes: [{ id: 'CWE-1333' }, { id: 'CVE-2026-25547' }, { id: 'GHSA-7h2j-956f-4vf2' }],
      package: { name: 'brace-expansion', version: '2.0.3' },
      // It has no other score.
      assessment: { cvss: { score: 9.2, vector: expect.stringMatching(/^CVSS:4\.0/) } },
      discoveredAt: '2026-02-02T02:40:00.000Z',
      state: 'open',
    },
    {
      ruleId: 'CVE-2022-24999',
      assessment: { cvss: { score: 7.5, vector: null } },
      state: 'suppressed',
      suppressed: { reason: 'false positive' },
    },
    {
      package: { name: 'org.example:parser', version: '1.2.2' },
      assessment: { cvss: { score: 5, vector: null } },
      state: 'fixed',
    },
  ]);
});

test('reads a finding without what Dependency-Track may omit, and states nothing in its place', () => {
  const [result] = findingList
    .parse([{ component: { uuid: 'c', name: 'parser' }, vulnerability: { uuid: 'v', vulnId: 'INTERNAL-1' } }])
    .map((one) => trackedResultOf(one, 'https://track.example.com'));
  expect(result).toMatchObject({
    title: 'INTERNAL-1',
    description: '',
    severity: 'info',
    severityTold: false,
    cwes: [],
    codes: [],
    package: { name: 'parser', version: null, fixedIn: null },
    assessment: { state: null, cvss: null },
    discoveredAt: null,
    state: 'open',
    scannerReference: { url: 'https://track.example.com/vulnerabilities/NVD/INTERNAL-1' },
  });
});
