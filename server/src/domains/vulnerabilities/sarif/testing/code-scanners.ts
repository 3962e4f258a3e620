import { type ScannerFile, testLocation, testLog, testMessage } from './scanner-file.ts';

/** Files of code scanners. */
export const codeScanners: readonly ScannerFile[] = [
  {
    name: 'semgrep: a level only in the rule, a suppression in the code, no run properties',
    log: testLog({
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
      tool: {
        driver: {
          name: 'Semgrep OSS',
          semanticVersion: '1.90.0',
          rules: [
            {
              id: 'python.lang.security.audit.exec',
              name: 'python.lang.security.audit.exec',
              defaultConfiguration: { level: 'error' },
              shortDescription: testMessage('Semgrep Finding: python.lang.security.audit.exec'),
              properties: { precision: 'very-high', tags: ["CWE-95: Improper Neutralization ('Eval Injection')"] },
            },
            { id: 'generic.note', defaultConfiguration: { level: 'note' } },
          ],
        },
      },
      results: [
        {
          ruleId: 'python.lang.security.audit.exec',
          fingerprints: { 'matchBasedId/v1': 'aaaa_0' },
          locations: [testLocation('app/run.py', 4, { uriBaseId: '%SRCROOT%' })],
          message: testMessage('exec is used'),
          properties: {},
        },
        {
          ruleId: 'python.lang.security.audit.exec',
          fingerprints: { 'matchBasedId/v1': 'aaaa_1' },
          locations: [testLocation('app/run.py', 9, { uriBaseId: '%SRCROOT%' })],
          message: testMessage('exec is used'),
          suppressions: [{ kind: 'inSource' }],
        },
        {
          ruleId: 'generic.note',
          fingerprints: { 'matchBasedId/v1': 'b' },
          locations: [testLocation('a.txt', 1)],
          message: {},
        },
      ],
    }),
    open: { 'high sast': 1, 'low sast': 1 },
    dismissed: { 'high sast': 1 },
    places: ['a.txt:1', 'app/run.py:4'],
  },
  {
    name: 'codeql: rules in extensions by position, several locations, taxa without names, related locations',
    log: testLog({
      tool: {
        driver: { name: 'CodeQL', semanticVersion: '2.19.0', rules: [{ id: 'driver/only' }] },
        extensions: [
          { name: 'codeql/empty', semanticVersion: '1.0.0' },
          {
            name: 'codeql/javascript-queries',
            rules: [
              { id: 'js/xss', defaultConfiguration: { level: 'warning' }, properties: { 'security-severity': '6.1' } },
              { id: 'js/sql', properties: { 'security-severity': '8.8', tags: ['external/cwe/cwe-089'] } },
              { id: 'js/style', defaultConfiguration: {} },
            ],
          },
        ],
      },
      originalUriBaseIds: { '%SRCROOT%': { uri: 'file:///home/runner/work/api/api/' } },
      artifacts: [{ location: { uri: 'src/x.js', uriBaseId: '%SRCROOT%', index: 0 } }],
      results: [
        {
          ruleId: 'js/xss',
          rule: { id: 'js/xss', index: 0, toolComponent: { index: 1 } },
          message: testMessage('XSS from [here](1) and [there](2).'),
          locations: [
            { physicalLocation: { artifactLocation: { index: 0 }, region: { startLine: 12, startColumn: 3 } } },
            testLocation('src/y.js', 3),
            testLocation('src/z.js', 5),
          ],
          relatedLocations: [{ id: 1, ...testLocation('src/y.js', 1) }],
          partialFingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0:1' },
        },
        {
          rule: { index: 1, toolComponent: { index: 1 } },
          message: testMessage('SQL'),
          locations: [testLocation('src/y.js', 7)],
        },
        {
          rule: { index: 2, toolComponent: { index: 1 } },
          message: testMessage('Style'),
          locations: [testLocation('src/y.js', 8)],
        },
      ],
      columnKind: 'utf16CodeUnits',
    }),
    open: { 'medium sast': 2, 'high sast': 1 },
    places: ['src/x.js:12', 'src/y.js:7', 'src/y.js:8'],
  },
  {
    name: 'gosec: weaknesses by relationships to a taxonomy referenced by GUID',
    log: testLog({
      tool: {
        driver: {
          name: 'gosec',
          guid: '8b518d5f-906d-39f9-894b-d327b1a421c5',
          rules: [
            {
              id: 'G101',
              name: 'Potential hardcoded credentials',
              defaultConfiguration: { level: 'error' },
              relationships: [
                {
                  target: { id: '798', guid: '4ea0', toolComponent: { guid: 'F2856FC0', name: 'CWE' } },
                  kinds: ['superset'],
                },
              ],
              properties: { precision: 'low', tags: ['security', 'HIGH'] },
            },
            { id: 'G104', defaultConfiguration: { level: 'warning' } },
          ],
          supportedTaxonomies: [{ guid: 'F2856FC0', name: 'CWE' }],
        },
      },
      taxonomies: [{ name: 'CWE', guid: 'f2856fc0', taxa: [{ id: '798' }] }],
      results: [
        {
          level: 'error',
          ruleId: 'G101',
          ruleIndex: 0,
          message: testMessage('Potential hardcoded credentials'),
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'main.go' },
                region: { startLine: 7, snippet: testMessage('pw := ""') },
              },
            },
          ],
        },
        ...[11, 12, 13].map((startLine) => ({
          level: 'warning',
          ruleId: 'G104',
          ruleIndex: 1,
          message: testMessage('Errors unhandled'),
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'main.go' },
                region: { startLine, snippet: testMessage('\tdefer f.Close()\n') },
              },
            },
          ],
        })),
      ],
    }),
    open: { 'high sast': 1, 'medium sast': 3 },
    places: ['main.go:11', 'main.go:12', 'main.go:13', 'main.go:7'],
  },
  {
    name: 'eslint: absolute file URIs with escapes below the named base',
    log: testLog({
      tool: { driver: { name: 'ESLint', rules: [{ id: 'no-eval', helpUri: 'https://eslint.org/docs/no-eval' }] } },
      originalUriBaseIds: { ROOT: { uri: 'file:///srv/ci/checkout%20two/' } },
      artifacts: [{ location: { uri: 'file:///srv/ci/checkout%20two/src/na%C3%AFve%20file.js' } }],
      results: [
        {
          level: 'error',
          ruleId: 'no-eval',
          ruleIndex: 0,
          message: testMessage('eval can be harmful.'),
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'file:///srv/ci/checkout%20two/src/na%C3%AFve%20file.js', index: 0 },
                region: { startLine: 3 },
              },
            },
          ],
        },
        {
          level: 'warning',
          ruleId: 'no-unknown',
          message: testMessage('No rule says what this is'),
          locations: [testLocation('100%.js', 1)],
        },
      ],
    }),
    open: { 'high sast': 1, 'medium sast': 1 },
    places: ['100%.js:1', 'src/naïve file.js:3'],
  },
  {
    name: 'snyk: numeric and invalid severities, a rule without a level, no snippet, a score of zero',
    log: testLog({
      automationDetails: { id: 'Snyk/Code/2026-01-01T00:00:00Z' },
      tool: {
        driver: {
          name: 'SnykCode',
          semanticVersion: '1.0.0',
          rules: [
            { id: 'javascript/sqli', properties: { cwe: ['CWE-89'], 'security-severity': 7.5 } },
            {
              id: 'javascript/odd',
              defaultConfiguration: { level: 'error' },
              properties: { 'security-severity': 'high' },
            },
            { id: 'javascript/none', defaultConfiguration: { level: 'note' }, properties: { 'security-severity': '' } },
            { id: 'javascript/beyond', properties: { 'security-severity': '42' } },
            { id: 'javascript/null', properties: { 'security-severity': null, tags: null } },
            { id: 'javascript/zero', properties: { 'security-severity': '0.0' } },
          ],
        },
      },
      results: [0, 1, 2, 3, 4, 5].map((ruleIndex) => ({
        ruleIndex,
        message: { text: 'Unsanitized **input**', markdown: 'Unsanitized {0}', arguments: ['[input](0)'] },
        locations: [testLocation('/src/index.js', ruleIndex + 1)],
        fingerprints: { identity: `${ruleIndex}`, 1: 'ab.cd' },
        codeFlows: [{ threadFlows: [{ locations: [{ location: { id: 0, ...testLocation('src/in.js', 3) } }] }] }],
      })),
    }),
    open: { 'high sast': 2, 'low sast': 1, 'medium sast': 2, 'info sast': 1 },
  },
];
