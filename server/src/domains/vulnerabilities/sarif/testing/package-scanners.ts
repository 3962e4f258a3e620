import { type ScannerFile, testLocation, testLog, testMessage } from './scanner-file.ts';

/** Files of scanners for packages, images and configuration. */
export const packageScanners: readonly ScannerFile[] = [
  {
    name: 'trivy: four kinds of results in one run, severity as text, image locations',
    log: testLog({
      tool: {
        driver: {
          fullName: 'Trivy Vulnerability Scanner',
          name: 'Trivy',
          version: '0.57.0',
          rules: [
            { id: 'CVE-2024-1', name: 'OsPackageVulnerability', properties: { 'security-severity': '9.8' } },
            { id: 'CVE-2024-2', name: 'LanguageSpecificPackageVulnerability', properties: { 'security-severity': 5 } },
            { id: 'DS002', name: 'Misconfiguration', properties: { 'security-severity': '8.0' } },
            { id: 'aws-key', name: 'Secret', properties: { 'security-severity': '9.5' } },
            { id: 'CVE-2024-3', name: 'OsPackageVulnerability', defaultConfiguration: { level: 'none' } },
          ],
        },
      },
      results: ['CVE-2024-1', 'CVE-2024-2', 'DS002', 'aws-key', 'CVE-2024-3'].map((ruleId, ruleIndex) => ({
        ruleId,
        ruleIndex,
        level: ruleIndex === 4 ? 'none' : 'error',
        message: testMessage(`Package: p${ruleIndex}\nInstalled Version: 1.0\nFixed Version: 1.1\n`),
        locations: [
          {
            ...testLocation('library/alpine', 1, { uriBaseId: 'ROOTPATH' }),
            message: testMessage('library/alpine: p@1.0'),
          },
        ],
      })),
      originalUriBaseIds: { ROOTPATH: { uri: 'file:///' } },
    }),
    open: { 'critical container': 1, 'medium sca': 1, 'high iac': 1, 'critical secret': 1, 'info container': 1 },
  },
  {
    name: 'grype: one rule per package, a logical location beside the physical one',
    log: testLog({
      tool: {
        driver: {
          name: 'grype',
          rules: ['lodash', 'minimist'].map((name) => ({
            id: `GHSA-jf85-cpcp-j695-${name}`,
            name: 'JavascriptMatcherExactDirectMatch',
            help: testMessage(
              `Vulnerability GHSA-jf85-cpcp-j695\nSeverity: critical\nPackage: ${name}\nVersion: 4.17.4\n`,
            ),
            properties: { 'security-severity': '9.1', purls: [`pkg:npm/${name}@4.17.4`] },
          })),
        },
      },
      results: ['lodash', 'minimist'].map((name) => ({
        ruleId: `GHSA-jf85-cpcp-j695-${name}`,
        message: testMessage(
          `A critical vulnerability in npm package: ${name}, version 4.17.4 was found at: /package-lock.json`,
        ),
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'package-lock.json' },
              region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 },
            },
            logicalLocations: [{ name: '/package-lock.json', fullyQualifiedName: `image:/package-lock.json:${name}` }],
          },
        ],
        partialFingerprints: { primaryLocationLineHash: `hash of ${name}` },
      })),
    }),
    open: { 'critical container': 2 },
  },
  {
    name: 'bandit and checkov: several runs in one file, one of them twice, one empty',
    log: testLog(
      {
        tool: { driver: { name: 'Bandit', rules: [{ id: 'B105', properties: { tags: ['external/cwe/cwe-259'] } }] } },
        results: [
          {
            ruleId: 'B105',
            ruleIndex: 0,
            level: 'note',
            message: testMessage('Possible password'),
            locations: [testLocation('a.py', 1)],
          },
        ],
      },
      {
        tool: { driver: { name: 'Bandit', rules: [{ id: 'B105' }, { id: 'B602' }] } },
        results: [
          {
            ruleId: 'B602',
            ruleIndex: 1,
            level: 'error',
            message: testMessage('shell=True'),
            locations: [testLocation('b.py', 2)],
          },
        ],
      },
      {
        tool: { driver: { name: 'Checkov', organization: 'bridgecrew', rules: [{ id: 'CKV_AWS_20' }] } },
        results: [
          {
            ruleId: 'CKV_AWS_20',
            ruleIndex: 0,
            level: 'error',
            message: testMessage('Public bucket'),
            locations: [testLocation('s3.tf', 1)],
          },
          {
            ruleId: 'CKV_AWS_21',
            level: 'error',
            attachments: [],
            message: testMessage('Skipped'),
            locations: [testLocation('s3.tf', 1)],
            suppressions: [{ kind: 'external', justification: 'agreed', status: 'accepted' }],
          },
        ],
      },
      { tool: { driver: { name: 'Gitleaks', rules: [] } }, results: [] },
    ),
    open: { 'low sast': 1, 'high sast': 1, 'high iac': 1 },
    dismissed: { 'high iac': 1 },
  },
];
