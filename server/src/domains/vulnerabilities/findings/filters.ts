import { categories, categoryNames } from '@sightline/contract/core/finding-categories.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  type FindingFilter,
  type findingFilterNames,
  findingStatuses,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { inSight } from '../../sources/repositories/queries.ts';
import { cellsOf } from './cells.ts';
import { type Cell, leaves, type Narrowing } from './lanes.ts';
import { toolNames } from './rows.ts';
import { scopeOf } from './scope.ts';

type Name = (typeof findingFilterNames)[number];

interface FilterChoice {
  value: string;
  label: string;
  count: number;
}

/** Returns the values of one filter, with counts under the other filters. */
export async function listFilter(tx: Tx, actor: Actor, name: Name, filter: FindingFilter): Promise<FilterChoice[]> {
  if (name === 'repositories') return listRepositories(tx, actor, filter);
  const key = filterKeys[name];
  const { cells } = await cellsOf(tx, await scopeOf(tx, actor, filter));
  const matching = cells.filter(leaves(filter, key));
  const count = (values: (cell: Cell) => readonly string[]) => (value: string) =>
    matching.reduce((sum, cell) => sum + (values(cell).includes(value) ? cell.count : 0), 0);
  if (name === 'dataSources') {
    const names = await toolNames(tx, actor.orgId);
    const countTool = count(({ lane }) => lane.tools);
    return [...names]
      .map(([value, label]) => ({ value, label, count: countTool(value) }))
      .toSorted((one, other) => one.label.localeCompare(other.label));
  }
  const [labels, values] = fixedChoices[name];
  return Object.entries(labels).map(([value, label]) => ({ value, label, count: count(values)(value) }));
}

const filterKeys = {
  severities: 'severity',
  categories: 'category',
  dataSources: 'dataSource',
  statuses: 'status',
} as const satisfies Record<Exclude<Name, 'repositories'>, keyof Narrowing>;

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
const labelsOf = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, capital(word)]));

/** Choices that are always listed, in their usual order. */
const fixedChoices = {
  severities: [labelsOf(severities), ({ lane }: Cell) => [lane.severity]],
  categories: [
    Object.fromEntries(categories.map((name) => [name, categoryNames[name]])),
    ({ lane }: Cell) => [lane.category],
  ],
  statuses: [labelsOf(findingStatuses), ({ status }: Cell) => [status]],
} as const;

/** Lists repositories with matching findings, and the selected ones. */
async function listRepositories(tx: Tx, actor: Actor, filter: FindingFilter): Promise<FilterChoice[]> {
  const scope = await scopeOf(tx, actor, { ...filter, repository: [] });
  const { orgId, titles } = scope;
  const matching = (await cellsOf(tx, scope)).cells.filter(leaves(filter));
  const table = titles ? sql`finding_count` : sql`finding_repository_count`;
  const { rows } = await sql<FilterChoice>`
    select r.id as value, r.full_name as label, coalesce(c.count, 0)::int as count
    from repository r left join (
      select c.repository_id, sum(c.count) as count from ${table} c
      where c.org_id = ${orgId} and ${inSight('c.repository_id', scope)} and c.count > 0
        and c.status = any(${[...new Set(matching.map(({ status }) => status))]}::text[])
        and c.lane = any(${[...new Set(matching.map(({ lane }) => lane.key))]}::text[])
        ${titles ? sql`and c.title_id = any(${titles}::uuid[])` : sql``}
      group by c.repository_id
    ) c on c.repository_id = r.id
    where r.org_id = ${orgId} and r.tracked and ${inSight('r.id', scope)}
      and (c.count > 0 or r.id = any(${filter.repository}::uuid[]))
    order by r.full_name, r.id`.execute(tx.db);
  return rows;
}
