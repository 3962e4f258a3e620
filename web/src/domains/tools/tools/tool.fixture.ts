import type { Tool, ToolFilters } from '@sightline/contract/tools/tools.ts';

/** A GitHub action in three repositories. */
export const tool = (change: Partial<Tool> = {}): Tool => ({
  id: 'trivy',
  name: 'Trivy',
  vendor: 'Aqua Security',
  icon: 'trivy',
  type: 'ci/cd',
  kind: 'cli',
  categories: ['Container security'],
  version: '0.28.0',
  sources: ['github-actions'],
  source: 'github-actions',
  firstSeen: '2026-01-05T10:00:00.000Z',
  lastSeen: new Date(Date.now() - 3_600_000).toISOString(),
  inUse: true,
  approval: { state: 'unreviewed', since: '2026-01-05T10:00:00.000Z', versions: null, policy: null },
  people: { items: [], total: 0 },
  projects: {
    items: ['api', 'site', 'wallet'].map((name) => ({ id: name, provider: 'github', fullName: `acme/${name}` })),
    total: 5,
  },
  ...change,
});

export const toolFilters = (change: Partial<ToolFilters> = {}): ToolFilters => ({
  totals: { cicd: 1, developer: 0 },
  vendors: [{ value: 'Aqua Security', label: 'Aqua Security', count: 1 }],
  statuses: [{ value: 'in-use', label: 'In use', count: 1 }],
  approvals: [{ value: 'unreviewed', label: 'Not reviewed', count: 1 }],
  toolsTypes: [{ value: 'cli', label: 'CLI tool', count: 1 }],
  toolsSources: [{ value: 'github-actions', label: 'GitHub Actions', count: 1 }],
  categories: [],
  members: [],
  repositories: [],
  scanning: { done: 3, total: 3, names: [] },
  ...change,
});
