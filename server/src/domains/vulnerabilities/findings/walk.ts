import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { inSight } from '../../sources/repositories/queries.ts';
import { type Cells, type Lead, withoutLead } from './cells.ts';
import { type Cell, leaves, type Narrowing, sumOf } from './lanes.ts';
import { prepared } from './prepared.ts';
import type { FindingScope } from './scope.ts';

/** Where a finding stands in a walk: newest first unless said otherwise. `at` is a timestamptz as PostgreSQL writes it. */
export type FindingCursor = {
  at: string;
  id: string;
};

export interface Walk {
  scope: FindingScope;
  /** Which lanes to walk along, all of them at once; nothing else is met on the way. */
  cells: Cells;
  oldestFirst: boolean;
}

interface WalkStep {
  offset: number;
  limit: number;
}

/** The ids of `limit` findings after the first `offset`, from the nearer end. */
export async function idsAt(tx: Tx, walk: Walk, { offset, limit }: WalkStep): Promise<string[]> {
  const total = sumOf(walk.cells.cells);
  const most = Math.min(limit, total - offset);
  if (most <= 0) return [];
  const left = total - offset - most;
  if (left >= offset) return step(tx, walk, { offset, limit: most });
  const back = { ...walk, oldestFirst: !walk.oldestFirst };
  return (await step(tx, back, { offset: left, limit: most })).toReversed();
}

/** The places of the next `limit` findings, after one or from the beginning. */
export async function placesAfter(
  tx: Tx,
  walk: Walk,
  after: FindingCursor | undefined,
  limit: number,
): Promise<FindingCursor[]> {
  return take(tx, walk, { offset: 0, limit }, after);
}

/** How many findings of a walk stand before a place. */
export async function countBefore(
  tx: Tx,
  { scope, cells, oldestFirst }: Walk,
  { at, id }: FindingCursor,
): Promise<number> {
  const before = sql`(f.discovered_at, f.id) ${oldestFirst ? sql`<` : sql`>`} (${at}::timestamptz, ${id}::uuid)`;
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(p.count), 0)::int as count from ${tableOf(cells)} cross join lateral (
      select count(*) as count from finding f where ${along(scope, cells.lead)} and ${before}) p`.execute(tx.db);
  return rows[0]?.count ?? 0;
}

async function step(tx: Tx, walk: Walk, { offset, limit }: WalkStep): Promise<string[]> {
  const { passed, after } = offset > farAway ? await dayBefore(tx, walk, offset) : { passed: 0, after: undefined };
  const places = await take(tx, walk, { offset: offset - passed, limit }, after);
  return places.map(({ id }) => id);
}

const farAway = 1_000;

/** The day a part far away begins on, as a place before it, and how many are passed on the way. */
async function dayBefore(tx: Tx, { scope, cells, oldestFirst }: Walk, offset: number) {
  const { orgId, only, except, titles } = scope;
  // Nobody counts the days of a repository or a title.
  if (cells.lead !== 'none' || only || except.length > 0 || titles) return { passed: 0, after: undefined };
  const { rows } = await sql<{ day: string; passed: number }>`
    with days as (
      select d.day, sum(d.count) as count from ${tableOf(cells)}
      join finding_discovered d on d.org_id = ${orgId} and d.status = c.status and d.lane = c.lane group by d.day
    ), passing as (
      select day, sum(count) over (order by day ${oldestFirst ? sql`asc` : sql`desc`}) - count as passed from days
    )
    select (day + ${oldestFirst ? 0 : 1}::int)::text as day, passed::int from passing where passed <= ${offset}
    order by passed desc limit 1`.execute(tx.db);
  const [row] = rows;
  if (!row) return { passed: 0, after: undefined };
  return { passed: row.passed, after: { at: `${row.day}T00:00:00Z`, id: '00000000-0000-0000-0000-000000000000' } };
}

// Merging lanes costs planning for each of them; sorting what each could give costs reading it.
const mergeFrom = 5_000;
const mostMerged = 100;

async function take(tx: Tx, walk: Walk, { offset, limit }: WalkStep, after?: FindingCursor): Promise<FindingCursor[]> {
  const { cells } = walk.cells;
  const reach = offset + limit;
  const read = cells.reduce((sum, { count }) => sum + Math.min(count, reach), 0);
  const isDeep = read > mergeFrom;
  const merged = isDeep && cells.length > mostMerged ? await coarser(tx, walk) : walk;
  const isMerged = isDeep && merged.cells.cells.length <= mostMerged;
  const statement = sql<FindingCursor>`
    select p.discovered_at::text as at, p.id
    from (${isMerged ? mergedLanes(merged, reach, after) : lateral(walk, reach, after)}) p
    order by ${order('p', walk.oldestFirst)} offset ${offset} limit ${limit}`;
  // As many lanes, as many shapes: not worth keeping.
  return isMerged ? (await statement.execute(tx.db)).rows : prepared(tx, statement);
}

/** The same findings along the lanes of the organization, where the leads are too many to be merged. */
async function coarser(tx: Tx, walk: Walk): Promise<Walk> {
  const met = new Set(walk.cells.cells.map(keyOf));
  const { cells } = await withoutLead(tx, walk.scope);
  return { ...walk, cells: { lead: 'none', cells: cells.filter((cell) => met.has(keyOf(cell))) } };
}

const keyOf = ({ status, lane }: Cell) => `${status}\n${lane.key}`;

function lateral({ scope, cells, oldestFirst }: Walk, reach: number, after?: FindingCursor): RawBuilder<unknown> {
  return sql`select l.discovered_at, l.id from ${tableOf(cells)} cross join lateral (
    select f.discovered_at, f.id from finding f where ${along(scope, cells.lead)} ${beyond(oldestFirst, after)}
    order by ${order('f', oldestFirst)} limit ${reach}) l`;
}

// Each lane says its order, or the planner would read and sort them whole.
function mergedLanes({ scope, cells, oldestFirst }: Walk, reach: number, after?: FindingCursor): RawBuilder<unknown> {
  const branches = cells.cells.map(
    ({ status, lane, lead }) => sql`(select f.discovered_at, f.id from finding f
      where f.org_id = ${scope.orgId} and f.status = ${status} and f.lane = ${lane.key}
        ${lead === null ? sql`` : sql`and ${leadColumn(cells.lead)} = ${lead}::uuid`}
        ${residual(scope, cells.lead)} ${beyond(oldestFirst, after)}
      order by ${order('f', oldestFirst)} limit ${reach})`,
  );
  return sql.join(branches, sql` union all `);
}

const tableOf = ({ cells }: Cells) => sql`unnest(${cells.map(({ status }) => status)}::text[],
  ${cells.map(({ lane }) => lane.key)}::text[], ${cells.map(({ lead }) => lead)}::uuid[]) as c(status, lane, lead)`;

const leadColumn = (lead: Lead) => sql.ref(lead === 'repository' ? 'f.repository_id' : 'f.title_id');

const along = (
  scope: FindingScope,
  lead: Lead,
) => sql`f.org_id = ${scope.orgId} and f.status = c.status and f.lane = c.lane
  ${lead === 'none' ? sql`` : sql`and ${leadColumn(lead)} = c.lead`} ${residual(scope, lead)}`;

/** What the lead does not settle, looked at in the index. */
function residual(scope: FindingScope, lead: Lead): RawBuilder<unknown> {
  const { only, except, titles } = scope;
  return sql`
    ${lead !== 'repository' && (only || except.length > 0) ? sql`and ${inSight('f.repository_id', scope)}` : sql``}
    ${lead !== 'title' && titles ? sql`and f.title_id = any(${titles}::uuid[])` : sql``}`;
}

const beyond = (oldestFirst: boolean, after?: FindingCursor) =>
  after
    ? sql`and (f.discovered_at, f.id) ${oldestFirst ? sql`>` : sql`<`} (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql``;

const order = (table: string, oldestFirst: boolean) => {
  const direction = oldestFirst ? sql`asc` : sql`desc`;
  return sql`${sql.ref(table)}.discovered_at ${direction}, ${sql.ref(table)}.id ${direction}`;
};

export const narrowed = ({ lead, cells }: Cells, filter: Narrowing, but?: keyof Narrowing): Cells => ({
  lead,
  cells: cells.filter(leaves(filter, but)),
});
