import { type Context, type ContextFilter, contextFilter } from '@sightline/contract/timeline/contexts.ts';
import {
  type Event,
  type EventKind,
  type ExploreRequest,
  specifiedEventKind,
} from '@sightline/contract/timeline/events.ts';
import { type countEvents, MAX_COUNTED_EVENTS } from '@sightline/contract/timeline/explore.ts';
import type { QueryProblem } from '@sightline/contract/timeline/query-language/errors.ts';
import { normalizeQuery } from '@sightline/contract/timeline/query-language/normalize-query.ts';
import { parseQuery } from '@sightline/contract/timeline/query-language/parse.ts';
import { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound, Refusal } from '#core/errors.ts';
import { fullSummaryWithUsers, parsedEventTexts } from '#core/event-text.ts';
import { withQueryTime } from '#core/query-time.ts';
import type { RawJson } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { type Database, textTypes } from '#database/database.ts';
import {
  listHiddenRepositories,
  seesAllRepositories,
  visibleRepositories,
} from '../../organization/repository-access/queries.ts';
import { histogramFromCopy } from './clickhouse/buckets.ts';
import { wordPartsIn } from './clickhouse/condition.ts';
import { requireCompleteCopy } from './clickhouse/copy-state.ts';
import { rowsByParts } from './clickhouse/pages.ts';
import { countGroups, type GroupTotals } from './count-groups.ts';
import { exploreResponseJson } from './explore-response.ts';
import { type GroupedField, groupedFieldOf, labelsOfGroups, mergedPersons } from './grouped-fields.ts';
import { peopleOfUsers } from './people.ts';
import { controlNames } from './query-compiler/control-conditions.ts';
import { filterConditionOf } from './query-compiler/filters.ts';
import { resolveQueryNode } from './query-compiler/resolve.ts';
import type { QueryScene } from './query-compiler/scene.ts';
import type { ResolvedQuery } from './resolved-query.ts';
import { countAllByHours, countAllEventsFrom } from './segments/counts.ts';
import { readArchivedEvents } from './segments/lookup.ts';
import { type ArchivedPart, completeRows, readAllEventRows } from './segments/pages.ts';
import { readSegmentList } from './segments/segment-list.ts';
import { allEvents, and, normalizeCondition, not, type StoreCondition } from './store/condition.ts';
import type { TimeSlice } from './store/groups.ts';
import type { BucketCount, BucketRange } from './store/histogram.ts';
import type { Cursor } from './store/keys.ts';
import { type EventPageRow, listedColumns, planQuery } from './store/pages.ts';

// Part of the public entry of this feature.
export {
  type BucketRange,
  countGroups,
  type GroupedField,
  type GroupTotals,
  groupedFieldOf,
  labelsOfGroups,
  mergedPersons,
  type ResolvedQuery,
  type TimeSlice,
};

/** A question to the timeline: an optional context, a query, and the time zone offset of days. */
export interface TimelineQuestion {
  context?: string | undefined;
  /** In the query language of Explore. */
  query: string;
  /** Minutes east of UTC. */
  offset: number;
}

/** Resolves a question. Refuses an invalid query, and a context of another organization. */
export async function resolveQuestion(
  services: Services,
  actor: Actor,
  { context, query, offset }: TimelineQuestion,
  filters: readonly ContextFilter[] = [],
): Promise<ResolvedQuery> {
  const { database, clickhouse } = services;
  const parsed = parseQuery(query, { infixWildcards: clickhouse !== undefined });
  if ('problem' in parsed) throw refusalOf(parsed.problem);
  const within = context === undefined ? [] : (await findContext(database, actor.orgId, context)).filters;
  const allOf = (of: readonly ContextFilter[]) => Promise.all(of.map((filter) => filterConditionOf(scene, filter)));
  const scene: QueryScene = {
    services,
    actor,
    clock: { now: Date.now(), offset },
    parts: [],
    maybeWithin: async (id) => {
      const found = await maybeFilters(database, actor.orgId, id);
      return found && and(...(await allOf(found)));
    },
  };
  const resolved = normalizeCondition(
    and(
      ...(await allOf([...within, ...filters])),
      parsed.node ? await resolveQueryNode(scene, normalizeQuery(parsed.node)) : allEvents,
      await inSight(database, actor),
    ),
  );
  if (scene.parts.length > 0) await requireCompleteCopy(database, actor.orgId);
  return { ...(await planQuery(database, actor.orgId, resolved)), plain: plainOf(resolved) };
}

/** Limits to the actor's own events, or excludes repositories that the actor does not see. */
async function inSight(database: Database, actor: Actor): Promise<StoreCondition> {
  if (actor.reach('read:events') === 'own') {
    return { is: 'column', column: 'actor', any: [actor.personId, ...actor.formerIds] };
  }
  return not({ is: 'column', column: 'repo', any: await hiddenFrom(database, actor) });
}

const hiddenFrom = async (database: Database, actor: Actor): Promise<string[]> =>
  seesAllRepositories(actor) ? [] : database.withOrg(actor.orgId, (tx) => listHiddenRepositories(tx, actor));

const refusalOf = ({ code, message, start, end, expected }: QueryProblem) =>
  new Refusal(code, message, { query: { start, end, expected: [...expected] } });

function plainOf(condition: StoreCondition): ResolvedQuery['plain'] {
  const parts = condition.is === 'and' ? condition.of : condition.is === 'all' ? [] : [condition];
  let [from, to]: (number | null)[] = [null, null];
  let kinds: EventKind[] | null = null;
  for (const part of parts) {
    if (part.is === 'time') {
      from = part.from === null ? from : Math.max(part.from, from ?? part.from);
      to = part.to === null ? to : Math.min(part.to, to ?? part.to);
    } else if (part.is === 'column' && part.column === 'kind' && kinds === null) kinds = part.any as EventKind[];
    else return undefined;
  }
  return { kinds, from: from ?? null, to: to ?? null };
}

/** One page of the timeline, as JSON, always newest first. */
export async function exploreEvents(given: Services, actor: Actor, request: ExploreRequest): Promise<RawJson> {
  const services = withQueryTime(given, actor);
  const { pagination, context, filters, details } = request;
  const { direction, events: count } = pagination;
  const from = cursorOf(pagination.cursors[direction]);
  const unsaved = typeof context === 'object' && context ? context.filters : [];
  const saved = typeof context === 'string' ? context : undefined;
  const resolved = await resolveQuestion(services, actor, { ...request, context: saved }, [...unsaved, ...filters]);
  const page = await readEventsPage(services, resolved, { from, direction, limit: count }, details);
  const { EVENT_RETENTION_MONTHS: months, CLIPBOARD_RETENTION_DAYS: clipboardDays } = services.config;
  const users = new Set<string>();
  const rows = page.rows.map((row) => ({ ...row, summary: fullSummaryWithUsers(row.summary, users) }));
  const people = await peopleOfUsers(services.database, actor.orgId, users);
  return { rawJson: exploreResponseJson(request, { ...page, rows, from, people }, { months, clipboardDays }) };
}

interface Walk {
  from: Cursor | undefined;
  direction: 'older' | 'newer';
  limit: number;
}

/** A page of events, newest first. */
export interface EventsPage {
  rows: EventPageRow[];
  /** Whether others follow. */
  more: boolean;
  /** Which of its events are in the archive, if any. */
  archived: ArchivedPart | null;
}

/** The events next to a cursor. `detail` adds that column. */
export async function readEventsPage(
  services: Services,
  resolved: ResolvedQuery,
  { from, direction, limit }: Walk,
  detail = false,
): Promise<EventsPage> {
  const { database, clickhouse } = services;
  const walk = { from, direction, limit: limit + 1 };
  const more = detail ? ['detail'] : [];
  const { rows: found, archived } =
    clickhouse && wordPartsIn(resolved.condition).length > 0
      ? await completeRows(services, resolved, {
          rows: await rowsByParts({ database, clickhouse }, resolved, walk, [...listedColumns, ...more]),
          walk,
          more,
        })
      : await readAllEventRows(services, resolved, walk, more);
  const rows = found.slice(0, limit);
  if (direction === 'newer') rows.reverse();
  return { rows, more: found.length > limit, archived };
}

/** The number of events newer than a cursor, up to `MAX_COUNTED_EVENTS`. */
export async function countNewer(
  given: Services,
  actor: Actor,
  { newer, ...question }: z.output<typeof countEvents.body>,
): Promise<z.output<typeof countEvents.response>> {
  const services = withQueryTime(given, actor);
  const { database, clickhouse } = services;
  const resolved = await resolveQuestion(services, actor, question);
  const walk = { from: cursorOf(newer), direction: 'newer' as const, limit: MAX_COUNTED_EVENTS + 1 };
  const count =
    clickhouse && wordPartsIn(resolved.condition).length > 0
      ? (await rowsByParts({ database, clickhouse }, resolved, walk, ['id'])).length
      : await countAllEventsFrom(services, resolved, walk);
  return { count: Math.min(count, MAX_COUNTED_EVENTS), more: count > MAX_COUNTED_EVENTS };
}

/**
 * Counts the events of a query in buckets by kind. All events if the query has only kinds and times and buckets are whole
 * hours, if the ClickHouse copy covers it, or if they are few. Otherwise estimates, with `sample`. `stoppedAt` is set if
 * only the newest events are counted: the time of the last one.
 */
export async function countByBuckets(
  services: Services,
  resolved: ResolvedQuery,
  { range, buckets }: { range: TimeSlice; buckets: BucketRange },
): Promise<{ counts: BucketCount[]; stoppedAt: number | null; sample: GroupTotals['sample'] }> {
  const { clickhouse } = services;
  const isWholeHour = (time: number) => time % 3_600_000 === 0;
  if (resolved.plain && isWholeHour(buckets.start) && isWholeHour(buckets.size)) {
    return {
      counts: await countAllByHours(services, { ...resolved, plain: resolved.plain }, buckets),
      stoppedAt: null,
      sample: null,
    };
  }
  // The copy may lack archived events.
  const isCopied = clickhouse && (await readSegmentList(services.database, resolved.orgId)).segments.length === 0;
  const counted = isCopied && (await histogramFromCopy(services, { clickhouse, plan: resolved, buckets }));
  if (counted) return { ...counted, sample: null };
  const { counts, sample } = await countGroups(
    services,
    resolved,
    { by: 'column', column: 'kind' },
    { range, buckets },
  );
  return {
    counts: counts.flatMap(({ value, place, n }) => (value === null ? [] : [{ kind: value as EventKind, place, n }])),
    stoppedAt: null,
    sample,
  };
}

/** The same query in another time range; undefined if its own range is part of an alternative. */
export async function withTimeRange(
  { database }: Pick<Services, 'database'>,
  { orgId, condition }: ResolvedQuery,
  { from, to }: TimeSlice,
): Promise<ResolvedQuery | undefined> {
  const parts = condition.is === 'and' ? condition.of : [condition];
  const others = parts.filter((part) => part.is !== 'time');
  if (others.some(hasTime)) return undefined;
  const moved = normalizeCondition(and(...others, { is: 'time', from, to }));
  return { ...(await planQuery(database, orgId, moved)), plain: plainOf(moved) };
}

function hasTime(condition: StoreCondition): boolean {
  if (condition.is === 'and' || condition.is === 'or') return condition.of.some(hasTime);
  return condition.is === 'not' ? hasTime(condition.of) : condition.is === 'time';
}

/** The time range that a query restricts its events to, in milliseconds, end excluded; null for an open end. */
export function timeRangeOfQuery({ branches }: ResolvedQuery): { from: number | null; to: number | null } {
  const ends = (end: 'from' | 'to', of: (...values: number[]) => number) => {
    const values = branches.flatMap((branch) => branch[end] ?? []);
    return values.length === 0 || values.length < branches.length ? null : of(...values);
  };
  return { from: ends('from', Math.min), to: ends('to', Math.max) };
}

function cursorOf(cursor: string | null | undefined): Cursor | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  const [asOf = '', id = ''] = cursor.split('_');
  return { asOf, id };
}

interface DetailedRow {
  id: string;
  kind: string;
  as_of: string;
  received_at: string;
  source: string;
  actor: string | null;
  repo: string | null;
  summary: string;
  detail: string;
  proof: string;
}
const detailedColumns = [
  'id',
  'kind',
  'as_of',
  'received_at',
  'source',
  'actor',
  'repo',
  'summary',
  'detail',
  'proof',
] as const;

/** One event with its details; throws 404 if the actor may not see it. */
export async function findEvent(services: Services, actor: Actor, eventId: string): Promise<Event> {
  const { database } = services;
  const [found] = await database.onceWithOrg<DetailedRow & Record<string, unknown>>(actor.orgId, {
    name: 'events.one',
    text: ` select e.* from tenant cross join lateral (
              select ${detailedColumns.join(', ')} from event where org_id = tenant.org and id = $2 offset 0) e`,
    values: [eventId],
    types: textTypes,
  });
  const row = found ?? (await readArchivedEvents(services, actor.orgId, [eventId], detailedColumns)).get(eventId);
  if (!row || !(await seesEvent(database, actor, row))) throw NotFound('Event');
  const { summary, detail } = parsedEventTexts(row);
  return {
    uuid: row.id,
    kind: specifiedEventKind(row.kind as EventKind),
    type: row.kind as EventKind,
    as_of: isoOf(row.as_of),
    receivedAt: isoOf(row.received_at),
    source: row.source,
    summary,
    detail: { parameters: detail },
    proof: row.proof,
  };
}

const isoOf = (time: string) => new Date(Date.parse(`${time.slice(0, 10)}T${time.slice(11, -3)}Z`)).toISOString();

/** Whether an actor may see an event: their own, or those of visible repositories. */
async function seesEvent(
  database: Database,
  actor: Actor,
  event: Pick<DetailedRow, 'actor' | 'repo'>,
): Promise<boolean> {
  if (actor.reach('read:events') === 'own')
    return event.actor !== null && [actor.personId, ...actor.formerIds].includes(event.actor);
  if (seesAllRepositories(actor) || event.repo === null) return true;
  return database.withOrg(actor.orgId, async (tx) => {
    const row = await visibleRepositories(tx, actor)
      .select('repository.id')
      .where('repository.id', '=', event.repo)
      .executeTakeFirst();
    return row !== undefined;
  });
}

/** The filters of a context; throws 404 for one of another organization. */
export async function findContext(database: Database, orgId: string, contextId: string): Promise<Context> {
  const filters = await maybeFilters(database, orgId, contextId);
  if (!filters) throw NotFound('Context');
  return { contextId, filters };
}

async function maybeFilters(
  database: Database,
  orgId: string,
  contextId: string,
): Promise<ContextFilter[] | undefined> {
  const [row] = await database.onceWithOrg<{ filters: unknown }>(orgId, {
    name: 'events.context',
    text: ` select c.filters from tenant cross join lateral (
              select filters from context where org_id = tenant.org and id = $2 offset 0) c`,
    values: [contextId],
  });
  return row && z.array(contextFilter).parse(row.filters);
}

/** IDs of controls, and their mapped requirements, that contain the typed text. */
export const suggestControls = (typed: string, limit: number): string[] =>
  controlNames.filter((name) => name.toLowerCase().includes(typed.toLowerCase())).slice(0, limit);
