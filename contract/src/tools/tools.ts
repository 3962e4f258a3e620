import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { atLedgerSize, recordedRow } from '../core/ledger-sizes.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';

/** The tabs of the inventory: build and check tools, and developer tools. */
export const toolTabs = ['ci/cd', 'developer'] as const;
export type ToolTab = (typeof toolTabs)[number];

/** The kinds of tools. */
export const toolKinds = [
  'ai-assistant',
  'browser',
  'browser-extension',
  'ci-action',
  'ci-runner',
  'cli',
  'ide',
  'ide-extension',
  'mcp-server',
  'package-manager',
  'saas',
] as const;
export type ToolKind = (typeof toolKinds)[number];
export const toolKindNames: Readonly<Record<ToolKind, string>> = {
  'ai-assistant': 'AI assistant',
  browser: 'Browser',
  'browser-extension': 'Browser extension',
  'ci-action': 'CI action',
  'ci-runner': 'CI runner',
  cli: 'CLI tool',
  ide: 'Editor',
  'ide-extension': 'Editor extension',
  'mcp-server': 'MCP server',
  'package-manager': 'Package manager',
  saas: 'Web service',
};

/** How a tool was detected: in a repository file, or by an extension (spec 9: vscode and browser). */
export const toolSources = [
  'repository',
  'github-actions',
  'gitlab-ci',
  'bitbucket-pipelines',
  'circleci',
  'azure-pipelines',
  'jenkins',
  'vscode',
  'browser',
] as const;
export type ToolSource = (typeof toolSources)[number];
export const toolSourceNames: Readonly<Record<ToolSource, string>> = {
  repository: 'Repository files',
  'github-actions': 'GitHub Actions',
  'gitlab-ci': 'GitLab CI',
  'bitbucket-pipelines': 'Bitbucket Pipelines',
  circleci: 'CircleCI',
  'azure-pipelines': 'Azure Pipelines',
  jenkins: 'Jenkins',
  vscode: 'Editor',
  browser: 'Browser',
};

/** The approval of the detected tool version by the policies in force. */
export const toolApprovals = ['approved', 'denied', 'unreviewed'] as const;
export type ToolApproval = (typeof toolApprovals)[number];
export const toolApprovalNames: Readonly<Record<ToolApproval, string>> = {
  approved: 'Approved',
  denied: 'Denied',
  unreviewed: 'Not reviewed',
};

const days = 24 * 60 * 60_000;

/** The color by the time last seen (spec 2.10): green within 2 days, orange within 7, red otherwise. */
export function toolFreshness(lastSeen: string, now: number): 'fresh' | 'ageing' | 'stale' {
  const age = now - Date.parse(lastSeen);
  if (age <= 2 * days) return 'fresh';
  return age <= 7 * days ? 'ageing' : 'stale';
}

const person = z.object({ id: z.string(), name: z.string(), picture: z.string().nullable() });
const project = z.object({ id: z.string(), provider: z.string(), fullName: z.string() });

export const tool = z.object({
  /** The catalog ID, or the reported name of an unknown tool: `action:acme/deploy`. */
  id: z.string(),
  name: z.string(),
  vendor: z.string().nullable(),
  /** Name of an icon in simple-icons; null: a placeholder. */
  icon: z.string().nullable(),
  type: z.enum(toolTabs),
  kind: z.enum(toolKinds),
  categories: z.array(z.string()),
  /** The newest seen version; null if unknown. */
  version: z.string().nullable(),
  sources: z.array(z.enum(toolSources)),
  /** The first of `sources`; null if no current source exists. */
  source: z.enum(toolSources).nullable(),
  firstSeen: timestamp,
  lastSeen: timestamp,
  /** False if no reference or installation exists any more. Null: not recorded at the ledger size. */
  inUse: z.boolean().nullable(),
  approval: z.object({
    state: z.enum(toolApprovals),
    /** Start of the policy version; for an unreviewed tool, when it was first seen. */
    since: timestamp,
    /** Patterns of the decided versions; null: all. */
    versions: z.array(z.string()).nullable(),
    /** Null: no policy applies. */
    policy: z.object({ id: z.string(), name: z.string(), version: z.number() }).nullable(),
  }),
  /** The longest-standing users of the tool. A Code Contributor sees only themselves. */
  people: z.object({ items: z.array(person), total: z.number() }),
  projects: z.object({ items: z.array(project), total: z.number() }),
  recorded: recordedRow.optional(),
});
export type Tool = z.infer<typeof tool>;

/** Whether the tool is still referenced or installed. */
export const toolStatuses = ['in-use', 'gone'] as const;
export type ToolStatus = (typeof toolStatuses)[number];
export const toolStatusNames: Readonly<Record<ToolStatus, string>> = {
  'in-use': 'In use',
  gone: 'No longer in use',
};

/** Number of people and projects in a row before '+N' (spec 2.10). */
export const MAX_SHOWN_TOOL_PEOPLE = 4;
export const MAX_SHOWN_TOOL_PROJECTS = 3;

const many = <T extends z.ZodType<string>>(each: T) => z.array(each).max(100);
/** Two days in UTC, both inclusive. Times are reduced to their days. */
const period = boundedText(80).transform((value, context) => {
  const days = value.split(',').map(dayOf);
  const [from, to, ...more] = days;
  if (from !== undefined && to !== undefined && more.length === 0 && from <= to) return days.join(',');
  context.addIssue('must be two dates joined by a comma, the earlier first, such as 2026-01-01,2026-01-31');
  return z.NEVER;
});
const dayOf = (value: string): string | undefined =>
  isDay(value) ? value : timestamp.safeParse(value).success ? new Date(value).toISOString().slice(0, 10) : undefined;
const isDay = (value: string): boolean => {
  if (!/^(19[7-9]|20\d)\d-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  // Date would turn February 31 into a day in March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
};

/** Spec 9: the last 7, 14 or 30 days, this year, custom days, or any time. */
export const activeRanges = ['7', '14', '30', 'year', 'any', 'custom'] as const;
export type ActiveRange = (typeof activeRanges)[number];

/** Returns the days of a range up to today, in UTC; undefined for any time and for custom days. */
export function periodOfRange(range: ActiveRange, now: Date): string | undefined {
  if (range === 'any' || range === 'custom') return undefined;
  const today = now.toISOString().slice(0, 10);
  if (range === 'year') return `${today.slice(0, 4)}-01-01,${today}`;
  return `${new Date(now.getTime() - Number(range) * 86_400_000).toISOString().slice(0, 10)},${today}`;
}

/** A range as its short name, or as named in section 9: '30 days', 'this year'. */
const activeRange = boundedText(20).transform((value, context) => {
  const word = value
    .toLowerCase()
    .replace(/^last\b|^this\b|\bdays$/g, '')
    .trim();
  const range = activeRanges.find((one) => one === word);
  if (range !== undefined) return range;
  context.addIssue(`must be one of ${activeRanges.join(', ')}`);
  return z.NEVER;
});

const inventoryFilters = {
  tab: z.enum(toolTabs),
  search: boundedText(200),
  vendors: many(boundedText(100)),
  types: many(z.enum(toolKinds)),
  sources: many(z.enum(toolSources)),
  categories: many(boundedText(100)),
  statuses: many(z.enum(toolStatuses)),
  approvals: many(z.enum(toolApprovals)),
  /** Persons and repositories by ID. */
  users: many(z.uuid()),
  projects: many(z.uuid()),
};
const toolSorts = ['name-asc', 'name-desc', 'date-desc', 'date-asc'] as const;
const inventoryPaging = {
  sort: z.enum(toolSorts),
  page: z.int().min(1).max(1_000_000),
  perPage: z.int().min(1).max(100),
};
const inventoryTime = {
  /** Only tools seen within these days, both inclusive, in UTC; undefined: any time. */
  period: period.optional(),
  /** The same by name; `period` takes precedence. */
  activeRange: activeRange.optional(),
  /** Only tools first seen at or after this time. */
  firstSeenFrom: timestamp.optional(),
};

const inventoryQuestion = {
  tab: inventoryFilters.tab.default('ci/cd'),
  search: inventoryFilters.search.default(''),
  vendors: inventoryFilters.vendors.default([]),
  types: inventoryFilters.types.default([]),
  sources: inventoryFilters.sources.default([]),
  categories: inventoryFilters.categories.default([]),
  statuses: inventoryFilters.statuses.default([]),
  approvals: inventoryFilters.approvals.default([]),
  users: inventoryFilters.users.default([]),
  projects: inventoryFilters.projects.default([]),
  ...inventoryTime,
  /** The same fields in a nested object (spec 7), which takes precedence. */
  filters: z
    .strictObject({ ...inventoryFilters, ...inventoryPaging })
    .partial()
    .extend(inventoryTime)
    .optional(),
  sort: inventoryPaging.sort.default('name-asc'),
};

const reader = { scope: 'organization', permission: 'read:events' } as const;

export const listTools = endpoint({
  method: 'POST',
  path: '/v2/tools/inventory',
  summary: 'Lists the tools detected in repositories or on developer machines, now or at a ledger size.',
  ...reader,
  reads: true,
  body: z.strictObject({
    ...inventoryQuestion,
    page: inventoryPaging.page.default(1),
    perPage: inventoryPaging.perPage.default(10),
    ...atLedgerSize,
  }),
  topics: ['orgTools', 'orgPolicies'],
  response: z.array(tool),
  paged: true,
});
export type ToolsQuery = Omit<z.output<typeof listTools.body>, 'filters' | 'activeRange' | 'ledgerSize'>;

export const exportTools = endpoint({
  method: 'POST',
  path: '/v2/tools/inventory/export',
  summary: 'Exports the tool inventory as CSV, now or at a ledger size.',
  ...reader,
  reads: true,
  body: z.strictObject({ ...inventoryQuestion, ...atLedgerSize }),
  response: z.null(),
  file: ['text/csv'],
  cost: 'export',
});

/** Moves nested `filters` and the time range of a query to their top-level fields. */
export function normalizeToolsQuery<Body extends z.output<typeof exportTools.body>>(
  { filters = {}, activeRange: named, ...body }: Body,
  now: Date,
): Omit<Body, 'filters' | 'activeRange'> {
  const { activeRange: range = named, ...given } = filters;
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const question = { ...body, ...Object.fromEntries(present) };
  return { ...question, period: question.period ?? (range && periodOfRange(range, now)) } as typeof question;
}

const choice = z.object({ value: z.string(), label: z.string(), count: z.number() });

export const listToolFilters = endpoint({
  method: 'GET',
  path: '/v2/tools/filters',
  summary: 'Lists the filters of the inventory with counts, and the progress of repository scans.',
  ...reader,
  polled: true,
  query: z.strictObject({
    tab: z.enum(toolTabs).default('ci/cd'),
    period: period.optional(),
    /** As in the list: tools of these repositories. */
    projects: commaList(z.uuid()),
  }),
  topics: ['orgTools', 'orgPolicies'],
  response: z.object({
    totals: z.object({ cicd: z.number(), developer: z.number() }),
    vendors: z.array(choice),
    toolsTypes: z.array(choice),
    toolsSources: z.array(choice),
    categories: z.array(choice),
    statuses: z.array(choice),
    approvals: z.array(choice),
    members: z.array(choice),
    repositories: z.array(choice),
    /** Repositories in which a tool scan is running; `names` lists some of them. */
    scanning: z.object({ done: z.number(), total: z.number(), names: z.array(z.string()) }),
  }),
});
export type ToolFilters = z.output<typeof listToolFilters.response>;

// The ID of an unknown tool is longer than its reported name.
const ofTool = z.strictObject({ toolId: boundedText(250) });

export const getTool = endpoint({
  method: 'GET',
  path: '/v2/tools/:toolId',
  summary: 'Returns a tool with its details and links.',
  ...reader,
  params: ofTool,
  topics: ['orgTools', 'orgPolicies'],
  response: tool.extend({
    /** The tabs of the tool; `type` is the first one. */
    tabs: z.array(z.enum(toolTabs)),
    description: z.string(),
    website: z.string().nullable(),
  }),
  errors: ['not_found'],
});
export type ToolDetail = z.infer<typeof getTool.response>;

export const toolDetection = z.object({
  id: z.string(),
  repository: project,
  path: z.string(),
  line: z.number().nullable(),
  /** The text in the file: `uses: actions/checkout@v4`. */
  text: z.string(),
  version: z.string().nullable(),
  source: z.enum(toolSources),
  /** The first commit with the reference and its author, with certainty: by blame, or only the scanned commit. */
  commit: z.string(),
  url: z.string().nullable(),
  addedBy: z.string().nullable(),
  confidence: z.enum(['observed', 'inferred']),
  firstSeen: timestamp,
  lastSeen: timestamp,
  /** When the reference was removed; null while it exists. */
  removedAt: timestamp.nullable(),
});
export type ToolDetection = z.infer<typeof toolDetection>;

export const listToolDetections = endpoint({
  method: 'GET',
  path: '/v2/tools/:toolId/detections',
  summary: 'Lists the references to a tool in repositories.',
  ...reader,
  params: ofTool,
  query: pagedQuery(['date-desc', 'date-asc', 'repository-asc', 'repository-desc'], {
    repository: z.uuid().optional(),
  }),
  topics: ['orgTools'],
  response: z.array(toolDetection),
  paged: true,
  errors: ['not_found'],
});

export const listToolPeople = endpoint({
  method: 'GET',
  path: '/v2/tools/:toolId/people',
  summary: 'Lists the people who use a tool with source and first use.',
  ...reader,
  params: ofTool,
  query: pagedQuery(['date-desc', 'date-asc', 'name-asc', 'name-desc'], {
    /** Only authors of the lines that reference it in this repository. */
    repository: z.uuid().optional(),
  }),
  topics: ['orgTools'],
  response: z.array(
    z.object({
      person,
      source: z.enum(toolSources),
      /** Editor or browser with the tool: `vscode`, `firefox`. */
      program: z.string(),
      version: z.string().nullable(),
      firstSeen: timestamp,
      lastSeen: timestamp,
      /** When it was found uninstalled; null while installed. */
      removedAt: timestamp.nullable(),
    }),
  ),
  paged: true,
  errors: ['not_found'],
});

export const listToolProjects = endpoint({
  method: 'GET',
  path: '/v2/tools/:toolId/projects',
  summary: 'Lists the repositories that reference or use a tool with first use.',
  ...reader,
  params: ofTool,
  query: pagedQuery(['name-asc', 'name-desc', 'date-desc', 'date-asc'], {}),
  topics: ['orgTools'],
  response: z.array(
    project.extend({
      sources: z.array(z.enum(toolSources)),
      firstSeen: timestamp,
      lastSeen: timestamp,
      /** When the last reference was removed; null while one exists. */
      removedAt: timestamp.nullable(),
    }),
  ),
  paged: true,
  errors: ['not_found'],
});
