import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { inSight } from '../../sources/repositories/queries.ts';
import type { Cells } from './cells.ts';
import type { FindingSortFields, List } from './list.ts';
import type { FindingScope } from './scope.ts';

/** The ids of one part of a list by name: titles are few, so their sums say which of them it begins and ends in. */
export async function idsByTitle(
  tx: Tx,
  { scope, cells, sort }: List,
  offset: number,
  limit: number,
): Promise<string[]> {
  if (cells.cells.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with sums as materialized (${sumsByTitle(scope, cells)}),
    placed as (
      select s.title_id, s.count, t.search, sum(s.count) over (order by t.search ${way(sort)}, t.id) - s.count as before
      from sums s join finding_title t on t.org_id = ${scope.orgId} and t.id = s.title_id
    ),
    page as materialized (
      select *, row_number() over (order by before) as place from placed
      where before < ${offset + limit}::bigint and before + count > ${offset}::bigint
    )
    select l.id from page p cross join lateral (
      select f.discovered_at, f.id from finding f
      where f.org_id = ${scope.orgId} and f.title_id = p.title_id and ${inLanes('f', cells)} and ${inSight('f.repository_id', scope)}
      order by f.discovered_at desc, f.id desc
      offset greatest(${offset}::bigint - p.before, 0) limit ${limit}
    ) l order by p.place, l.discovered_at desc, l.id desc limit ${limit}`.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** How many of a list come before the first finding of this one's title, and the cells of that title. */
export async function titlesBefore(
  tx: Tx,
  { scope, cells, sort }: List,
  { title, titleId }: FindingSortFields,
): Promise<{ before: number; same: Cells }> {
  const isMeant = scope.titles?.includes(titleId) ?? true;
  const same: Cells = {
    lead: 'title',
    cells: isMeant ? distinctCells(cells).map((cell) => ({ ...cell, lead: titleId })) : [],
  };
  if (cells.cells.length === 0) return { before: 0, same };
  const earlier = sort === 'name-asc' ? sql`<` : sql`>`;
  const { rows } = await sql<{ before: number }>`
    select coalesce(sum(s.count), 0)::int as before from (${sumsByTitle(scope, cells)}) s
    join finding_title t on t.org_id = ${scope.orgId} and t.id = s.title_id
    where t.search ${earlier} lower(${title}) or (t.search = lower(${title}) and t.id < ${titleId}::uuid)`.execute(
    tx.db,
  );
  return { before: rows[0]?.before ?? 0, same };
}

function sumsByTitle(scope: FindingScope, cells: Cells): RawBuilder<unknown> {
  const isWhole = !scope.only && scope.except.length === 0;
  return sql`
    select c.title_id, sum(c.count) as count from ${isWhole ? sql`finding_title_count` : sql`finding_count`} c
    where c.org_id = ${scope.orgId} and c.count > 0 and ${inLanes('c', cells)}
      ${isWhole ? sql`` : sql`and ${inSight('c.repository_id', scope)}`}
      ${scope.titles ? sql`and c.title_id = any(${scope.titles}::uuid[])` : sql``}
    group by c.title_id`;
}

/** Statuses and lanes go together as filters on each: every status with every lane. */
const inLanes = (table: string, { cells }: Cells) => sql`
  ${sql.ref(`${table}.status`)} = any(${[...new Set(cells.map(({ status }) => status))]}::text[])
  and ${sql.ref(`${table}.lane`)} = any(${[...new Set(cells.map(({ lane }) => lane.key))]}::text[])`;

const distinctCells = ({ cells }: Cells) => [
  ...new Map(cells.map((cell) => [`${cell.status}\n${cell.lane.key}`, cell])).values(),
];

const way = (sort: List['sort']) => (sort === 'name-desc' ? sql`desc` : sql`asc`);
