import { type ChartKind, type GroupField, groupFields } from '@sightline/contract/timeline/event-charts.ts';

export const chartNames: Record<ChartKind, string> = {
  bars: 'Totals',
  lines: 'Over time',
  hours: 'Hours of the week',
};

export const groupNames: Record<GroupField, string> = {
  kind: 'Kind',
  repo: 'Repository',
  actor: 'Actor',
  source: 'Source',
  branch: 'Branch',
  status: 'Status',
  review: 'Review',
  agent: 'Agent',
  model: 'Model',
  ai: 'Attribution to agents',
  tool: 'Tool',
  vendor: 'Vendor',
  site: 'Site',
  browser: 'Browser',
  severity: 'Severity',
  category: 'Kind of scan',
  rule: 'Rule',
  cwe: 'CWE',
  lang: 'Language',
  ext: 'File extension',
};

export const groupChoices = groupFields.map((field) => ({ value: field, label: groupNames[field] }));
