import { type RawBuilder, sql } from 'kysely';
import { NIL_UUID } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { runPrepared } from '#database/run-prepared.ts';
import {
  cellConditionSql,
  cellTable,
  countLaneCellsWithoutLead,
  isFacet,
  type LaneCells,
  leadColumn,
  leadTable,
  leadType,
  residualSql,
  selectedRowsSql,
} from './cells.ts';
import { isSelective } from './conditions.ts';
import { type LaneCell, type LaneFilter, laneCellPredicate, sumLaneCells } from './lanes.ts';
import type { FindingScope } from './scope.ts';
import { countShared } from './shared-counts.ts';

/**
 * The position of a finding in a sorted list, newest first by default. `at` is a timestamptz in the text format of
 * PostgreSQL.
 */
export type FindingCursor = {
  at: string;
  id: string;
};

/** The findings of a scope by date; the lists and exports of findings read pages of it. */
export interface SortedFindings {
  scope: FindingScope;
  /** The lanes to read, merged by date; findings of other lanes are not part of the list. */
  cells: LaneCells;
  oldestFirst: boolean;
}

interface PageBounds {
  offset: number;
  limit: number;
}

/** Returns the IDs of `limit` findings after the first `offset`, reading from the nearer end. */
export async function listSortedIds(tx: Tx, sorted: SortedFindings, { offset, limit }: PageBounds): Promise<string[]> {
  const total = sumLaneCells(sorted.cells.cells);
  const count = Math.min(limit, total - offset);
  if (count <= 0) return [];
  const remaining = total - offset - count;
  if (remaining >= offset) return readIds(tx, sorted, { offset, limit: count });
  const reverse = { ...sorted, oldestFirst: !sorted.oldestFirst };
  return (await readIds(tx, reverse, { offset: remaining, limit: count })).toReversed();
}

/** Returns the cursors of the next `limit` findings, after a cursor or from the beginning. */
export async function listCursorsAfter(
  tx: Tx,
  sorted: SortedFindings,
  after: FindingCursor | undefined,
  limit: number,
): Promise<FindingCursor[]> {
  return readCursors(tx, sorted, { offset: 0, limit }, after);
}

/** Whether a finding is part of a sorted list. */
export async function containsFinding(tx: Tx, { scope, cells }: SortedFindings, id: string): Promise<boolean> {
  const { rows } = await sql<{ contains: boolean }>`
    select exists (select from ${cellTable(cells)} join ${leadTable(cells.lead)} on f.id = ${id}::uuid
      and ${cellConditionSql(scope, cells.lead)}) as contains`.execute(tx.db);
  return rows[0]?.contains ?? false;
}

/** Counts the findings of a sorted list before a cursor. */
export async function countBeforeCursor(
  tx: Tx,
  { scope, cells, oldestFirst }: SortedFindings,
  { at, id }: FindingCursor,
): Promise<number> {
  const before = sql`(f.discovered_at, f.id) ${oldestFirst ? sql`<` : sql`>`} (${at}::timestamptz, ${id}::uuid)`;
  // Whole days before the one of the cursor are counted already.
  const byDay = hasDailyCounts(scope, cells);
  const day = sql`(${at}::timestamptz at time zone 'UTC')::date`;
  const ofDay = oldestFirst
    ? sql`and f.discovered_at >= ${day}::timestamptz`
    : sql`and f.discovered_at < (${day} + 1)::timestamptz`;
  const statement = sql<{ count: number }>`
    select coalesce(sum(p.count), 0)::int as count from ${cellTable(cells)} cross join lateral (
      select count(*) as count from ${leadTable(cells.lead)} where ${cellConditionSql(scope, cells.lead)} and ${before}
        ${byDay ? ofDay : sql``}
      ${
        byDay
          ? sql`union all select sum(d.count) from (${dailyCountsSql(scope, cells)}) d
              where d.status = c.status and d.lane = c.lane and d.day ${oldestFirst ? sql`<` : sql`>`} ${day}`
          : sql``
      }) p`;
  const rows = scope.conditions ? await countShared(tx, scope.orgId, statement) : (await statement.execute(tx.db)).rows;
  return rows[0]?.count ?? 0;
}

/** Whether the days of discovery are counted: there are no such counts by repository, title or condition. */
const hasDailyCounts = ({ only, titles, conditions }: FindingScope, { lead }: LaneCells): boolean =>
  lead === 'none' && !only && !titles && !conditions;

/** Selects counts `(status, lane, day, count)` by the day of discovery (UTC), minus those of disabled repositories. */
function dailyCountsSql({ orgId, except }: FindingScope, { cells }: LaneCells): RawBuilder<unknown> {
  const stored = sql`select status, lane, day, count from finding_discovered where org_id = ${orgId}`;
  if (except.length === 0) return stored;
  const statuses = [...new Set(cells.map(({ status }) => status))];
  const lanes = [...new Set(cells.map(({ lane }) => lane.key))];
  return sql`${stored} union all
    select status, lane, (discovered_at at time zone 'UTC')::date, -count(*) from finding
    where org_id = ${orgId} and repository_id = any(${except}::uuid[]) and status = any(${statuses}::text[])
      and lane = any(${lanes}::text[])
    group by 1, 2, 3`;
}

async function readIds(tx: Tx, sorted: SortedFindings, { offset, limit }: PageBounds): Promise<string[]> {
  const day = offset > MIN_OFFSET_TO_SKIP_DAYS ? await dayOf(tx, sorted, offset) : undefined;
  if (!day) return idsOf(await readCursors(tx, sorted, { offset, limit }));
  const rest = { offset: offset - day.passed, limit };
  if (rest.offset + limit <= day.count && day.count <= MAX_DAY_TO_SORT) return readPartOfDay(tx, sorted, day, rest);
  const after = { at: `${sorted.oldestFirst ? day.day : day.next}T00:00:00Z`, id: NIL_UUID };
  return idsOf(await readCursors(tx, sorted, rest, after));
}

const idsOf = (cursors: readonly FindingCursor[]) => cursors.map(({ id }) => id);

const MIN_OFFSET_TO_SKIP_DAYS = 1_000;
const MAX_DAY_TO_SORT = 50_000;

/** A day of a list (UTC) and the one after it, with the number of findings of the list on it. */
interface CountedDay {
  [column: string]: unknown;
  day: string;
  next: string;
  count: number;
}

/** Finds the day on which a distant part begins, with the number of findings before it. Undefined if days are not counted. */
async function dayOf(
  tx: Tx,
  { scope, cells, oldestFirst }: SortedFindings,
  offset: number,
): Promise<(CountedDay & { passed: number }) | undefined> {
  if (!hasDailyCounts(scope, cells)) return undefined;
  const days = await countShared(
    tx,
    scope.orgId,
    sql<CountedDay>`
      select d.day::text, (d.day + 1)::text as next, sum(d.count)::int as count from ${cellTable(cells)}
      join (${dailyCountsSql(scope, cells)}) d on d.status = c.status and d.lane = c.lane group by d.day order by d.day`,
  );
  let passed = 0;
  for (const day of oldestFirst ? days : days.toReversed()) {
    if (offset < passed + day.count) return { ...day, passed };
    passed += day.count;
  }
  return undefined;
}

/** Reads a part of one day from its nearer end. */
async function readPartOfDay(
  tx: Tx,
  sorted: SortedFindings,
  { day, count }: CountedDay,
  { offset, limit }: PageBounds,
): Promise<string[]> {
  const remaining = count - offset - limit;
  if (remaining >= offset) return idsOf(await readDay(tx, sorted, day, { offset, limit }));
  const reverse = { ...sorted, oldestFirst: !sorted.oldestFirst };
  return idsOf(await readDay(tx, reverse, day, { offset: remaining, limit })).toReversed();
}

/** Reads a part of one day, whose findings are sorted: cheaper than merging the lanes. */
function readDay(
  tx: Tx,
  { scope, cells, oldestFirst }: SortedFindings,
  day: string,
  { offset, limit }: PageBounds,
): Promise<FindingCursor[]> {
  return runPrepared(
    tx,
    sql<FindingCursor>`
      select l.discovered_at::text as at, l.id from ${cellTable(cells)} cross join lateral (
        select f.discovered_at, f.id from finding f where ${cellConditionSql(scope, cells.lead)}
          and f.discovered_at >= ${day}::date::timestamptz and f.discovered_at < (${day}::date + 1)::timestamptz) l
      order by ${orderSql('l', oldestFirst)} offset ${offset} limit ${limit}`,
  );
}

// Merging costs planning time per lane; sorting costs reading all candidates of each lane.
const MIN_ROWS_TO_MERGE = 5_000;
const MAX_MERGED_LANES = 100;

async function readCursors(
  tx: Tx,
  sorted: SortedFindings,
  { offset, limit }: PageBounds,
  after?: FindingCursor,
): Promise<FindingCursor[]> {
  const { cells } = sorted.cells;
  const reach = offset + limit;
  if (readsSelected(sorted, reach)) return readSelected(tx, sorted, { offset, limit }, after);
  const read = cells.reduce((sum, { count }) => sum + Math.min(count, reach), 0);
  const isDeep = read > MIN_ROWS_TO_MERGE;
  const merged = isDeep && cells.length > MAX_MERGED_LANES ? await withOrganizationLanes(tx, sorted) : sorted;
  const isMerged = isDeep && merged.cells.cells.length <= MAX_MERGED_LANES;
  const statement = sql<FindingCursor>`
    select p.discovered_at::text as at, p.id
    from (${isMerged ? mergedLanes(merged, reach, after) : lateralLanes(sorted, reach, after)}) p
    order by ${orderSql('p', sorted.oldestFirst)} offset ${offset} limit ${limit}`;
  // Every number of lanes is another statement, so that caching the plan does not pay off.
  return isMerged ? (await statement.execute(tx.db)).rows : runPrepared(tx, statement);
}

/**
 * Whether to read all findings that match selective conditions instead of walking along the lanes. A walk passes those
 * without a match: in a lane of which a tenth match, ten times as many as the page reaches.
 */
function readsSelected({ scope, cells: { lead, cells } }: SortedFindings, reach: number): boolean {
  if (!isSelective(scope.conditions)) return false;
  const matching = cells.reduce((sum, { count }) => sum + count, 0);
  // The lanes of a facet or login contain no others unless there is another condition.
  const laneCountOf = ({ count, laneCount }: LaneCell) =>
    laneCount ?? (isFacet(lead) || lead === 'introducer' ? count : Number.POSITIVE_INFINITY);
  const passed = cells.reduce((sum, cell) => {
    const laneCount = laneCountOf(cell);
    return sum + Math.min(laneCount, (reach * laneCount) / cell.count);
  }, 0);
  return matching < passed;
}

/** Reads the findings that match selective conditions, which are fewer than those of their lanes. */
function readSelected(
  tx: Tx,
  { scope, cells, oldestFirst }: SortedFindings,
  { offset, limit }: PageBounds,
  after?: FindingCursor,
): Promise<FindingCursor[]> {
  // Materialized, since the planner would otherwise read every lane.
  const { lead } = cells;
  const leads = [...new Set(cells.cells.map((cell) => cell.lead))];
  const { table, residual } = selectedRowsSql(scope, lead);
  return runPrepared(
    tx,
    sql<FindingCursor>`
    with matching as materialized (
      select f.id, f.status, f.lane, f.discovered_at, ${leadColumn(lead)} as lead from ${table}
      where f.org_id = ${scope.orgId} ${lead === 'none' ? sql`` : sql`and ${leadColumn(lead)} = any(${leads}::${leadType(lead)}[])`}
        ${residual}
    )
    select f.discovered_at::text as at, f.id from matching f join ${cellTable(cells)} on f.status = c.status and f.lane = c.lane
      ${lead === 'none' ? sql`` : sql`and f.lead = c.lead`}
    where true ${afterCursorSql(oldestFirst, after)}
    order by ${orderSql('f', oldestFirst)} offset ${offset} limit ${limit}`,
  );
}

/** Reads the same findings by the lanes of the organization, if there are too many leads to merge. */
async function withOrganizationLanes(tx: Tx, sorted: SortedFindings): Promise<SortedFindings> {
  const cellKeys = new Set(sorted.cells.cells.map(keyOf));
  const { cells } = await countLaneCellsWithoutLead(tx, sorted.scope);
  return { ...sorted, cells: { lead: 'none', cells: cells.filter((cell) => cellKeys.has(keyOf(cell))) } };
}

const keyOf = ({ status, lane }: LaneCell) => `${status}\n${lane.key}`;

function lateralLanes(
  { scope, cells, oldestFirst }: SortedFindings,
  reach: number,
  after?: FindingCursor,
): RawBuilder<unknown> {
  return sql`select l.discovered_at, l.id from ${cellTable(cells)} cross join lateral (
    select f.discovered_at, f.id from ${leadTable(cells.lead)} where ${cellConditionSql(scope, cells.lead)} ${afterCursorSql(oldestFirst, after)}
    order by ${orderSql('f', oldestFirst)} limit ${reach}) l`;
}

// Each lane has its own order and limit; otherwise the planner would read and sort entire lanes.
function mergedLanes(
  { scope, cells, oldestFirst }: SortedFindings,
  reach: number,
  after?: FindingCursor,
): RawBuilder<unknown> {
  const branches = cells.cells.map(
    ({ status, lane, lead }) => sql`(select f.discovered_at, f.id from ${leadTable(cells.lead)}
      where f.org_id = ${scope.orgId} and f.status = ${status} and f.lane = ${lane.key}
        ${lead === null ? sql`` : sql`and ${leadColumn(cells.lead)} = ${lead}::${leadType(cells.lead)}`}
        ${residualSql(scope, cells.lead, sql`${lane.key}::text`)} ${afterCursorSql(oldestFirst, after)}
      order by ${orderSql('f', oldestFirst)} limit ${reach})`,
  );
  return sql.join(branches, sql` union all `);
}

const afterCursorSql = (oldestFirst: boolean, after?: FindingCursor) =>
  after
    ? sql`and (f.discovered_at, f.id) ${oldestFirst ? sql`>` : sql`<`} (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql``;

const orderSql = (table: string, oldestFirst: boolean) => {
  const direction = oldestFirst ? sql`asc` : sql`desc`;
  return sql`${sql.ref(table)}.discovered_at ${direction}, ${sql.ref(table)}.id ${direction}`;
};

export const filterLaneCells = ({ lead, cells }: LaneCells, filter: LaneFilter, but?: keyof LaneFilter): LaneCells => ({
  lead,
  cells: cells.filter(laneCellPredicate(filter, but)),
});
