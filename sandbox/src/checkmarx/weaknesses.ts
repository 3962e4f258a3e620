/** The findings of the simulated Checkmarx. Rules and packages are real, their occurrence is fictitious. */

export type CodeQuery = {
  /** Twenty digits, which exceeds JSON numbers in most languages. */
  id: string;
  name: string;
  language: string;
  severity: string;
  cwe: number;
  description: string;
  compliances: string[];
  state?: string;
  comment?: string;
};

export type SettingQuery = {
  id: string;
  name: string;
  severity: string;
  platform: string;
  description: string;
  expected: string;
  actual: string;
};

export type Package = {
  identifier: string;
  name: string;
  version: string;
  fixedIn: string;
  cve: string;
  cwe: string;
  ghsa: string;
  severity: string;
  score: number;
  description: string;
};

export type PlantedWeakness =
  | { kind: 'sast'; query: CodeQuery; path: string; lines: number[] }
  | { kind: 'kics'; query: SettingQuery; path: string; lines: number[] }
  | { kind: 'sca' | 'container'; found: Package; path: string | null }
  | { kind: 'secret'; path: string; lines: number[] }
  | { kind: 'scorecard' };

const common = ['OWASP Top 10 2021', 'PCI DSS v4.0', 'NIST SP 800-53', 'FISMA 2014'];

const query = (
  id: string,
  {
    name,
    severity,
    cwe,
    description,
    rest = {},
  }: { name: string; severity: string; cwe: number; description: string; rest?: Partial<CodeQuery> | undefined },
): CodeQuery => ({
  id,
  name,
  severity,
  cwe,
  description,
  language: 'JavaScript',
  compliances:
    severity === 'LOW'
      ? ['OWASP Top 10 2021']
      : [...common, ...(cwe === 89 || cwe === 79 ? ['CWE top 25', 'SANS top 25'] : [])],
  ...rest,
});

export const codeQueries: CodeQuery[] = [
  query('14517067005933136034', {
    name: 'SQL_Injection',
    severity: 'CRITICAL',
    cwe: 89,
    description: 'builds an SQL query from what a user sent',
  }),
  query('11301225196674650117', {
    name: 'Reflected_XSS',
    severity: 'HIGH',
    cwe: 79,
    description: 'writes what a user sent into a page',
  }),
  query('1779421333800271656', {
    name: 'Path_Traversal',
    severity: 'HIGH',
    cwe: 22,
    description: 'opens a file whose name a user sent',
  }),
  query('12956636075206043460', {
    name: 'Privacy_Violation',
    severity: 'MEDIUM',
    cwe: 359,
    description: 'sends personal information outside the application',
  }),
  query('9349880549689768001', {
    name: 'Command_Injection',
    severity: 'CRITICAL',
    cwe: 78,
    description: 'runs a command with what a user sent',
    rest: {
      state: 'NOT_EXPLOITABLE',
      comment: 'Only called by the build, with values of our own.',
    },
  }),
  query('7929843929890809001', {
    name: 'Missing_HSTS_Header',
    severity: 'MEDIUM',
    cwe: 346,
    description: 'answers without the header that asks for https',
  }),
  query('7846472296093057013', {
    name: 'Heap_Inspection',
    severity: 'LOW',
    cwe: 244,
    description: 'keeps a password in memory longer than needed',
  }),
  query('16830129845512093371', {
    name: 'Use_of_Insufficiently_Random_Values',
    severity: 'LOW',
    cwe: 330,
    description: 'makes a token with a predictable generator',
  }),
  query('3421087765432190871', {
    name: 'Log_Forging',
    severity: 'LOW',
    cwe: 117,
    description: 'writes what a user sent into a log',
  }),
  query('8812345678901234567', {
    name: 'SSRF',
    severity: 'HIGH',
    cwe: 918,
    description: 'calls an address that a user sent',
  }),
  query('5519283746501928374', {
    name: 'Open_Redirect',
    severity: 'MEDIUM',
    cwe: 601,
    description: 'leads a browser to an address that a user sent',
  }),
];

export const settingQueries: SettingQuery[] = [
  {
    id: '555ab8f9-2001-455e-a077-f2d0f41e2fb9',
    name: 'Unpinned Actions Full Length Commit SHA',
    severity: 'low',
    platform: 'CICD',
    description: 'Pinning an action to a full commit is the only way to use it as it was reviewed.',
    expected: 'Action pinned to a full length commit SHA.',
    actual: 'Action is not pinned to a full length commit SHA.',
  },
  {
    id: 'fd54f200-402c-4333-a5a4-36ef6709af2f',
    name: 'Missing User Instruction',
    severity: 'HIGH',
    platform: 'Dockerfile',
    description: 'A user should be named, otherwise the image runs as root.',
    expected: "The 'Dockerfile' should contain the 'USER' instruction",
    actual: "The 'Dockerfile' does not contain any 'USER' instruction",
  },
  {
    id: 'ce76b7d0-9e77-464d-b86f-c5c48e03e22d',
    name: 'Container Traffic Not Bound To Host Interface',
    severity: 'Medium',
    platform: 'DockerCompose',
    description: 'Traffic to a container should be bound to one interface of the host.',
    expected: "'ports' bound to a specific host interface",
    actual: "'ports' not bound to a specific host interface",
  },
];

const known = (
  cve: string,
  {
    cwe,
    ghsa,
    severity,
    score,
    fixedIn,
    description,
  }: { cwe: string; ghsa: string; severity: string; score: number; fixedIn: string; description: string },
) => ({
  cve,
  cwe,
  ghsa,
  severity,
  score,
  fixedIn,
  description,
});

export const packages: Package[] = [
  {
    identifier: 'Npm-minimist-1.2.5',
    name: 'minimist',
    version: '1.2.5',
    ...known('CVE-2021-44906', {
      cwe: 'CWE-1321',
      ghsa: 'GHSA-xvch-5gv4-984h',
      severity: 'CRITICAL',
      score: 9.8,
      fixedIn: '1.2.6',
      description: 'Minimist is vulnerable to prototype pollution via file index.js, function setKey().',
    }),
  },
  {
    identifier: 'Npm-lodash-4.17.20',
    name: 'lodash',
    version: '4.17.20',
    ...known('CVE-2021-23337', {
      cwe: 'CWE-94',
      ghsa: 'GHSA-35jh-r3h4-6jhm',
      severity: 'HIGH',
      score: 7.2,
      fixedIn: '4.17.21',
      description: 'Lodash is vulnerable to command injection via the template function.',
    }),
  },
  {
    identifier: 'Npm-debug-2.6.4',
    name: 'debug',
    version: '2.6.4',
    ...known('CVE-2017-16137', {
      cwe: 'CWE-1333',
      ghsa: 'GHSA-gxpj-cx7g-858c',
      severity: 'LOW',
      score: 3.7,
      fixedIn: '2.6.9',
      description: 'The debug module is vulnerable to regular expression denial of service.',
    }),
  },
  {
    identifier: 'Npm-on-headers-1.0.2',
    name: 'on-headers',
    version: '1.0.2',
    ...known('CVE-2025-7339', {
      cwe: 'CWE-241',
      ghsa: 'GHSA-76c9-3jph-rj3q',
      severity: 'LOW',
      score: 3.4,
      fixedIn: '1.1.0',
      description: 'A bug in on-headers may change response headers when an array is passed to response.writeHead().',
    }),
  },
];

export const imagePackages: Package[] = [
  {
    identifier: '',
    name: 'golang.org/x/crypto',
    version: 'v0.0.0-20190611184440-5c40567a22f8',
    ...known('CVE-2022-30636', {
      cwe: 'CWE-22',
      ghsa: '',
      severity: 'LOW',
      score: 3.7,
      fixedIn: '',
      description: 'The name of a cached token is not limited to its folder on Windows.',
    }),
  },
  {
    identifier: '',
    name: 'binutils',
    version: '2.32-r0',
    ...known('CVE-2021-3487', {
      cwe: '',
      ghsa: '',
      severity: 'INFO',
      score: 0,
      fixedIn: '',
      description: 'Rejected reason: Non Security Issue.',
    }),
  },
];
