import { type ScannerFile, testLocation, testLog, testMessage } from './scanner-file.ts';

/** Unusual files that the standard allows. */
export const oddFiles: readonly ScannerFile[] = [
  {
    name: 'spotbugs: only logical locations, rules by index, messages by ID',
    log: testLog({
      tool: {
        driver: {
          name: 'SpotBugs',
          rules: [
            {
              id: 'SQL_INJECTION',
              messageStrings: { default: testMessage('{0} passes a nonconstant String to {1}') },
              defaultConfiguration: { level: 'error' },
              properties: { tags: ['SECURITY'] },
            },
          ],
        },
        extensions: [{ version: 'SNAPSHOT', name: 'edu.umd.cs.findbugs.plugins.core' }],
      },
      results: ['org.shop.Cart.pay', 'org.shop.Cart.undo', 'org.shop.Stock.take'].map((fullyQualifiedName) => ({
        ruleIndex: 0,
        message: { id: 'default', arguments: [fullyQualifiedName, 'execute'] },
        locations: [{ logicalLocations: [{ name: 'm', kind: 'function', fullyQualifiedName }] }],
      })),
    }),
    open: { 'high sast': 3 },
  },
  {
    name: 'DevSkim: Windows paths, a byte order mark, a rule by GUID, kinds other than failures',
    before: '\ufeff',
    log: testLog({
      tool: {
        driver: {
          name: 'devskim',
          rules: [
            { id: 'DS126858', guid: '0B1A', defaultConfiguration: { level: 'error' } },
            { id: 'DS137138', properties: { DevSkimSeverity: 'Moderate' } },
          ],
        },
      },
      results: [
        { rule: { guid: '0B1A' }, message: testMessage('Weak hash'), locations: [testLocation('src\\Hash.cs', 4)] },
        {
          ruleId: 'DS137138',
          level: 'note',
          message: testMessage('http'),
          locations: [testLocation('./src/../src/Web.cs', 8)],
        },
        {
          ruleId: 'DS137138',
          kind: 'informational',
          message: testMessage('said'),
          locations: [testLocation('src/Web.cs', 9)],
        },
        {
          ruleId: 'DS137138',
          kind: 'review',
          level: 'warning',
          message: testMessage('look'),
          locations: [testLocation('src/Web.cs', 10)],
        },
        {
          ruleId: 'DS137138',
          kind: 'open',
          message: testMessage('unknown'),
          locations: [testLocation('src/Web.cs', 11)],
        },
        { ruleId: 'DS137138', kind: 'pass', level: 'none', message: testMessage('good') },
        { ruleId: 'DS137138', kind: 'notApplicable', level: 'none', message: testMessage('not for you') },
      ],
    }),
    open: { 'high sast': 1, 'low sast': 1, 'info sast': 2, 'medium sast': 1 },
    rejected: 2,
    places: ['src/Hash.cs:4', 'src/Web.cs:10', 'src/Web.cs:11', 'src/Web.cs:8', 'src/Web.cs:9'],
  },
  {
    name: 'PVS-Studio: absolute Windows paths below nested bases, baseline states, a rule ID in another case',
    log: testLog({
      tool: {
        driver: {
          name: 'PVS-Studio',
          semanticVersion: '7.33.0',
          rules: [{ id: 'V501', defaultConfiguration: { level: 'error' } }],
        },
      },
      versionControlProvenance: [
        { repositoryUri: 'https://code.example/a', revisionId: 'a'.repeat(40), mappedTo: { uriBaseId: 'REPO' } },
      ],
      originalUriBaseIds: {
        HOME: { uri: 'file:///C:/Users/mary/' },
        REPO: { uri: 'code/project/', uriBaseId: 'HOME' },
        SRC: { uri: 'src', uriBaseId: 'REPO' },
      },
      results: [
        {
          ruleId: 'V501',
          baselineState: 'unchanged',
          message: testMessage('Same'),
          locations: [testLocation('a.cpp', 3, { uriBaseId: 'SRC' })],
        },
        {
          ruleId: 'V501',
          baselineState: 'new',
          message: testMessage('Same'),
          locations: [testLocation('lib/b.cpp', 4, { uriBaseId: 'REPO' })],
        },
        {
          ruleId: 'V501',
          baselineState: 'updated',
          message: testMessage('Same'),
          locations: [testLocation('file:///C:/Users/mary/code/project/src/c%2B%2B.cpp', 5)],
        },
        {
          ruleId: 'V501',
          message: testMessage('Same'),
          locations: [testLocation('file:///c:/users/mary/code/project/src/d.cpp', 6)],
        },
      ],
    }),
    open: { 'high sast': 4 },
    places: ['lib/b.cpp:4', 'src/a.cpp:3', 'src/c++.cpp:5', 'src/d.cpp:6'],
  },
  {
    name: 'suppressions of every state',
    log: testLog({
      tool: { driver: { name: 'Tool' } },
      results: [
        [],
        null,
        [{ kind: 'external', status: 'underReview' }],
        [{ kind: 'external', status: 'rejected' }],
        [{ kind: 'external', status: 'accepted' }],
        [{ kind: 'inSource' }, { kind: 'external', status: 'accepted' }],
        [{ kind: 'inSource' }, { kind: 'external', status: 'underReview' }],
      ].map((suppressions, index) => ({
        ruleId: 'r',
        level: 'warning',
        message: testMessage('m'),
        locations: [testLocation('a.c', index + 1)],
        suppressions,
      })),
    }),
    open: { 'medium sast': 5 },
    dismissed: { 'medium sast': 2 },
  },
  {
    name: 'a compiler: rule levels set by the invocation, results that differ in one word',
    log: testLog({
      invocations: [
        {
          executionSuccessful: true,
          ruleConfigurationOverrides: [
            { descriptor: { id: 'CA2000', index: 0 }, configuration: { level: 'error' } },
            { descriptor: { index: 1 }, configuration: { level: 'note', parameters: {} } },
          ],
        },
      ],
      tool: {
        driver: {
          name: 'Compiler',
          rules: [{ id: 'CA2000' }, { id: 'CA2001', defaultConfiguration: { level: 'error' } }],
        },
      },
      results: [
        {
          ruleId: 'CA2000',
          ruleIndex: 0,
          provenance: { invocationIndex: 0 },
          message: testMessage('Dispose a'),
          locations: [testLocation('a.cs', 3)],
        },
        {
          ruleId: 'CA2000',
          ruleIndex: 0,
          provenance: { invocationIndex: 0 },
          message: testMessage('Dispose b'),
          locations: [testLocation('a.cs', 3)],
        },
        {
          ruleId: 'CA2001',
          ruleIndex: 1,
          provenance: { invocationIndex: 0 },
          message: testMessage('Read'),
          locations: [testLocation('a.cs', 3)],
        },
        {
          ruleId: 'CA2001',
          ruleIndex: 1,
          message: testMessage('Not of that invocation'),
          locations: [testLocation('a.cs', 4)],
        },
      ],
    }),
    open: { 'high sast': 3, 'low sast': 1 },
  },
  {
    name: 'results without a location, a rule or a message, and three equal results',
    log: testLog({
      tool: { driver: { name: 'Sparse', rules: [{ id: 'a', fullDescription: testMessage('About a') }] } },
      results: [
        { message: testMessage('Only words') },
        { ruleId: 'a' },
        { ruleIndex: 0, message: {}, locations: [] },
        {
          ruleId: 'a',
          message: testMessage('x'),
          locations: [{ physicalLocation: { address: { absoluteAddress: 4096 } } }],
        },
        { ruleId: 'a', message: testMessage('x'), locations: [{ id: 1 }, testLocation('found.c', 2)] },
        { ruleId: 'a', message: testMessage('x'), analysisTarget: { uri: 'target.c' } },
        ...[1, 2, 3].map(() => ({
          ruleId: 'b',
          message: testMessage('the same'),
          locations: [testLocation('same.c', 1)],
        })),
      ],
    }),
    open: { 'medium sast': 9 },
    places: ['found.c:2', 'same.c:1', 'same.c:1', 'same.c:1', 'target.c'],
  },
  {
    name: 'a version only in the schema URL, paths below the working directory, misnamed rules, a numeric CWE',
    log: {
      $schema: 'https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json',
      runs: [
        {
          invocations: [{ executionSuccessful: true, workingDirectory: { uri: 'file:///D:/work/api/' } }],
          tool: {
            driver: {
              name: 'Tool',
              rules: [{ id: 'T1', defaultConfiguration: { level: 'error' }, properties: { cwe: 79, tags: 'none' } }],
            },
          },
          results: [
            {
              ruleId: 't1',
              ruleIndex: 0,
              message: testMessage('m'),
              locations: [testLocation('D:\\work\\api\\src\\a.cs', 1)],
            },
            {
              ruleId: 'T1',
              ruleIndex: 7,
              message: testMessage('m'),
              locations: [testLocation('d:/WORK/api/src/b.cs', 2)],
            },
            {
              ruleId: 'T1',
              message: testMessage('m'),
              locations: [testLocation('file://build-7/D:/work/other/c.cs', 3)],
            },
          ],
        },
      ],
    },
    open: { 'high sast': 3 },
    places: ['D:/work/other/c.cs:3', 'src/a.cs:1', 'src/b.cs:2'],
  },
  {
    name: 'keys in an unusual order: results before the tool, runs before the version, properties everywhere',
    log: {
      properties: { odd: { runs: [{ results: [] }] } },
      runs: [
        {
          results: [
            {
              ruleIndex: 1,
              message: testMessage('late'),
              locations: [testLocation('a.c', 1)],
              properties: { results: [1] },
            },
          ],
          conversion: { tool: { driver: { name: 'Converter' } }, invocation: { executionSuccessful: false } },
          graphs: [{ nodes: [{ id: 'n' }] }],
          addresses: [],
          policies: [{ name: 'p', rules: [{ id: 'policy' }] }],
          translations: [{ name: 't', language: 'de' }],
          externalPropertyFileReferences: { graphs: [{ location: { uri: 'graphs.json' } }] },
          tool: {
            driver: {
              rules: [{ id: 'first' }, { id: 'second', defaultConfiguration: { level: 'error' } }],
              name: 'Late',
            },
          },
        },
      ],
      inlineExternalProperties: [{ graphs: [] }],
      version: '2.1.0',
    },
    open: { 'high sast': 1 },
  },
];
