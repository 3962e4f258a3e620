import type { RepositoryDetail, RepositoryImport } from '@sightline/contract/sources/repositories.ts';

/** An enabled repository as returned by the API. */
export const repository = (change: Partial<RepositoryDetail> = {}): RepositoryDetail => ({
  id: '018f2a52-0000-7000-8000-000000000001',
  orgId: '018f2a52-0000-7000-8000-00000000000a',
  provider: 'github',
  providerRepoId: '1',
  owner: 'acme',
  name: 'api',
  fullName: 'acme/api',
  defaultBranch: 'main',
  isPrivate: true,
  private: true,
  tracked: true,
  pushedAt: '2026-11-20T10:00:00Z',
  url: 'https://github.example/acme/api',
  lastChange: '2026-11-20T10:00:00Z',
  scannerStatus: 'not_configured',
  severityCounts: null,
  openPullRequests: 3,
  import: null,
  missing: [],
  host: { state: 'connected', account: 'acme', settingsURL: 'https://github.example/acme', since: null },
  counts: { pullRequests: 5, commits: 40, contributors: 2 },
  truncatedAt: null,
  exploreContext: { contextId: '018f2a52-0000-7000-8000-00000000000c' },
  ...change,
});

/** An import that is reading commits. */
export const runningImport = (change: Partial<RepositoryImport> = {}): RepositoryImport => ({
  state: 'running',
  phase: 'commits',
  commits: { done: 400, total: 1600 },
  pullRequests: { done: 0, total: null },
  files: { done: 0, total: null },
  error: null,
  missing: 0,
  waitingUntil: null,
  startedAt: '2026-11-20T10:00:00Z',
  finishedAt: null,
  ...change,
});
