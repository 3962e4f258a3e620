import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { type LaneCells, matchingRowsSql, residualSql } from './cells.ts';
import { soleConditionOf } from './facets.ts';
import type { FindingList, FindingSortFields } from './list.ts';
import { coversAllRepositories, type FindingScope } from './scope.ts';
import { countShared } from './shared-counts.ts';

/**
 * Returns the finding IDs of one part of a list by name. Titles are few, so that their counts determine the titles at
 * which the part begins and ends.
 */
export async function listFindingIdsByTitle(
  tx: Tx,
  { scope, cells, sort }: FindingList,
  offset: number,
  limit: number,
): Promise<string[]> {
  if (cells.cells.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with sums as materialized (${await titleSumsOf(tx, scope, cells)}),
    placed as (
      select s.title_id, s.count, t.search, sum(s.count) over (order by t.search ${directionSql(sort)}, t.id) - s.count as before
      from sums s join finding_title t on t.org_id = ${scope.orgId} and t.id = s.title_id
    ),
    page as materialized (
      select *, row_number() over (order by before) as place from placed
      where before < ${offset + limit}::bigint and before + count > ${offset}::bigint
    )
    select l.id from page p cross join lateral (
      -- Each lane is in order, so that a walk along it ends where the page does.
      select o.discovered_at, o.id from unnest(${statusesOf(cells)}::text[]) s(status) cross join unnest(${lanesOf(cells)}::text[]) c(lane)
      cross join lateral (
        select f.discovered_at, f.id from finding f
        where f.org_id = ${scope.orgId} and f.title_id = p.title_id and f.status = s.status and f.lane = c.lane
          ${residualSql(scope, 'title', sql`c.lane`)}
        order by f.discovered_at desc, f.id desc limit greatest(${offset}::bigint - p.before, 0) + ${limit}
      ) o order by o.discovered_at desc, o.id desc
      offset greatest(${offset}::bigint - p.before, 0) limit ${limit}
    ) l order by p.place, l.discovered_at desc, l.id desc limit ${limit}`.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** Counts the findings of a list before the first one of this title, and returns the cells of the title. */
export async function countBeforeTitle(
  tx: Tx,
  { scope, cells, sort }: FindingList,
  { title, titleId }: FindingSortFields,
): Promise<{ before: number; same: LaneCells }> {
  const matchesSearch = scope.titles?.includes(titleId) ?? true;
  const same: LaneCells = {
    lead: 'title',
    cells: matchesSearch ? distinctCells(cells).map((cell) => ({ ...cell, lead: titleId })) : [],
  };
  if (cells.cells.length === 0) return { before: 0, same };
  const earlier = sort === 'name-asc' ? sql`<` : sql`>`;
  const { rows } = await sql<{ before: number }>`
    select coalesce(sum(s.count), 0)::int as before from (${await titleSumsOf(tx, scope, cells)}) s
    join finding_title t on t.org_id = ${scope.orgId} and t.id = s.title_id
    where t.search ${earlier} lower(${title}) or (t.search = lower(${title}) and t.id < ${titleId}::uuid)`.execute(
    tx.db,
  );
  return { before: rows[0]?.before ?? 0, same };
}

/** Selects `title_id, count`: under conditions those that an earlier request counted, if findings have not changed. */
async function titleSumsOf(tx: Tx, scope: FindingScope, cells: LaneCells): Promise<RawBuilder<unknown>> {
  if (!scope.conditions) return sumsByTitle(scope, cells);
  const counted = await countShared(
    tx,
    scope.orgId,
    sql<{ id: string; count: number }>`
      select title_id as id, count::int from (${sumsByTitle(scope, cells)}) s`,
  );
  return sql`select title_id, count::bigint
    from unnest(${counted.map(({ id }) => id)}::uuid[], ${counted.map(({ count }) => count)}::int[]) as u(title_id, count)`;
}

/** Selects the number of findings in the given cells by title: `title_id, count`. */
export function sumsByTitle(scope: FindingScope, cells: LaneCells): RawBuilder<unknown> {
  const coversAll = coversAllRepositories(scope);
  if (isAllUnassigned(scope)) return unassignedBySql('title_id', scope, cells);
  if (scope.conditions) {
    const { table, condition } = matchingRowsSql(scope);
    return sql`
      select f.title_id, count(*) as count from ${table} where ${condition} and ${inLanesSql('f', cells)} group by f.title_id`;
  }
  return sql`
    select c.title_id, sum(c.count) as count from ${coversAll ? sql`finding_title_count` : sql`finding_count`} c
    where c.org_id = ${scope.orgId} and c.count > 0 and ${inLanesSql('c', cells)}
      ${coversAll ? sql`` : sql`and ${isVisibleSql('c.repository_id', scope)}`}
      ${scope.titles ? sql`and c.title_id = any(${scope.titles}::uuid[])` : sql``}
    group by c.title_id`;
}

/** Whether a list has all findings without an assignee, so that `unassignedBySql` counts them. */
export function isAllUnassigned(scope: FindingScope): boolean {
  const assignees = soleConditionOf(scope)?.assignees;
  return coversAllRepositories(scope) && assignees?.length === 1 && assignees[0] === null;
}

/** Selects a column and `count`: all findings with each of its values, minus those with an assignee, which are fewer. */
export function unassignedBySql(name: 'title_id' | 'repository_id', { orgId }: FindingScope, cells: LaneCells) {
  const column = sql.ref(name);
  return sql`
    select ${column}, sum(count) as count from (
      select c.${column}, c.count from ${name === 'title_id' ? sql`finding_title_count` : sql`finding_repository_count`} c
      where c.org_id = ${orgId} and c.count > 0 and ${inLanesSql('c', cells)}
      union all
      select f.${column}, -count(*) from finding f where f.org_id = ${orgId} and f.assignee_id is not null and ${inLanesSql('f', cells)}
      group by f.${column}
    ) c group by ${column} having sum(count) > 0`;
}

/** Filters apply to statuses and lanes independently: every status combines with every lane. */
export const inLanesSql = (table: string, cells: LaneCells) => sql`
  ${sql.ref(`${table}.status`)} = any(${statusesOf(cells)}::text[])
  and ${sql.ref(`${table}.lane`)} = any(${lanesOf(cells)}::text[])`;

const statusesOf = ({ cells }: LaneCells) => [...new Set(cells.map(({ status }) => status))];
const lanesOf = ({ cells }: LaneCells) => [...new Set(cells.map(({ lane }) => lane.key))];

const distinctCells = ({ cells }: LaneCells) => [
  ...new Map(cells.map((cell) => [`${cell.status}\n${cell.lane.key}`, cell])).values(),
];

const directionSql = (sort: FindingList['sort']) => (sort === 'name-desc' ? sql`desc` : sql`asc`);
