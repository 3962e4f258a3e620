import type { Integration, ScannerProject, ScannerSettings } from '@sightline/contract/sources/integrations.ts';

/** Checkmarx One before its first connection; `change` overrides fields. */
export const checkmarx = (change: Partial<Integration> = {}): Integration => ({
  name: 'checkmarx',
  title: 'Checkmarx One',
  category: 'security-scanners',
  description: 'Findings of SAST, SCA, IaC, container and secret scans.',
  status: 'inactive',
  detail: null,
  lastSyncAt: null,
  checkedAt: null,
  problem: null,
  missing: [],
  notes: [],
  links: [],
  defaultURL: 'https://ast.checkmarx.net',
  ...change,
});

export const idleSync: ScannerSettings['sync'] = {
  state: 'idle',
  projects: { done: 12, total: 12 },
  results: 1240,
  error: null,
  startedAt: '2026-03-01T12:00:00.000Z',
  finishedAt: '2026-03-01T12:01:00.000Z',
};

export const settings = (change: Partial<ScannerSettings> = {}): ScannerSettings => ({
  tenant: 'acme',
  baseURL: 'https://ast.checkmarx.net',
  keyEnd: '9f3c',
  webhookURL: 'https://sightline.example/api/webhooks/checkmarx',
  webhook: 'registered',
  sync: idleSync,
  ...change,
});

export const project = (change: Partial<ScannerProject> = {}): ScannerProject => ({
  id: 'p-1',
  name: 'payments',
  repoUrl: 'https://github.example/acme/payments',
  repository: null,
  matchedBy: null,
  lastScanAt: null,
  ...change,
});
