import { describe, expect, test } from 'vitest';
import { parseJsonExactly } from './json.ts';
import { checkmarxResultFrom, type ResultLinkContext } from './results.ts';

const showing: ResultLinkContext = { baseURL: 'https://ast.example', projectId: 'p' };

/** Parses a valid result with changed fields. */
const parsed = (change: Record<string, unknown>) => {
  const found = checkmarxResultFrom(
    { type: 'sast', id: '1', severity: 'HIGH', state: 'TO_VERIFY', ...change },
    0,
    showing,
  );
  if (!('ruleId' in found)) throw new Error('not a finding');
  return found;
};

describe('categories', () => {
  test.each([
    ['sast', 'sast'],
    ['SAST', 'sast'],
    ['sca', 'sca'],
    ['dependency', 'sca'],
    ['sca-direct', 'sca'],
    ['sca-container', 'container'],
    ['containers', 'container'],
    ['kics', 'iac'],
    ['infrastructure', 'iac'],
    ['sscs-secret-detection', 'secret'],
    ['sscs-scorecard', 'scorecard'],
    ['apisec', 'sast'],
    ['api-security', 'sast'],
  ])('maps type %s to %s', (type, category) => {
    expect(parsed({ type }).category).toBe(category);
  });

  test('rejects other types and values that are not results, with their path', () => {
    expect(checkmarxResultFrom({ type: 'license' }, 3, showing)).toEqual({
      place: 'results[3]',
      reason: 'is of the type “license”, which Sightline does not support',
    });
    for (const raw of [null, 7, 'sast', [], {}, { type: '' }]) {
      expect(checkmarxResultFrom(raw, 17, showing)).toEqual({
        place: 'results[17]',
        reason: 'is not a result: it has no type',
      });
    }
  });
});

test.each([
  ['CRITICAL', 'critical'],
  ['High', 'high'],
  ['medium', 'medium'],
  ['Moderate', 'medium'],
  ['LOW', 'low'],
  ['INFO', 'info'],
  ['Information', 'info'],
  ['', 'info'],
  [null, 'info'],
  [7, 'info'],
])('maps severity %s to %s', (severity, expected) => {
  expect(parsed({ severity }).severity).toBe(expected);
});

describe('weaknesses', () => {
  test.each([
    [89, [89]],
    ['599', [599]],
    ['CWE-22', [22]],
    ['cwe-079', [79]],
    ['', []],
    ['NVD-CWE-Other', []],
    [undefined, []],
    [null, []],
    [0, []],
  ])('are read from cweId %s', (cweId, cwes) => {
    expect(parsed({ vulnerabilityDetails: { cweId } }).cwes).toEqual(cwes);
  });

  test('include no CVE when the CVE field is empty or contains a CWE', () => {
    const sca = (cveName: unknown, id = 'Cx08fcacc9-cb99') =>
      parsed({
        type: 'sca',
        id,
        similarityId: id,
        data: { packageIdentifier: 'Npm-debug-2.6.4' },
        vulnerabilityDetails: { cveName },
      });
    expect(sca('CWE-401').title).toBe('Cx08fcacc9-cb99 in debug 2.6.4');
    expect(sca('').codes).toEqual([]);
    expect(sca('CVE-2017-16137').codes.map(({ id }) => id)).toEqual(['CVE-2017-16137']);
    expect(sca(null, 'CVE-2017-16137').title).toBe('CVE-2017-16137 in debug 2.6.4');
  });
});

test('separates results of one CVE by package and joins them across versions', () => {
  const content = (packageIdentifier: string) =>
    parsed({ type: 'sca', similarityId: 'CVE-2020-1', data: { packageIdentifier } }).content;
  expect(content('Npm-debug-2.6.4')).not.toBe(content('Npm-other-2.6.4'));
  expect(content('Npm-debug-2.6.4')).toBe(content('Npm-debug-2.6.5'));
});

test.each([
  ['Npm-debug-2.6.4', 'debug', '2.6.4'],
  ['Npm-on-headers-1.0.2', 'on-headers', '1.0.2'],
  ['Npm-@babel/traverse-7.23.0', '@babel/traverse', '7.23.0'],
  ['Maven-com.thoughtworks.xstream:xstream-1.4.5', 'com.thoughtworks.xstream:xstream', '1.4.5'],
  ['Maven-org.apache.logging.log4j:log4j-1.2-api-2.17.1', 'org.apache.logging.log4j:log4j-1.2-api', '2.17.1'],
  [
    'Go-golang.org/x/crypto-v0.0.0-20160816185256-f0e11a3ccc7e',
    'golang.org/x/crypto',
    'v0.0.0-20160816185256-f0e11a3ccc7e',
  ],
  ['Nuget-Foo.Bar-1.0.0-beta1', 'Foo.Bar', '1.0.0-beta1'],
  ['Python-lxml-4.2.5', 'lxml', '4.2.5'],
  ['Npm-left-pad', 'left-pad', null],
])('parses the package of %s', (packageIdentifier, name, version) => {
  expect(parsed({ type: 'sca', data: { packageIdentifier } }).package).toMatchObject({ name, version });
});

describe('states', () => {
  test('suppresses a NOT_EXPLOITABLE result with reason and comment', () => {
    const found = parsed({ state: 'NOT_EXPLOITABLE', comments: { comments: 'Only in tests' } });
    expect([found.state, found.suppressed]).toEqual([
      'suppressed',
      { reason: 'not_exploitable', comment: 'Only in tests' },
    ]);
    expect(parsed({ state: 'Not Exploitable', comments: '' }).suppressed?.comment).toBe('');
  });

  test.each(['TO_VERIFY', 'PROPOSED_NOT_EXPLOITABLE', 'CONFIRMED', 'URGENT', 'OUR_OWN_STATE', undefined])(
    'keeps a result in state %s open',
    (state) => {
      expect(parsed({ state })).toMatchObject({ state: 'open', suppressed: null });
    },
  );

  test('gives FIXED precedence over any other state', () => {
    expect(parsed({ status: 'FIXED', state: 'NOT_EXPLOITABLE' })).toMatchObject({ state: 'fixed', suppressed: null });
  });
});

describe('locations', () => {
  test('locates a code weakness at its source, with the data flow to its sink', () => {
    const nodes = [
      { fileName: '/src/a.ts', line: 3, fullName: 'a.input' },
      { fileName: '\\src\\b.ts', line: '9', name: 'query' },
    ];
    expect(parsed({ data: { queryName: 'SQL_Injection', nodes } })).toMatchObject({
      title: 'SQL Injection',
      ruleId: 'SQL_Injection',
      path: 'src/a.ts',
      line: 3,
      flow: [
        { filePath: 'src/a.ts', line: 3, endLine: null, message: 'a.input' },
        { filePath: 'src/b.ts', line: 9, endLine: null, message: 'query' },
      ],
    });
    expect(parsed({ data: { queryName: 'X', nodes: [] } })).toMatchObject({ path: null, line: null, flow: [] });
  });

  test.each([{ fileName: '/deploy/Dockerfile' }, { filename: '/deploy/Dockerfile' }])(
    'locates an infrastructure result by %s',
    (where) => {
      expect(
        parsed({ type: 'kics', data: { ...where, queryName: 'Missing User', queryId: 'q', line: 1 } }),
      ).toMatchObject({
        path: 'deploy/Dockerfile',
        line: 1,
        ruleId: 'q',
        title: 'Missing User',
      });
    },
  );

  test('returns no file for a result about the repository', () => {
    const data = { ruleName: 'Branch-Protection', fileName: 'Issue Found in your GitHub repository', line: 0 };
    expect(parsed({ type: 'sscs-scorecard', data })).toMatchObject({
      path: null,
      line: null,
      title: 'Branch-Protection',
    });
  });

  test('discards a path outside the repository', () => {
    expect(parsed({ type: 'kics', data: { filename: '../../etc/passwd' } }).path).toBeNull();
  });
});

test('stores no code of a secret', () => {
  const data = { ruleName: 'Key', fileName: '/a', line: 2, snippet: 'key = AKIA1234567890', secret: 'AKIA1234567890' };
  expect(JSON.stringify(parsed({ type: 'sscs-secret-detection', data }))).not.toContain('AKIA');
});

test('keeps all digits of long numbers', () => {
  const raw = parseJsonExactly(
    '{"type":"sast","id":"1","data":{"queryId":1779421333800271656,"nodes":[]},"n":1.5,"m":-14517067005933136034,"x":12}',
  ) as Record<string, unknown>;
  expect(parsed(raw).ruleId).toBe('1779421333800271656');
  expect([raw.n, raw.m, raw.x]).toEqual([1.5, '-14517067005933136034', 12]);
});

test('treats fields of the wrong type as missing', () => {
  const found = parsed({
    severity: [],
    created: 'yesterday',
    firstFoundAt: '0001-01-01T00:00:00Z',
    comments: [1],
    description: {},
    data: 'text',
    vulnerabilityDetails: 7,
    similarityId: -510261233,
  });
  expect(found).toMatchObject({ severity: 'info', discoveredAt: null, message: '', content: '-510261233' });
});

test('keeps the compliance standards of the scanner and accepts only valid links', () => {
  const found = parsed({
    type: 'sca',
    data: {
      packageIdentifier: 'Npm-a-1.0.0',
      packageData: [
        { url: 'https://github.com/advisories/GHSA-76c9-3jph-rj3q', type: 'Advisory' },
        { url: 'javascript:alert(1)', type: 'Advisory' },
      ],
    },
    vulnerabilityDetails: { compliances: ['PCI DSS v4.0', 7, 'NIST SP 800-53'] },
  });
  expect(found.compliances.map(({ framework }) => framework)).toEqual(['PCI DSS v4.0', 'NIST SP 800-53']);
  expect(found.references).toEqual([{ title: 'Advisory', url: 'https://github.com/advisories/GHSA-76c9-3jph-rj3q' }]);
  expect(found.codes).toEqual([
    { kind: 'ghsa', id: 'GHSA-76c9-3jph-rj3q', url: 'https://github.com/advisories/GHSA-76c9-3jph-rj3q' },
  ]);
});

describe('results of single-engine endpoints', () => {
  test('are parsed for code', () => {
    const found = checkmarxResultFrom(
      {
        cweID: 79,
        languageName: 'python',
        queryID: '1',
        queryName: 'Reflected_XSS',
        resultHash: '8Y7G=',
        severity: 'HIGH',
        similarityID: -510261233,
        state: 'TO_VERIFY',
        status: 'RECURRENT',
        compliances: ['PCI DSS v4.0'],
        nodes: [{ fileName: '/risks.py', line: 34, name: 'data' }],
      },
      0,
      showing,
    );
    expect(found).toMatchObject({
      category: 'sast',
      severity: 'high',
      title: 'Reflected XSS',
      path: 'risks.py',
      line: 34,
      cwes: [79],
      content: '-510261233',
      compliances: [{ framework: 'PCI DSS v4.0', control: '' }],
    });
  });

  test('are parsed for infrastructure settings', () => {
    const found = checkmarxResultFrom(
      {
        ID: 'tI11=',
        similarityID: '32e3',
        severity: 'LOW',
        type: 'IncorrectValue',
        queryID: 'q',
        line: 72,
        queryName: 'Unpinned Actions',
        fileName: '/.github/workflows/codeql.yml',
        platform: 'CICD',
        expectedValue: 'Pinned.',
        actualValue: 'Not pinned.',
        description: 'Pin it.',
        comments: '/a',
      },
      0,
      showing,
    );
    expect(found).toMatchObject({
      category: 'iac',
      severity: 'low',
      title: 'Unpinned Actions',
      path: '.github/workflows/codeql.yml',
      line: 72,
      message: 'Expected: Pinned.\n\nFound: Not pinned.',
    });
  });
});
