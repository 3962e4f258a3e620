import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { category } from '../core/finding-categories.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { severity, severityCounts } from '../core/severities.ts';
import { commaList, instant, text } from '../core/text.ts';
import { agentBehind, confidences } from '../sources/attribution.ts';

/**
 * Where a finding stands: `open` a scanner still sees it somewhere; `fixed` none does any more; `dismissed` somebody, or
 * the scanner itself, said it does not count; `exception` it counts, and was accepted until a date.
 */
export const findingStatuses = ['open', 'dismissed', 'exception', 'fixed'] as const;
export const findingStatus = z.enum(findingStatuses);
export type FindingStatus = z.infer<typeof findingStatus>;

const code = z.object({ kind: z.enum(['cwe', 'cve', 'ghsa']), id: z.string(), url: z.string() });

const introducedBy = z.object({
  commit: z.string(),
  pullRequest: z.number().nullable(),
  actor: z.object({ name: z.string(), login: z.string().nullable() }),
  /** The program that wrote the commit or helped with it, where the commit says so. */
  agent: z.string().nullable(),
  at: instant,
  confidence: z.enum(confidences),
  /** Why we think so, as a sentence. */
  reason: z.string(),
});

/** What became of an exception: only `approved` holds, `requested` waits for somebody else. */
export const exceptionState = z.enum(['requested', 'approved', 'refused', 'withdrawn', 'expired']);
export type ExceptionState = z.infer<typeof exceptionState>;

export const exception = z.object({
  id: z.string(),
  state: exceptionState,
  until: instant,
  comment: z.string(),
  requestedBy: z.object({ id: z.string(), name: z.string() }),
  requestedAt: instant,
  decidedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  decidedAt: instant.nullable(),
});

/** `id` is the key, such as `codeql`; `name` what the scanner calls itself. */
const tool = z.object({ id: z.string(), name: z.string() });

export const finding = z.object({
  id: z.string(),
  title: z.string(),
  severity,
  category,
  /** Every scanner that still sees it; of a fixed one, every one that did. */
  tools: z.array(tool),
  dataSource: z.string(),
  discoverDate: instant,
  repository: z.object({ id: z.string(), owner: z.string(), name: z.string(), fullName: z.string(), provider }),
  ref: z.object({ ref: z.string() }),
  /** Null where a scanner names no file, as for a setting of the repository. Lines count from 1. */
  coordinate: z
    .object({ filePath: z.string(), line: z.number().nullable(), endLine: z.number().nullable() })
    .nullable(),
  codes: z.array(code),
  status: findingStatus,
  /** Whether it was dismissed: seen, and said not to count. */
  acknowledged: z.boolean(),
  /** Not opened yet by the asking person. */
  unread: z.boolean(),
  fingerprint: z.string(),
  introducedBy: introducedBy.nullable(),
  exception: exception.nullable(),
});
export type Finding = z.infer<typeof finding>;

/** `acknowledged` is another word for `dismissed`. */
const askedStatus = z.enum([...findingStatuses, 'acknowledged']);

const filters = {
  severity: commaList(severity),
  category: commaList(category),
  /** Keys of scanners. */
  dataSource: commaList(text(100)),
  /** The same by the name that section 3 of the specification has for it. */
  tool: commaList(text(100)),
  /** Ids of repositories. */
  repository: commaList(z.uuid(), 100),
  /** None means open ones. */
  status: commaList(askedStatus).transform((statuses): FindingStatus[] => [
    ...new Set(statuses.map((status) => (status === 'acknowledged' ? 'dismissed' : status))),
  ]),
};

const filterQuery = z.strictObject({ search: text(200).trim().default(''), ...filters });
export type FindingFilter = Omit<z.output<typeof filterQuery>, 'tool'>;

/** A filter with its scanners under one name. */
export const withDataSources = <Filter extends FindingFilter & { tool: string[] }>({ tool, ...filter }: Filter) => ({
  ...filter,
  dataSource: [...new Set([...filter.dataSource, ...tool])],
});

export const listFindings = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities',
  summary: 'Lists the findings of all scanners, by default open ones, most severe first.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: pagedQuery(['severity-desc', 'severity-asc', 'date-desc', 'date-asc', 'name-asc', 'name-desc'], filters),
  topics: ['orgFindings'],
  response: z.array(finding),
  paged: true,
});
export type FindingsQuery = z.output<typeof listFindings.query>;

export const findingFilterNames = ['severities', 'categories', 'dataSources', 'repositories', 'statuses'] as const;

export const listFindingFilter = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/filters/:name',
  summary: 'Lists the values of a filter with counts under the other filters.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: z.strictObject({ name: z.enum(findingFilterNames) }),
  query: filterQuery,
  topics: ['orgFindings'],
  response: z.array(z.object({ value: z.string(), label: z.string(), count: z.number() })),
});

export const getFindingStats = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/stats',
  summary: 'Returns the number of matching findings by severity and the changes of the latest scans.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: filterQuery,
  topics: ['orgFindings'],
  response: z.object({
    total: z.number(),
    repositories: z.number(),
    /** Under every filter but that of the severity, so that each count can be clicked. */
    countBySeverity: severityCounts,
    /** Sums over the latest scan of every repository and scanner that are asked for, without first scans; null without any other. */
    changeSinceLastScan: z.object({ added: z.number(), fixed: z.number(), net: z.number() }).nullable(),
    lastScanAt: instant.nullable(),
    /**
     * Open findings at the end of each of the last 30 days (UTC), oldest first, whatever the status asked for; days before the
     * first scan are left out. Empty under a search, of which no days are counted.
     */
    trend: z.array(z.object({ day: z.iso.date(), open: z.number() })),
  }),
});
export type FindingStats = z.output<typeof getFindingStats.response>;

const ofFinding = z.strictObject({ findingId: z.uuid() });

/** Where a scanner counts characters or bytes of a file instead of lines, from 0. */
const offset = z.object({
  unit: z.enum(['characters', 'bytes']),
  from: z.number(),
  length: z.number().nullable(),
});

/** One place in a file, as a scanner names it on the way from a source to a sink. */
const place = z.object({
  filePath: z.string(),
  line: z.number().nullable(),
  endLine: z.number().nullable(),
  message: z.string(),
  offset: offset.optional(),
});

/** What narrows a place beside its lines; columns count from 1. */
const region = z.object({
  column: z.number().nullable(),
  endColumn: z.number().nullable(),
  offset: offset.nullable(),
});

const range = z.object({
  filePath: z.string(),
  line: z.number().nullable(),
  endLine: z.number().nullable(),
  ...region.shape,
});

/** Another place that a scanner names, and where the code host shows it. */
const location = range.extend({ message: z.string(), url: z.string().nullable() });

/** A change that the scanner suggests: what to insert in place of each range. */
const fix = z.object({
  description: z.string(),
  changes: z.array(range.extend({ inserted: z.string() })),
});

const instance = z.object({
  ref: z.string(),
  tool,
  state: z.enum(['open', 'suppressed', 'fixed']),
  filePath: z.string().nullable(),
  line: z.number().nullable(),
  commit: z.string().nullable(),
  firstSeen: instant,
  lastSeen: instant,
  fixedAt: instant.nullable(),
  /** Where the scanner shows it. */
  url: z.string().nullable(),
});

/** Why a scanner's result was taken for this finding. */
export const sourceReasons = ['first', 'same_location', 'moved', 'merged_manually', 'split_manually'] as const;

const source = z.object({
  id: z.string(),
  tool,
  ruleId: z.string(),
  ruleName: z.string().nullable(),
  reason: z.enum(sourceReasons),
  /** The same as a sentence, with what was compared. */
  explanation: z.string(),
  instances: z.array(instance),
});

const historyEntry = z.object({
  at: instant,
  /** What happened, as a phrase after the name of who did it: 'found it at 9f3c1e2'. */
  says: z.string(),
  kind: z.enum(['found', 'fixed', 'reopened', 'dismissed', 'exception', 'merged', 'split', 'introduced', 'moved']),
  /** A member, or the name of a scanner. */
  actor: z.object({ kind: z.enum(['account', 'scanner', 'person', 'system']), id: z.string(), name: z.string() }),
  comment: z.string().nullable(),
});

export const findingDetail = finding.extend({
  /** Empty where nobody says so, which does not mean that there was no agent. */
  introducedWith: z.array(agentBehind),
  /** Markdown as the scanner gave it; pages draw it without any HTML of its own. */
  description: z.string(),
  /** The scanner's own words about this one place. */
  message: z.string(),
  /** What the scanner quoted of the code; shown where the code host cannot be asked. Null for secrets. */
  snippet: z.string().nullable(),
  /** From the source to the sink, where the scanner says so. */
  flow: z.array(place),
  /** Other ways of the data to the same sink. */
  otherFlows: z.array(z.array(place)),
  /** Of the first place, which `coordinate` names; null where the scanner names lines alone. */
  region: region.nullable(),
  /** Where the same result is, too. */
  locations: z.array(location),
  /** What the scanner points at to explain it. */
  relatedLocations: z.array(location),
  fixes: z.array(fix),
  package: z.object({ name: z.string(), version: z.string().nullable(), fixedIn: z.string().nullable() }).nullable(),
  /** How the scanner, or a person in it, evaluates it beside its severity; null where it says nothing. */
  assessment: z
    .object({
      /** As the scanner names it, such as `CONFIRMED`. */
      state: z.string().nullable(),
      cvss: z.object({ score: z.number(), vector: z.string().nullable() }).nullable(),
      confidence: z.string().nullable(),
      language: z.string().nullable(),
      notes: z.string(),
    })
    .nullable(),
  references: z.array(z.object({ title: z.string(), url: z.string() })),
  compliances: z.array(
    z.object({
      framework: z.string(),
      control: z.string(),
      title: z.string().nullable(),
      url: z.string().nullable(),
      /** Said by the scanner, or concluded from the CWE by our own table. */
      from: z.enum(['scanner', 'cwe']),
    }),
  ),
  sources: z.array(source),
  history: z.array(historyEntry),
  dismissal: z
    .object({
      reason: z.string(),
      comment: z.string(),
      by: z.object({ kind: z.enum(['account', 'scanner']), id: z.string(), name: z.string() }),
      at: instant,
    })
    .nullable(),
  exceptions: z.array(exception),
  /** Where the code host shows the line. */
  codeUrl: z.string().nullable(),
  commit: z.string().nullable(),
  /** Opens Explore on what happened to the repository around it. */
  exploreContext: z.object({ contextId: z.string() }),
  /** What the asking person may do here; the server asks the same again. */
  allowed: z.object({
    dismiss: z.boolean(),
    reopen: z.boolean(),
    requestException: z.boolean(),
    decideException: z.boolean(),
    withdrawException: z.boolean(),
    merge: z.boolean(),
    split: z.boolean(),
  }),
});
export type FindingDetail = z.infer<typeof findingDetail>;

export const getFinding = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/:findingId',
  summary: 'Returns a finding with its instances, history and code.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: ofFinding,
  topics: ['orgFindings'],
  response: findingDetail,
});

export const getFindingNeighbors = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/:findingId/neighbors',
  summary: 'Returns the previous and next finding in the filtered list.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: ofFinding,
  query: z.strictObject({ ...filterQuery.shape, sort: listFindings.query.shape.sort }),
  topics: ['orgFindings'],
  response: z.object({
    /** Beside the place it would have, where the filters do not leave it. */
    previous: z.string().nullable(),
    next: z.string().nullable(),
    /** Counts from 1; null where the filters do not leave it. */
    position: z.number().nullable(),
    total: z.number(),
  }),
});

export const getFindingSnippet = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/:findingId/snippet',
  summary: 'Returns the lines of code around a finding from the code host at the scanned commit.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: ofFinding,
  response: z.object({
    filePath: z.string(),
    commit: z.string(),
    /** Consecutive lines; `from` is the number of the first. */
    from: z.number(),
    lines: z.array(z.string()),
    /** The lines of the finding, also where the scanner names an offset instead; null where it names neither. */
    marked: z.object({ from: z.number(), to: z.number() }).nullable(),
  }),
  errors: ['upstream_failed'],
});

export const markFinding = endpoint({
  method: 'PUT',
  path: '/v2/vulnerabilities/:findingId/read',
  summary: 'Marks a finding as read or unread for the caller.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: ofFinding,
  body: z.strictObject({ read: z.boolean() }),
  status: 204,
  changes: [],
  response: z.null(),
});

export const findingFormats = ['csv', 'json', 'sarif'] as const;

export const exportFindings = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/export',
  summary: 'Exports all matching findings as a file. The export is recorded in the audit log.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: z.strictObject({ ...filterQuery.shape, format: z.enum(findingFormats).default('csv') }),
  response: z.string(),
  file: ['text/csv', 'application/json', 'application/sarif+json'],
  cost: 'export',
});
