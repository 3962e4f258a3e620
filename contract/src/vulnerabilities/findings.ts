import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { findingCategory } from '../core/finding-categories.ts';
import { atLedgerSize, recordedRow } from '../core/ledger-sizes.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { severity, severityCounts } from '../core/severities.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { trendDaysQuery, trendInterval } from '../core/trends.ts';
import { agentAttribution, attributionConfidences } from '../sources/attribution.ts';
import { linkedTicket } from '../sources/trackers.ts';
import { assignee, findingLabel } from './triage-fields.ts';
import { waiver, waiverWithActions } from './waivers.ts';

/**
 * The status of a finding. `open`: a scanner still reports it. `fixed`: no scanner reports it any more. `dismissed`:
 * dismissed by a user or by the scanner. `exception`: accepted until a date by a waiver.
 */
export const findingStatuses = ['open', 'dismissed', 'exception', 'fixed'] as const;
export const findingStatus = z.enum(findingStatuses);
export type FindingStatus = z.infer<typeof findingStatus>;

const code = z.object({ kind: z.enum(['cwe', 'cve', 'ghsa']), id: z.string(), url: z.string() });

const introducedBy = z.object({
  commit: z.string(),
  pullRequest: z.number().nullable(),
  actor: z.object({ name: z.string(), login: z.string().nullable() }),
  /** The program that contributed to the commit, if the commit declares it. */
  agent: z.string().nullable(),
  at: timestamp,
  confidence: z.enum(attributionConfidences),
  /** The reason for the attribution, as a sentence. */
  reason: z.string(),
});

/** `id` is the key, such as `codeql`; `name` the name that the scanner reports. */
const tool = z.object({ id: z.string(), name: z.string() });

export const finding = z.object({
  id: z.string(),
  title: z.string(),
  severity,
  category: findingCategory,
  /** The scanners that still report it; of a fixed finding, all that did. */
  tools: z.array(tool),
  dataSource: z.string(),
  discoverDate: timestamp,
  repository: z.object({ id: z.string(), owner: z.string(), name: z.string(), fullName: z.string(), provider }),
  ref: z.object({ ref: z.string() }),
  /** Null if a scanner names no file, as for a repository setting. Lines count from 1. */
  coordinate: z
    .object({ filePath: z.string(), line: z.number().nullable(), endLine: z.number().nullable() })
    .nullable(),
  codes: z.array(code),
  status: findingStatus,
  /** Whether it was dismissed. */
  acknowledged: z.boolean(),
  /** Not opened yet by the requesting member. */
  unread: z.boolean(),
  fingerprint: z.string(),
  introducedBy: introducedBy.nullable(),
  /** The open waiver request, or the active waiver. */
  exception: waiver.nullable(),
  /** End of the remediation time limit of its severity. Null if it is not open or has no limit. */
  dueAt: timestamp.nullable(),
  /** The member who takes care of it. */
  assignee: assignee.nullable(),
  /** In an issue tracker. */
  ticketUrl: z.string().nullable(),
  labels: z.array(z.string()),
  recorded: recordedRow.optional(),
});
export type Finding = z.infer<typeof finding>;

/** `acknowledged` is an alias of `dismissed`. */
const statusFilter = z.enum([...findingStatuses, 'acknowledged']);

const filters = {
  severity: commaList(severity),
  category: commaList(findingCategory),
  /** Keys of scanners. */
  dataSource: commaList(boundedText(100)),
  /** The same under the name in section 3 of the specification. */
  tool: commaList(boundedText(100)),
  /** IDs of repositories. */
  repository: commaList(z.uuid(), 100),
  /** Empty: open findings. */
  status: commaList(statusFilter).transform((statuses): FindingStatus[] => [
    ...new Set(statuses.map((status) => (status === 'acknowledged' ? 'dismissed' : status))),
  ]),
  /** Only findings discovered at or after this time. */
  discoveredFrom: timestamp.optional(),
  /** Only fixed findings, fixed at or after this time. Requires `status=fixed`, since the default is open findings. */
  fixedFrom: timestamp.optional(),
  /** Only open findings that exceed the remediation time limit of their severity. */
  overdue: z.literal('true').optional(),
  /** Only findings whose introducing commit was authored by the caller. */
  introducedBy: z.literal('me').optional(),
  /** Accounts; `me` is the caller, `none` selects findings without an assignee. */
  assignee: commaList(z.union([z.enum(['me', 'none']), z.uuid()])),
  label: commaList(findingLabel),
  /** IDs of titles, as `groups?by=rule` returns them. */
  rule: commaList(z.uuid()),
  /** Names of dependencies. */
  component: commaList(boundedText(300)),
};

/** The filters of a list of findings, without page and order. */
export const findingFilterQuery = z.strictObject({ search: boundedText(200).trim().default(''), ...filters });
export type FindingFilter = Omit<z.output<typeof findingFilterQuery>, 'tool'>;

/** Merges both names of the scanner filter. */
export const mergeScannerFilters = <Filter extends FindingFilter & { tool: string[] }>({
  tool,
  ...filter
}: Filter) => ({
  ...filter,
  dataSource: [...new Set([...filter.dataSource, ...tool])],
});

export const listFindings = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities',
  summary: 'Lists the findings of all scanners, now or at a ledger size, by default open ones, most severe first.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: pagedQuery(['severity-desc', 'severity-asc', 'date-desc', 'date-asc', 'name-asc', 'name-desc'], {
    ...filters,
    ...atLedgerSize,
  }),
  topics: ['orgFindings'],
  response: z.array(finding),
  paged: true,
});
export type FindingsQuery = z.output<typeof listFindings.query>;

export const findingFilterNames = [
  'severities',
  'categories',
  'dataSources',
  'repositories',
  'statuses',
  'assignees',
  'labels',
] as const;

export const listFindingFilter = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/filters/:name',
  summary: 'Lists the values of a filter with counts under the other filters.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: z.strictObject({ name: z.enum(findingFilterNames) }),
  query: findingFilterQuery,
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
  query: findingFilterQuery,
  topics: ['orgFindings'],
  response: z.object({
    total: z.number(),
    repositories: z.number(),
    /** Counts with all filters except severity, so that each severity can be selected. */
    countBySeverity: severityCounts,
    /**
     * Totals over the latest scan of every selected repository and scanner, without first scans; null without other
     * scans.
     */
    changeSinceLastScan: z.object({ added: z.number(), fixed: z.number(), net: z.number() }).nullable(),
    lastScanAt: timestamp.nullable(),
    /**
     * Open findings at the end of each of the last 30 days (UTC), oldest first, regardless of the status filter. Days
     * before the first scan are omitted. Empty for a search, which has no daily counts.
     */
    trend: z.array(z.object({ day: z.iso.date(), open: z.number() })),
  }),
});
export type FindingStats = z.output<typeof getFindingStats.response>;

export const getFindingTrend = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/trend',
  summary: 'Returns opened and fixed findings of the last 30 days by day, or of 90 days by week, and overdue findings.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: z.strictObject({ days: trendDaysQuery }),
  topics: ['orgFindings'],
  response: z.object({
    interval: trendInterval,
    /**
     * By first day (UTC), oldest first. `opened`: discovered, regardless of the status since. `fixed`: fixed, and not
     * reopened since.
     */
    points: z.array(z.object({ day: z.iso.date(), opened: z.number(), fixed: z.number() })),
    /** Open findings beyond the remediation time limit of their severity. */
    overdue: severityCounts,
    /** Null: no scan has succeeded yet. */
    lastScanAt: timestamp.nullable(),
  }),
});
export type FindingTrend = z.output<typeof getFindingTrend.response>;

/** What findings can be grouped by. */
export const findingGroupings = ['rule', 'repository', 'assignee', 'component'] as const;
export type FindingGrouping = (typeof findingGroupings)[number];
/** Number of groups that a response lists, largest first. */
export const MAX_FINDING_GROUPS = 100;

export const listFindingGroups = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/groups',
  summary: 'Counts matching findings by rule, repository, assignee or component, largest groups first.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: z.strictObject({ ...findingFilterQuery.shape, by: z.enum(findingGroupings) }),
  topics: ['orgFindings'],
  response: z.object({
    /** `value` is the value of the filter for the group; null for findings in code, which have no component. */
    groups: z.array(z.object({ value: z.string().nullable(), label: z.string(), count: z.number() })),
    /** Number of findings in groups that are not listed. */
    others: z.number(),
  }),
});
export type FindingGroups = z.output<typeof listFindingGroups.response>;

const ofFinding = z.strictObject({ findingId: z.uuid() });

/** For scanners that count characters or bytes instead of lines, from 0. */
const offset = z.object({
  unit: z.enum(['characters', 'bytes']),
  from: z.number(),
  length: z.number().nullable(),
});

/** A location in a file on the path from a source to a sink. */
const flowLocation = z.object({
  filePath: z.string(),
  line: z.number().nullable(),
  endLine: z.number().nullable(),
  message: z.string(),
  offset: offset.optional(),
});

/** The location within its lines; columns count from 1. */
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

/** An additional location, with its URL on the code host. */
const location = range.extend({ message: z.string(), url: z.string().nullable() });

/** A fix suggested by the scanner: the replacement of each range. */
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
  firstSeen: timestamp,
  lastSeen: timestamp,
  fixedAt: timestamp.nullable(),
  /** URL at the scanner. */
  url: z.string().nullable(),
});

/** Why a scanner result was assigned to this finding. */
export const sourceReasons = ['first', 'same_location', 'moved', 'merged_manually', 'split_manually'] as const;

const source = z.object({
  id: z.string(),
  tool,
  ruleId: z.string(),
  ruleName: z.string().nullable(),
  reason: z.enum(sourceReasons),
  /** The same as a sentence, with the compared values. */
  explanation: z.string(),
  instances: z.array(instance),
});

const historyEntry = z.object({
  at: timestamp,
  /** The event as a phrase after the actor's name: 'found it at 9f3c1e2'. */
  phrase: z.string(),
  kind: z.enum([
    'found',
    'fixed',
    'reopened',
    'dismissed',
    'waiver',
    'merged',
    'split',
    'edited',
    'introduced',
    'moved',
  ]),
  /** A member, or the name of a scanner. */
  actor: z.object({ kind: z.enum(['account', 'scanner', 'person', 'system']), id: z.string(), name: z.string() }),
  comment: z.string().nullable(),
});

export const findingDetail = finding.extend({
  /** The ticket that was created here; null without one. A linked URL alone is `ticketUrl`. */
  ticket: linkedTicket.nullable(),
  /** Agents with attributed contributions. Empty does not exclude that an agent contributed. */
  introducedWith: z.array(agentAttribution),
  /** Markdown of the scanner. Pages render it without raw HTML. */
  description: z.string(),
  /** The scanner's message about this location. */
  message: z.string(),
  /** Code quoted by the scanner, shown if the code host is not reachable. Null for secrets. */
  snippet: z.string().nullable(),
  /** From source to sink, if the scanner reports it. */
  flow: z.array(flowLocation),
  /** Alternative data flows to the same sink. */
  otherFlows: z.array(z.array(flowLocation)),
  /** The region of the first location, named by `coordinate`; null if the scanner reports lines only. */
  region: region.nullable(),
  /** Further locations of the same result. */
  locations: z.array(location),
  /** Locations that explain the result. */
  relatedLocations: z.array(location),
  fixes: z.array(fix),
  package: z.object({ name: z.string(), version: z.string().nullable(), fixedIn: z.string().nullable() }).nullable(),
  /** The assessment by the scanner or its users in addition to the severity; null without one. */
  assessment: z
    .object({
      /** As named by the scanner, such as `CONFIRMED`. */
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
      /** Reported by the scanner, or mapped from the CWE. */
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
      at: timestamp,
    })
    .nullable(),
  /** Waivers and waiver requests, latest first. */
  waivers: z.array(waiverWithActions),
  /** URL of the line on the code host. */
  codeUrl: z.string().nullable(),
  commit: z.string().nullable(),
  /** Opens Explore for the related activity in the repository. */
  exploreContext: z.object({ contextId: z.string() }),
  /** The actions of the requesting member. The server checks them again on each request. */
  allowed: z.object({
    dismiss: z.boolean(),
    reopen: z.boolean(),
    requestWaiver: z.boolean(),
    merge: z.boolean(),
    split: z.boolean(),
    edit: z.boolean(),
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
  query: z.strictObject({ ...findingFilterQuery.shape, sort: listFindings.query.shape.sort }),
  topics: ['orgFindings'],
  response: z.object({
    /** The neighbors in the list. A finding that does not match the filters is placed by its sort order. */
    previous: z.string().nullable(),
    next: z.string().nullable(),
    /** Counts from 1; null if the finding does not match the filters. */
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
    /** The lines of the finding, converted from an offset if needed; null if the scanner reports neither. */
    highlightedLines: z.object({ from: z.number(), to: z.number() }).nullable(),
  }),
  errors: ['upstream_failed'],
});

export const markFindingRead = endpoint({
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
  summary:
    'Exports all matching findings as a file, now or (CSV) at a ledger size. The export is recorded in the audit log.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: z.strictObject({
    ...findingFilterQuery.shape,
    format: z.enum(findingFormats).default('csv'),
    ...atLedgerSize,
  }),
  response: z.string(),
  file: ['text/csv', 'application/json', 'application/sarif+json'],
  cost: 'export',
});
