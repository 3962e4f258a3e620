import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { eventChart } from './event-charts.ts';
import { cursor, eventKind } from './events.ts';
import { keyNames } from './query-language/keys.ts';

/** The parameters of every timeline query. */
export const eventQueryParams = {
  context: z.uuid().optional(),
  /** In the query language of Explore (`query-language/`). */
  query: boundedText(2048).default(''),
  /** Minutes east of UTC of the time zone for days. */
  offset: z.coerce.number().int().min(-720).max(840).default(0),
};

/** Larger counts are reported as this number or more. */
export const MAX_COUNTED_EVENTS = 1000;

export const countEvents = endpoint({
  method: 'POST',
  path: '/v2/events/explore/count',
  summary: 'Returns the number of matching events that are newer than a cursor.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  reads: true,
  body: z.strictObject({ ...eventQueryParams, newer: cursor }),
  response: z.object({ count: z.number().int(), more: z.boolean() }),
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});

export const suggestedValues = 20;

export const suggestValues = endpoint({
  method: 'GET',
  path: '/v2/events/explore/values',
  summary: 'Suggests values of a qualifier from the events of the organization.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  query: z.strictObject({
    key: z.enum(keyNames),
    /** The typed part. Values can contain it anywhere; values that begin with it are listed first. */
    typed: boundedText(200).trim().default(''),
  }),
  response: z.array(z.object({ value: z.string(), label: z.string().optional() })),
});

export const histogramBuckets = 120;

/**
 * Set if numbers are estimates, because the query matches too many events to count all. `events` were counted, in parts
 * that cover this share of the range, from 0 to 1, evenly.
 */
export const eventSample = z
  .object({ events: z.number().int().min(0), share: z.number().positive().max(1) })
  .nullable();

export const getHistogram = endpoint({
  method: 'POST',
  path: '/v2/events/explore/histogram',
  summary: 'Returns the histogram of matching events by kind.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  reads: true,
  body: z.strictObject(eventQueryParams),
  response: z.object({
    /**
     * The displayed range: that of the query, otherwise from the oldest to the newest event. It starts at the first
     * bucket.
     */
    from: timestamp,
    to: timestamp,
    /** Length of a bucket in seconds; the last one may end after `to`. */
    bucket: z.number().int(),
    /** Non-empty buckets, oldest first. */
    buckets: z.array(z.object({ at: timestamp, kinds: z.partialRecord(eventKind, z.number().int()) })),
    total: z.number().int(),
    /** Earlier buckets are not fully counted, because the number of events exceeds the limit. */
    countedFrom: timestamp.nullable(),
    sample: eventSample,
  }),
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});
export type Histogram = z.output<typeof getHistogram.response>;

export const eventFormats = ['csv', 'json', 'ndjson'] as const;
export type EventFormat = (typeof eventFormats)[number];

export const exportEvents = endpoint({
  method: 'GET',
  path: '/v2/events/explore/export',
  summary: 'Exports all matching events with details, newest first, as a file.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  query: z.strictObject({ ...eventQueryParams, format: z.enum(eventFormats).default('csv') }),
  response: z.string(),
  file: ['text/csv', 'application/json', 'application/x-ndjson'],
  cost: 'export',
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});

export const createContext = endpoint({
  method: 'POST',
  path: '/v2/events/explore/contexts',
  summary: 'Returns the context that opens Explore for a vulnerability, tool or member.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  // The server stores the query, so that a URL can refer to it.
  reads: true,
  body: z.discriminatedUnion('of', [
    z.strictObject({ of: z.literal('finding'), id: z.uuid() }),
    z.strictObject({ of: z.literal('tool'), id: boundedText(300).min(1) }),
    z.strictObject({ of: z.literal('member'), id: z.uuid() }),
  ]),
  response: z.object({ contextId: z.string() }),
  errors: ['not_found'],
});
export type ContextSubject = z.output<typeof createContext.body>;

/** The lists with saved views. */
export const viewLists = [
  'events',
  'findings',
  'changes',
  'tools',
  'access-keys',
  'access-reviews',
  'access-review-host-items',
  'access-review-items',
  'agent-configuration',
  'agent-groups',
  'agent-reconciliation',
  'agent-sessions',
  'audit-log',
  'audit-streams',
  'auditor-portals',
  'chat-channels',
  'contributors',
  'control-items',
  'controls',
  'data-deletions',
  'digests',
  'directory-users',
  'evidence-destinations',
  'host-access',
  'members',
  'policies',
  'policy-changes',
  'pull-requests',
  'remediations',
  'repositories',
  'scanner-projects',
  'scans',
  'snapshots',
  'waivers',
  'webhooks',
] as const;
export type ViewList = (typeof viewLists)[number];

/** A named query of a list, private to its owner or shared with the organization. */
export const savedView = z.object({
  id: z.string(),
  list: z.enum(viewLists),
  name: z.string(),
  /** Of events in the query language, of other lists the query of their URL. */
  query: z.string(),
  /** Of events only. */
  context: z.string().nullable(),
  /** Of events only; null without a chart. */
  chart: eventChart.nullable(),
  shared: z.boolean(),
  /** Whether the requesting member created it. */
  mine: z.boolean(),
  owner: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type SavedView = z.infer<typeof savedView>;

const viewFields = {
  name: boundedText(80).trim().min(1),
  query: boundedText(2048),
  context: z.uuid().nullable(),
  chart: eventChart.nullable(),
  shared: z.boolean(),
};

const views = { scope: 'organization', permission: 'read:events' } as const;

export const listViews = endpoint({
  ...views,
  method: 'GET',
  path: '/v2/views',
  summary: 'Lists the saved views of the caller and the shared views of a list.',
  query: z.strictObject({ list: z.enum(viewLists).default('events') }),
  topics: ['savedViews'],
  response: z.array(savedView),
});

export const createView = endpoint({
  ...views,
  method: 'POST',
  path: '/v2/views',
  summary: 'Saves a query as a view.',
  body: z.strictObject({
    ...viewFields,
    list: z.enum(viewLists).default('events'),
    context: viewFields.context.default(null),
    chart: viewFields.chart.default(null),
    shared: viewFields.shared.default(false),
  }),
  status: 201,
  changes: ['savedViews'],
  response: savedView,
  errors: ['not_found', 'conflict', 'query_invalid', 'query_too_complex'],
});

const viewParams = z.strictObject({ viewId: z.uuid() });

export const updateView = endpoint({
  ...views,
  method: 'PATCH',
  path: '/v2/views/:viewId',
  summary: 'Renames, shares or updates a saved view. Only its owner can.',
  params: viewParams,
  body: z.strictObject(viewFields).partial(),
  changes: ['savedViews'],
  response: savedView,
  errors: ['forbidden', 'not_found', 'conflict', 'query_invalid', 'query_too_complex'],
});

export const deleteView = endpoint({
  ...views,
  method: 'DELETE',
  path: '/v2/views/:viewId',
  summary: 'Deletes a saved view. Its owner can, and Account Owners can if it is shared.',
  params: viewParams,
  status: 204,
  changes: ['savedViews'],
  response: z.null(),
  errors: ['forbidden', 'not_found'],
});
