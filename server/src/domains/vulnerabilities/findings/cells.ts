import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { runPrepared } from '#database/run-prepared.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { conditionsSql, type FindingConditions, isSelective } from './conditions.ts';
import { type Facet, type FacetCondition, facetOf, labelsOf, soleConditionOf, withoutFacet } from './facets.ts';
import { type LaneCell, parseLane, sumLaneCells } from './lanes.ts';
import type { FindingScope } from './scope.ts';
import { countShared } from './shared-counts.ts';
import { countStoredCells, facetCellsSql, type StoredCellRow } from './stored-counts.ts';

/** The index that a list is read along: the lanes of the organization, or of each repository, title, login or value of a facet. */
export type CellGrouping = 'none' | 'repository' | 'title' | 'introducer' | Facet;

export interface LaneCells {
  lead: CellGrouping;
  cells: LaneCell[];
}

// Above this number, the lanes of each repository or title are more rows than the lanes of the organization.
const MAX_LEADS = 500;

/** Counts the findings of a scope by lane. All counts and sorted lists start from these cells. */
export async function countLaneCells(tx: Tx, scope: FindingScope): Promise<LaneCells> {
  const { only, titles } = scope;
  if (only?.length === 0 || titles?.length === 0) return { lead: 'none', cells: [] };
  const stored = await countStoredCells(tx, scope, sumsOf(scope));
  if (stored) return { lead: stored.lead, cells: cellsOf(stored.rows) };
  const introducers = introducersOf(scope);
  if (introducers) return { lead: 'introducer', cells: await countByIntroducer(tx, scope, introducers) };
  const lead = leadOf(scope);
  const frequent = lead === 'title' ? await countFrequentTitles(tx, scope) : undefined;
  if (frequent) return frequent;
  const facet = facetOf(scope);
  if (!facet) return countCellsBy(tx, scope, lead);
  const ofFacet = cellsOf(await runPrepared(tx, facetCellsSql(scope, facet.facet, facet.values)));
  const ofLead = await countLanes(tx, scope, lead);
  return sumLaneCells(ofFacet) <= sumLaneCells(ofLead)
    ? countAlongFacet(tx, scope, facet, ofFacet)
    : countCellsBy(tx, scope, lead);
}

/** Returns the hashed logins of a list of only their findings; undefined if its repositories are on several code hosts. */
function introducersOf(scope: FindingScope): string[] | undefined {
  const logins = soleConditionOf(scope)?.introducedBy ?? [];
  return logins.length > 0 && logins.every(({ kind }) => kind === null) ? logins.map(({ hash }) => hash) : undefined;
}

async function countByIntroducer(tx: Tx, scope: FindingScope, hashes: readonly string[]): Promise<LaneCell[]> {
  const rows = await countShared(
    tx,
    scope.orgId,
    sql<StoredCellRow>`
      select ${leadColumn('introducer')} as lead, f.status, f.lane, count(*)::int as count from finding f
      where f.org_id = ${scope.orgId} and ${leadColumn('introducer')} = any(${hashes}::uuid[]) ${residualSql(scope, 'introducer')}
      group by 1, 2, 3`,
  );
  return cellsOf(rows);
}

// With few titles, their lanes are fewer than those that a walk along the lanes of the organization passes.
const MIN_FREQUENT_TITLES = 50;
const MIN_FREQUENT_SHARE = 0.2;

/**
 * Counts a search for frequent words by the lanes of the organization, which a list then walks along: there are more
 * lanes of all its titles. Undefined for any other list.
 */
async function countFrequentTitles(tx: Tx, scope: FindingScope): Promise<LaneCells | undefined> {
  const { only, titles = [], conditions } = scope;
  if (only || conditions || titles.length < MIN_FREQUENT_TITLES) return undefined;
  const all = await countLanes(tx, { ...scope, titles: undefined }, 'none');
  const cells = await countLanes(tx, scope, 'none');
  return sumLaneCells(cells) < MIN_FREQUENT_SHARE * sumLaneCells(all) ? undefined : { lead: 'none', cells };
}

/** Counts the findings with the values of a facet that match the other conditions. */
async function countAlongFacet(
  tx: Tx,
  scope: FindingScope,
  { facet, values }: FacetCondition,
  ofFacet: readonly LaneCell[],
): Promise<LaneCells> {
  const rows = await countShared(
    tx,
    scope.orgId,
    sql<StoredCellRow>`
      select ${leadColumn(facet)} as lead, f.status, f.lane, count(*)::int as count from ${leadTable(facet)}
      where f.org_id = ${scope.orgId} and ${leadColumn(facet)} = any(${values}::${leadType(facet)}[]) ${residualSql(scope, facet)}
      group by 1, 2, 3`,
  );
  return { lead: facet, cells: withLaneCounts(cellsOf(rows), ofFacet) };
}

/** Adds the number of findings without conditions to cells. */
function withLaneCounts(cells: readonly LaneCell[], all: readonly LaneCell[]): LaneCell[] {
  const laneCounts = new Map(all.map((cell) => [keyOf(cell), cell.count]));
  return cells.map((cell) => ({ ...cell, laneCount: laneCounts.get(keyOf(cell)) ?? cell.count }));
}

/** The matching rows `f` of a list in all its lanes, with their repository and title, and their condition. */
export function matchingRowsSql(scope: FindingScope): { table: RawBuilder<unknown>; condition: RawBuilder<unknown> } {
  const { facet, values = [] } = facetOf(scope) ?? {};
  const lead = facet === 'label' ? 'label' : 'none';
  const ofLabel = facet === 'label' ? sql`and f.label = any(${values}::text[])` : sql``;
  return { table: leadTable(lead), condition: sql`f.org_id = ${scope.orgId} ${ofLabel} ${residualSql(scope, lead)}` };
}

/** Counts the same cells again with the conditions, along the index that a list is read by. */
async function countAlongLanes(tx: Tx, scope: FindingScope, cells: LaneCells): Promise<LaneCell[]> {
  if (cells.cells.length === 0) return [];
  const rows = await countShared(
    tx,
    scope.orgId,
    sql<{ position: number; count: number }>`
      select c.position::int, l.count from ${cellTable(cells)} cross join lateral (
        select count(*)::int as count from finding f where ${cellConditionSql(scope, cells.lead)}) l
      where l.count > 0`,
  );
  return rows.flatMap(({ position, count }) => {
    const cell = cells.cells[position - 1];
    return cell ? [{ ...cell, count, laneCount: cell.count }] : [];
  });
}

/** Cells as rows `c(status, lane, lead, position)`. */
export const cellTable = ({
  cells,
  lead,
}: LaneCells): RawBuilder<unknown> => sql`unnest(${cells.map(({ status }) => status)}::text[],
  ${cells.map(({ lane }) => lane.key)}::text[], ${cells.map((cell) => cell.lead)}::${leadType(lead)}[]) with ordinality as c(status, lane, lead, position)`;

/** Whether a finding `f` is in a cell `c` of `cellTable`, and in the scope. */
export const cellConditionSql = (
  scope: FindingScope,
  lead: CellGrouping,
): RawBuilder<unknown> => sql`f.org_id = ${scope.orgId} and f.status = c.status and f.lane = c.lane
  ${lead === 'none' ? sql`` : sql`and ${leadColumn(lead)} = c.lead`} ${residualSql(scope, lead, sql`c.lane`)}`;

/** The rows `f` that a list with this lead walks along, with the columns of its conditions. */
export const leadTable = (lead: CellGrouping): RawBuilder<unknown> =>
  lead === 'label'
    ? sql`(select org_id, finding_id as id, label, status, lane, discovered_at, repository_id, title_id from finding_label) f`
    : sql`finding f`;

const leadColumns = {
  // A list without a lead has no such column.
  none: 'f.id',
  repository: 'f.repository_id',
  title: 'f.title_id',
  introducer: 'f.introduced_login_hash',
  assignee: 'f.assignee_id',
  component: 'f.component',
  label: 'f.label',
} as const satisfies Record<CellGrouping, string>;

export const leadColumn = (lead: CellGrouping) => sql.ref(leadColumns[lead]);

/** The type of the values of a lead. */
export const leadType = (lead: CellGrouping): RawBuilder<unknown> =>
  lead === 'component' || lead === 'label' ? sql`text` : sql`uuid`;

/** Whether a list walks along the values of a condition. */
export const isFacet = (lead: CellGrouping): lead is Facet =>
  lead === 'assignee' || lead === 'component' || lead === 'label';

/** Conditions that the lead does not cover, evaluated within the index. */
export function residualSql(scope: FindingScope, lead: CellGrouping, lane?: RawBuilder<unknown>): RawBuilder<unknown> {
  const { orgId, only, except, titles, conditions } = scope;
  return sql`
    ${lead !== 'repository' && (only || except.length > 0) ? sql`and ${isVisibleSql('f.repository_id', scope)}` : sql``}
    ${lead !== 'title' && titles ? sql`and f.title_id = any(${titles}::uuid[])` : sql``}
    ${conditionsSql(orgId, conditionsBeside(conditions, lead), lane)}`;
}

/** The conditions that the lead does not cover. */
const conditionsBeside = (
  conditions: FindingConditions | undefined,
  lead: CellGrouping,
): FindingConditions | undefined =>
  isFacet(lead)
    ? withoutFacet(conditions, lead)
    : lead === 'introducer'
      ? conditions && { ...conditions, introducedBy: undefined }
      : conditions;

/** The rows `f` of selective conditions with this lead, and their further conditions, each preceded by `and`. */
export function selectedRowsSql(
  scope: FindingScope,
  lead: CellGrouping,
): { table: RawBuilder<unknown>; residual: RawBuilder<unknown> } {
  const labels = isFacet(lead) ? undefined : labelsOf(scope);
  if (!labels) return { table: leadTable(lead), residual: residualSql(scope, lead) };
  // A finding with several of the labels is one row. Otherwise PostgreSQL would look for them among all findings.
  const table = sql`(select distinct org_id, finding_id as id, status, lane, discovered_at, repository_id, title_id
    from finding_label where org_id = ${scope.orgId} and label = any(${labels}::text[])) f`;
  return { table, residual: residualSql({ ...scope, conditions: withoutFacet(scope.conditions, 'label') }, lead) };
}

/** Counts the findings of a scope without a lead: one cell for each status and lane. */
export const countLaneCellsWithoutLead = (tx: Tx, scope: FindingScope): Promise<LaneCells> =>
  countCellsBy(tx, scope, 'none');

async function countCellsBy(tx: Tx, scope: FindingScope, lead: CellGrouping): Promise<LaneCells> {
  const counted = { lead, cells: await countLanes(tx, scope, lead) };
  if (!scope.conditions) return counted;
  if (!isSelective(scope.conditions)) return { lead, cells: await countAlongLanes(tx, scope, counted) };
  return { lead, cells: withLaneCounts(await countSelected(tx, scope, lead), counted.cells) };
}

const keyOf = ({ lead, status, lane }: LaneCell) => `${lead}\n${status}\n${lane.key}`;

/** Counts the findings that match selective conditions, which are fewer than those of their lanes. */
async function countSelected(tx: Tx, scope: FindingScope, lead: CellGrouping): Promise<LaneCell[]> {
  const isLeadOf = lead === 'repository' ? sql`and ${isVisibleSql('f.repository_id', scope)}` : sql``;
  const { table, residual } = selectedRowsSql(scope, lead);
  const rows = await countShared(
    tx,
    scope.orgId,
    sql<StoredCellRow>`
    select ${lead === 'none' ? sql`null::uuid` : leadColumn(lead)} as lead, f.status, f.lane, count(*)::int as count
    from ${table} where f.org_id = ${scope.orgId} ${isLeadOf}
      ${lead === 'title' && scope.titles ? sql`and f.title_id = any(${scope.titles}::uuid[])` : sql``}
      ${residual}
    group by 1, 2, 3`,
  );
  return cellsOf(rows);
}

function leadOf({ only, titles }: FindingScope): CellGrouping {
  const [repositories, names] = [only?.length ?? Number.POSITIVE_INFINITY, titles?.length ?? Number.POSITIVE_INFINITY];
  if (Math.min(repositories, names) > MAX_LEADS) return 'none';
  return repositories <= names ? 'repository' : 'title';
}

async function countLanes(tx: Tx, scope: FindingScope, lead: CellGrouping): Promise<LaneCell[]> {
  const column = sql.ref(lead === 'repository' ? 'repository_id' : 'title_id');
  const rows = await runPrepared(
    tx,
    sql<StoredCellRow>`
    select ${lead === 'none' ? sql`null::uuid` : column} as lead, status, lane, sum(count)::int as count
    from (${sumsOf(scope)}) as c group by 1, 2, 3 having sum(count) > 0`,
  );
  return cellsOf(rows);
}

const cellsOf = (rows: readonly StoredCellRow[]): LaneCell[] =>
  rows.map(({ lane, ...row }) => ({ ...row, lane: parseLane(lane) }));

/**
 * Selects the fewest rows that add up to the scope. Subtracts excluded repositories instead of adding up the others.
 */
function sumsOf(scope: FindingScope): RawBuilder<unknown> {
  const { orgId, only, except, titles } = scope;
  const ofTitles = titles ? sql`and title_id = any(${titles}::uuid[])` : sql``;
  if (only && titles) {
    return sql`select repository_id, title_id, status, lane, count from finding_count
      where org_id = ${orgId} and ${isVisibleSql('repository_id', scope)} ${ofTitles}`;
  }
  if (only) {
    return sql`select repository_id, status, lane, count from finding_repository_count
      where org_id = ${orgId} and ${isVisibleSql('repository_id', scope)}`;
  }
  const [all, part] = titles
    ? [sql`select title_id, status, lane, count from finding_title_count`, sql`title_id, `]
    : [sql`select status, lane, count from finding_lane_count`, sql``];
  const table = titles ? sql`finding_count` : sql`finding_repository_count`;
  const minusExcluded = sql`union all select ${part} status, lane, -count from ${table}
    where org_id = ${orgId} and repository_id = any(${except}::uuid[]) ${ofTitles}`;
  return sql`${all} where org_id = ${orgId} ${ofTitles} ${except.length > 0 ? minusExcluded : sql``}`;
}
