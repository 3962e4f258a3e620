import type { Finding, FindingDetail, FindingStats } from '@sightline/contract/vulnerabilities/findings.ts';

/** An open, unread finding as returned in the list. */
export const finding = (change: Partial<Finding> = {}): Finding => ({
  id: '018f2a52-0000-7000-8000-000000000101',
  title: 'SQL injection through sort parameter',
  severity: 'critical',
  category: 'sast',
  tools: [{ id: 'codeql', name: 'CodeQL' }],
  dataSource: 'codeql',
  discoverDate: new Date(Date.now() - 3_600_000).toISOString(),
  repository: {
    id: '018f2a52-0000-7000-8000-000000000001',
    owner: 'acme',
    name: 'api',
    fullName: 'acme/api',
    provider: 'github',
  },
  ref: { ref: 'refs/heads/main' },
  coordinate: { filePath: 'src/statements/query.ts', line: 48, endLine: null },
  codes: [{ kind: 'cwe', id: 'CWE-89', url: 'https://cwe.mitre.org/data/definitions/89.html' }],
  status: 'open',
  acknowledged: false,
  unread: true,
  fingerprint: 'ab12',
  introducedBy: null,
  exception: null,
  dueAt: new Date(Date.now() + 6.5 * 86_400_000).toISOString(),
  assignee: null,
  ticketUrl: null,
  labels: [],
  ...change,
});

/** The same with the fields of its page. */
export const findingDetail = (change: Partial<FindingDetail> = {}): FindingDetail => ({
  ...finding(),
  ticket: null,
  introducedWith: [],
  description: 'The `sort` parameter reaches an **ORDER BY** clause.',
  message: 'This query depends on a user-provided value.',
  snippet: null,
  flow: [],
  otherFlows: [],
  region: null,
  locations: [],
  relatedLocations: [],
  fixes: [],
  package: null,
  assessment: null,
  references: [],
  compliances: [],
  sources: [],
  history: [],
  dismissal: null,
  waivers: [],
  codeUrl: 'https://github.example/acme/api/blob/9f3c1e2/src/statements/query.ts#L48',
  commit: '9f3c1e2000000000000000000000000000000000',
  exploreContext: { contextId: '018f2a52-0000-7000-8000-0000000000cc' },
  allowed: {
    dismiss: false,
    reopen: false,
    requestWaiver: false,
    merge: false,
    split: false,
    edit: false,
  },
  ...change,
});

/** Statistics after scans that found 12 and fixed 21. */
export const stats = (change: Partial<FindingStats> = {}): FindingStats => ({
  total: 214,
  repositories: 18,
  countBySeverity: { critical: 7, high: 31, medium: 88, low: 64, info: 24 },
  changeSinceLastScan: { added: 12, fixed: 21, net: -9 },
  lastScanAt: new Date(Date.now() - 240_000).toISOString(),
  trend: [
    { day: '2026-10-20', open: 238 },
    { day: '2026-11-20', open: 214 },
  ],
  ...change,
});
