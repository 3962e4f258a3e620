import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { context, contextFilter } from './contexts.ts';

/** The kinds of events (spec 3). Older clients must treat an unknown kind as `other`. */
export const eventKinds = [
  'commit',
  'pull_request',
  'vulnerability',
  'web_page_view',
  'browser_clipboard',
  'ide_clipboard',
  'tool',
  'member',
  'exception',
  'policy',
  'other',
] as const;
export const eventKind = z.enum(eventKinds);
export type EventKind = z.infer<typeof eventKind>;

/** Kinds as named in section 3 of the specification; types without a kind are `other`. */
export const specifiedKinds = ['commit', 'pullRequest', 'vulnerability', 'webPageView', 'other'] as const;
export type SpecifiedKind = (typeof specifiedKinds)[number];
export function specifiedEventKind(type: EventKind): SpecifiedKind {
  if (type === 'pull_request') return 'pullRequest';
  if (type === 'web_page_view') return 'webPageView';
  return type === 'commit' || type === 'vulnerability' ? type : 'other';
}

export const parameterKinds = [
  'user',
  'pr',
  'repository',
  'branch',
  'sha',
  'file',
  'website',
  'browser',
  'commit',
  'data_source',
  'tool',
  'text',
  'number',
] as const;

/** A named object in a sentence: `ident` is the filter value, `display` the label. */
export const parameter = z.object({
  kind: z.enum(parameterKinds),
  display: z.string(),
  ident: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
  icon: z.string().optional(),
});
export type Parameter = z.infer<typeof parameter>;

/** A sentence: `{0}` in the phrase stands for the first parameter, and so on. */
export const summary = z.object({ phrase: z.string(), parameters: z.array(parameter) });
export type Summary = z.infer<typeof summary>;

/** A detail with its label. A page of the timeline also contains the fields of the parameter, as named in section 3. */
const detail = parameter.partial().extend({ label: z.string(), parameter });
export type Detail = z.infer<typeof detail>;

export const event = z.object({
  uuid: z.string(),
  /** As named in the specification; `type` distinguishes more kinds. */
  kind: z.enum(specifiedKinds),
  type: eventKind,
  /** Time at the source; `receivedAt` is the time at the server. */
  as_of: timestamp,
  receivedAt: timestamp,
  source: z.string(),
  summary,
  detail: z.object({ parameters: z.array(detail) }).optional(),
  /** The ledger entry that proves the event and its details. */
  proof: z.string().optional(),
});
export type Event = z.infer<typeof event>;

// `time_id`: the key of the row next to which the page starts.
export const cursor = z
  .string()
  .refine((value) => isCursor(value), { error: 'must be a cursor from an earlier response' });
function isCursor(value: string): boolean {
  const [time, id, ...more] = value.split('_', 3);
  return more.length === 0 && timestamp.safeParse(time).success && z.uuid().safeParse(id).success;
}
export const EXPLORE_CHUNK_SIZE = 20;
export const MAX_EXPLORE_EVENTS = 200;

const namedPerson = z.object({ id: z.string(), name: z.string(), picture: z.string().nullable() });
export type NamedPerson = z.infer<typeof namedPerson>;

/** The ID of a saved context, or filters as returned by `getContext`. */
const contextInput = z.union([
  z.uuid(),
  z.strictObject({ contextId: z.uuid().optional(), filters: z.array(contextFilter).max(20) }),
]);

const exploreRequest = z.strictObject({
  context: contextInput.nullish(),
  /** Filters of this query, ANDed with those of the context. */
  filters: z.array(contextFilter).max(20).default([]),
  /** In the query language of Explore (`query-language/`). */
  query: boundedText(2048).default(''),
  /** Minutes east of UTC of the time zone for days. */
  offset: z.number().int().min(-720).max(840).default(0),
  pagination: z
    .strictObject({
      events: z.number().int().min(1).max(MAX_EXPLORE_EVENTS).default(MAX_EXPLORE_EVENTS),
      direction: z.enum(['older', 'newer']).default('older'),
      cursors: z.strictObject({ older: cursor.nullish(), newer: cursor.nullish() }).default({}),
    })
    .prefault({}),
  /** Without details, `detail` is omitted and parameters have only their common fields. */
  details: z.boolean().default(true),
});

export const queryEvents = endpoint({
  method: 'POST',
  path: '/v2/events/explore/query',
  summary: 'Lists events, newest first, before or after a cursor.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  reads: true,
  body: exploreRequest,
  response: z.object({
    request: z.object({
      context: contextInput.nullable(),
      query: z.string(),
      direction: z.enum(['older', 'newer']),
    }),
    events: z.array(event),
    /** Current names of the people in the sentences, by lower-case `ident`. */
    people: z.record(z.string(), namedPerson),
    /** Cursors in both directions; null only without matches. */
    cursors: z.object({ older: z.string().nullable(), newer: z.string().nullable() }),
    reachedStart: z.boolean(),
    reachedEnd: z.boolean(),
    dataUpdatedAt: timestamp,
    /** Retention of events, except commits and pull requests; `clipboardDays` for copying and pasting. */
    kept: z.object({ months: z.number().int(), clipboardDays: z.number().int() }),
    /** The events of the page from the archive, if any. It takes longer if it is outside the database. */
    archived: z.object({ events: z.number().int(), isExternal: z.boolean() }).nullable(),
  }),
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});
export type ExploreRequest = z.output<typeof exploreRequest>;
export type ExploreResponse = z.output<typeof queryEvents.response>;

export const getEvent = endpoint({
  method: 'GET',
  path: '/v2/events/:eventId',
  summary: 'Returns an event with all recorded details.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  params: z.strictObject({ eventId: z.uuid() }),
  response: event,
});

export const getContext = endpoint({
  method: 'GET',
  path: '/v2/events/explore/context/:contextId',
  summary: 'Returns the filters of a link to Explore.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  params: z.strictObject({ contextId: z.uuid() }),
  response: context,
});

// The accepted fields of an extension (spec 3, identify event). Its claims are verified against the token.
const identifiers = z
  .record(boundedText(40).min(1), boundedText(500))
  .refine((value) => Object.keys(value).length <= 20, {
    error: 'may hold at most 20 entries',
  });
/** A zero date means now (spec 3). */
const zeroDates = ['0', '0001-01-01T00:00:00Z'] as const;

export const identifyEvent = z.strictObject({
  plugin_id: boundedText(100).min(1),
  event_type: z.enum([
    'other',
    'pull_request',
    'web_page_view',
    'commit',
    'vulnerability',
    'browser_clipboard',
    'ide_clipboard',
  ]),
  message_id: z.uuid(),
  org_id: boundedText(100).optional(),
  user_id: boundedText(400).optional(),
  user_org_ids: z.array(boundedText(100)).max(100).optional(),
  identifiers: identifiers.default({}),
  original_timestamp: z.union([timestamp, z.enum(zeroDates)]),
  sent_at: z.union([timestamp, z.enum(zeroDates)]).optional(),
  tracking_version: boundedText(40).optional(),
  tracking_source: boundedText(40).default('other'),
  content_uri: boundedText(2000).optional(),
});
export type IdentifyEvent = z.output<typeof identifyEvent>;

export const MAX_INGESTED_EVENTS = 500;

export const recordEvents = endpoint({
  method: 'POST',
  path: '/v2/events/user',
  summary: 'Ingests events of extensions. Each event is validated separately. A repeated message_id is the same event.',
  scope: 'organization',
  permission: 'read:org',
  extension: true,
  // Each item is validated separately, so that an invalid one does not affect the others.
  body: z.array(z.unknown()).min(1).max(MAX_INGESTED_EVENTS),
  status: 202,
  changes: [],
  response: z.object({
    accepted: z.number(),
    duplicates: z.number(),
    rejected: z.array(z.object({ index: z.number(), code: z.string(), field: z.string(), message: z.string() })),
  }),
});
