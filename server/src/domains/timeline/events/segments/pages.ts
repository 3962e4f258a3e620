import { BOUNDED_STATEMENT_SECONDS } from '#database/database.ts';
import type { SegmentEvaluation } from '../archive/evaluate.ts';
import { findOrdinals } from '../archive/find.ts';
import { type ArchivedColumn, readKeys, readRows } from '../archive/rows.ts';
import type { Segment } from '../archive/segment.ts';
import { microsOf } from '../archive/times.ts';
import type { EventWalk } from '../store/keys.ts';
import { type EventPageRow, listedColumns, type QueryPlan, queryTimeout, readEventRows } from '../store/pages.ts';
import { withCurrentSegments } from './lookup.ts';
import { type MicrosRange, openEntry, rangeOfPlan, segmentsInRange } from './open-segments.ts';
import { resolveByTables } from './resolve-candidates.ts';
import type { SegmentServices } from './segment-bytes.ts';
import { readRowsAndSegments, type SegmentEntry } from './segment-list.ts';

/** An event found in a segment. */
export interface FoundEvent {
  /** Microseconds since 1970. */
  asOf: number;
  id: string;
  segment: Segment;
  ordinal: number;
}

type EventOrder = Pick<FoundEvent, 'asOf' | 'id'>;

/** Whether an event follows another in the direction of a walk. */
const follows = (one: EventOrder, other: EventOrder, direction: EventWalk['direction']): boolean =>
  one.asOf === other.asOf
    ? (direction === 'older') === one.id < other.id && one.id !== other.id
    : (direction === 'older') === one.asOf < other.asOf;

/** Merges two lists in the order of a walk, up to a limit. */
export function mergeInOrder<One>(
  one: readonly One[],
  other: readonly One[],
  { keyOf, walk: { direction, limit } }: { keyOf: (item: One) => EventOrder; walk: EventWalk },
): One[] {
  const merged: One[] = [];
  for (let [first, second] = [0, 0]; merged.length < limit; ) {
    const [left, right] = [one[first], other[second]];
    if (left === undefined && right === undefined) break;
    const takesRight = left === undefined || (right !== undefined && follows(keyOf(left), keyOf(right), direction));
    merged.push((takesRight ? right : left) as One);
    if (takesRight) second += 1;
    else first += 1;
  }
  return merged;
}

/** The order of a row in the text format of PostgreSQL. */
export const orderOfRow = ({ as_of, id }: { as_of: string; id: string }): EventOrder => ({ asOf: microsOf(as_of), id });

/** A time limit for reading segments, as for statements that read many rows. */
const timeLimitOfReads = (): AbortSignal => AbortSignal.timeout(BOUNDED_STATEMENT_SECONDS * 1000);

/** Runs a read of segments, which a timeout stops as if it were a statement. */
export async function withReadTimeout<Answer>(read: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const signal = timeLimitOfReads();
  try {
    return await read(signal);
  } catch (error) {
    throw signal.aborted ? queryTimeout() : error;
  }
}

/**
 * The next events of a plan in segments, in the order of the walk. `last` is the last event that the walk needs to reach
 * because others are known that are nearer.
 */
export function findInSegments(
  services: SegmentServices,
  plan: QueryPlan,
  { walk, segments, last }: { walk: EventWalk; segments: readonly SegmentEntry[]; last?: EventOrder | undefined },
): Promise<FoundEvent[]> {
  const { direction, limit } = walk;
  const entries = inOrder(reachable(plan, walk, segments), direction);
  return withReadTimeout(async (signal) => {
    let found: FoundEvent[] = [];
    for (const entry of entries) {
      const bound = found.length === limit ? found.at(-1) : last;
      if (bound && follows(endsOf(entry, direction).nearest, bound, direction)) break;
      const more = await findInSegment(services, plan, { entry, walk, signal });
      found = mergeInOrder(found, more, { keyOf: (one) => one, walk });
    }
    return found;
  });
}

export interface FoundOrdinals {
  segment: Segment;
  /** In the order of the walk. */
  ordinals: number[];
}

/**
 * Events of a plan from the cursor of a walk on, up to its limit, without their keys, which cost more to read. They are the
 * next events of the walk if the segments do not overlap.
 */
export const findOrdinalsInSegments = (
  services: SegmentServices,
  plan: QueryPlan,
  { walk, segments }: { walk: EventWalk; segments: readonly SegmentEntry[] },
): Promise<FoundOrdinals[]> =>
  withReadTimeout(async (signal) => {
    const found: FoundOrdinals[] = [];
    let limit = walk.limit;
    for (const entry of inOrder(reachable(plan, walk, segments), walk.direction)) {
      if (limit === 0) break;
      const more = await ordinalsInSegment(services, plan, { entry, walk: { ...walk, limit }, signal });
      if (more.ordinals.length > 0) found.push(more);
      limit -= more.ordinals.length;
    }
    return found;
  });

/** The first and last event of a segment in the direction of a walk. */
function endsOf({ firstAt, firstId, lastAt, lastId }: SegmentEntry, direction: EventWalk['direction']) {
  const [first, last] = [
    { asOf: firstAt, id: firstId },
    { asOf: lastAt, id: lastId },
  ];
  return direction === 'older' ? { nearest: last, farthest: first } : { nearest: first, farthest: last };
}

const inOrder = (segments: readonly SegmentEntry[], direction: EventWalk['direction']): SegmentEntry[] =>
  segments.toSorted((one, other) =>
    follows(endsOf(one, direction).nearest, endsOf(other, direction).nearest, direction) ? 1 : -1,
  );

/** Whether each segment has only events older than those of the next newer one. */
export const areSeparate = (segments: readonly SegmentEntry[]): boolean =>
  inOrder(segments, 'older').every((entry, place, all) => {
    const newer = all[place - 1];
    return !newer || follows(endsOf(entry, 'older').nearest, endsOf(newer, 'older').farthest, 'older');
  });

/** The segments with events in the range of a plan, from the cursor of a walk on. */
function reachable(plan: QueryPlan, { from: cursor, direction }: EventWalk, segments: readonly SegmentEntry[]) {
  if (plan.branches.length === 0) return [];
  const range: MicrosRange = rangeOfPlan(plan);
  const at = cursor && microsOf(cursor.asOf);
  if (at !== undefined && direction === 'older') range.to = Math.min(range.to, at + 1);
  if (at !== undefined && direction === 'newer') range.from = Math.max(range.from, at);
  return segmentsInRange(segments, range);
}

const findInSegment = async (
  services: SegmentServices,
  plan: QueryPlan,
  search: SegmentSearch,
): Promise<FoundEvent[]> => {
  const { segment, ordinals } = await ordinalsInSegment(services, plan, search);
  return foundEvents(segment, ordinals);
};

interface SegmentSearch {
  entry: SegmentEntry;
  walk: EventWalk;
  signal: AbortSignal;
}

async function ordinalsInSegment(
  services: SegmentServices,
  { orgId, condition }: QueryPlan,
  { entry, walk, signal }: SegmentSearch,
): Promise<FoundOrdinals> {
  const segment = await openEntry(services, orgId, entry);
  const evaluation: SegmentEvaluation = { resolve: resolveByTables(services.database, orgId), signal };
  return { segment, ordinals: await findOrdinals(segment, condition, walk, evaluation) };
}

/** Events of a segment with their keys. */
async function foundEvents(segment: Segment, ordinals: readonly number[]): Promise<FoundEvent[]> {
  const keys = await readKeys(segment, ordinals);
  return keys.map(({ asOf, id }, place) => ({ asOf, id, segment, ordinal: ordinals[place] as number }));
}

/** The events of a page that were read from segments. */
export interface ArchivedPart {
  events: number;
  /** Whether they were read from outside the database, which takes longer. */
  isExternal: boolean;
}

interface EventRows {
  rows: EventPageRow[];
  archived: ArchivedPart | null;
}

/** The next events of a plan in the order of the walk, from rows and segments; `more` adds columns to those of a list. */
export const readAllEventRows = (
  services: SegmentServices,
  plan: QueryPlan,
  walk: EventWalk,
  more: readonly string[] = [],
): Promise<EventRows> =>
  readRowsAndSegments(
    services,
    plan.orgId,
    () => readEventRows(services.database, plan, walk, more),
    ({ rows }, segments) => completePage(services, plan, { rows, segments, walk, more }),
  );

/** The same from rows that were found in another way. */
export const completeRows = (
  services: SegmentServices,
  plan: QueryPlan,
  page: { rows: EventPageRow[]; walk: EventWalk; more: readonly string[] },
): Promise<EventRows> =>
  withCurrentSegments(services, plan.orgId, (segments) => completePage(services, plan, { ...page, segments }));

async function completePage(
  services: SegmentServices,
  plan: QueryPlan,
  {
    rows,
    segments,
    walk,
    more,
  }: { rows: EventPageRow[]; segments: readonly SegmentEntry[]; walk: EventWalk; more: readonly string[] },
): Promise<EventRows> {
  if (segments.length === 0) return { rows, archived: null };
  const lastRow = rows.length >= walk.limit ? rows.at(-1) : undefined;
  const found = await findInSegments(services, plan, { walk, segments, last: lastRow && orderOfRow(lastRow) });
  if (found.length === 0) return { rows, archived: null };
  type PageItem = { row: EventPageRow } & ReturnType<typeof orderOfRow>;
  const merged = mergeInOrder<PageItem | FoundEvent>(
    rows.map((row) => ({ row, ...orderOfRow(row) })),
    found,
    { keyOf: (item) => item, walk },
  );
  const archived = merged.filter((item): item is FoundEvent => 'segment' in item);
  const read = await rowsOfFound(archived, [...listedColumns, ...more] as ArchivedColumn[]);
  return {
    rows: merged.map((item) => ('row' in item ? item.row : (read.get(item) as EventPageRow))),
    archived:
      archived.length === 0
        ? null
        : { events: archived.length, isExternal: segments.some(({ isStored }) => !isStored) },
  };
}

/** The rows of events, with one read per segment. */
async function rowsOfFound<Column extends ArchivedColumn>(
  events: readonly FoundEvent[],
  columns: readonly Column[],
): Promise<Map<FoundEvent, Record<Column, string | null>>> {
  const rows = new Map<FoundEvent, Record<Column, string | null>>();
  for (const [segment, ofSegment] of Map.groupBy(events, (event) => event.segment)) {
    const read = await readRows(
      segment,
      ofSegment.map(({ ordinal }) => ordinal),
      columns,
    );
    ofSegment.forEach((event, place) => {
      const row = read[place];
      if (row) rows.set(event, row);
    });
  }
  return rows;
}
