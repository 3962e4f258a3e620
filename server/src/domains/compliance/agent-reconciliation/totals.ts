import type {
  getReconciliationTrend,
  ReconciliationGroup,
  ReconciliationGroupsQuery,
  ReconciliationTrend,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { trendIntervals } from '@sightline/contract/core/trends.ts';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { displayOfPersons } from '../changes/queries.ts';
import { noCounts, ownPersons, visibleAgents } from './queries.ts';

/** The values of an agent of a change in a grouping. */
const keysOf = {
  agent: sql<string>`array[a.agent]`,
  model: sql<string>`a.models`,
  person: sql<string>`a.persons::text[]`,
} as const;

interface Totals {
  key: string;
  counts: Record<string, number>;
  changes: number;
  sessions: number;
  withoutCost: number;
  cost: number | null;
}

/**
 * Counts the visible agents of changes by agent, model or person, those with most changes first: of a period, otherwise of
 * the last 90 days.
 */
export async function listGroups(
  tx: Tx,
  actor: Actor,
  { by, page, perPage, sort, search, ...filter }: ReconciliationGroupsQuery,
): Promise<Page<ReconciliationGroup[]>> {
  const own = by === 'person' ? ownPersons(actor) : undefined;
  const since = filter.period === undefined ? new Date(Date.now() - DEFAULT_DAYS * DAY_MS).toISOString() : undefined;
  const found = await totalsBy(tx, actor, { filter, keys: keysOf[by], ...(since !== undefined && { since }) });
  const visible = found.filter(({ key }) => key !== '' && (own === undefined || own.includes(key)));
  const show =
    by === 'person'
      ? await displayOfPersons(
          tx,
          actor.orgId,
          visible.map(({ key }) => key),
        )
      : undefined;
  const named = visible.map(({ key, withoutCost, counts, ...totals }) => ({
    ...totals,
    key,
    name: show ? (show(key).name ?? 'Unknown person') : key,
    counts: { ...noCounts(), ...counts },
    sessionsWithoutCost: withoutCost,
  }));
  const matching = named
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .toSorted((one, other) => sizeOf(other) - sizeOf(one) || one.name.localeCompare(other.name, 'en'));
  if (sort === 'changes-asc') matching.reverse();
  return { rows: matching.slice((page - 1) * perPage, page * perPage), total: matching.length };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 90;

const sizeOf = ({ counts }: ReconciliationGroup) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Counts the visible agents of changes by the week of the merge. */
export async function findTrend(
  tx: Tx,
  actor: Actor,
  { days, ...filter }: z.output<typeof getReconciliationTrend.query>,
): Promise<ReconciliationTrend> {
  const mondays = trendIntervals(new Date(), { days, interval: 'week' });
  const weeks = new Map(
    (
      await totalsBy(tx, actor, {
        filter,
        keys: sql`array[date_trunc('week', a.merged_at at time zone 'UTC')::date::text]`,
        since: `${mondays[0]}T00:00:00Z`,
      })
    ).map((week) => [week.key, week]),
  );
  return {
    points: mondays.map((day) => {
      const { counts = {}, changes = 0, sessions = 0, withoutCost = 0, cost = null } = weeks.get(day) ?? {};
      return { day, counts: { ...noCounts(), ...counts }, changes, sessions, sessionsWithoutCost: withoutCost, cost };
    }),
  };
}

/** Counts agents of changes by status, and each of their observed sessions once, for each key. */
async function totalsBy(
  tx: Tx,
  actor: Actor,
  { filter, keys, since }: { filter: Parameters<typeof visibleAgents>[2]; keys: RawBuilder<unknown>; since?: string },
): Promise<Totals[]> {
  const rows = visibleAgents(tx, actor, filter)
    .$if(since !== undefined, (q) => q.where('a.merged_at', '>=', new Date(since ?? 0)))
    .select(['a.change_id', 'a.agent', 'a.status', sql<string[]>`${keys}`.as('keys')]);
  const own = ownPersons(actor) ?? null;
  const found = await sql<Totals>`
    with rows as materialized (${rows}),
    counted as (
      select key, jsonb_object_agg(status, n) as counts from (
        select key, status, count(*)::int as n from rows cross join lateral unnest(keys) as key group by key, status
      ) each group by key
    ),
    observed as materialized (
      select key, j.session_id, max(j.cost) as cost, array_agg(distinct j.change_id) as changes
      from rows cross join lateral unnest(keys) as key
      join agent_join j on j.org_id = ${actor.orgId} and j.change_id = rows.change_id and j.agent = rows.agent and j.confidence <> 'low'
        and (${own}::uuid[] is null or j.person_id = any(${own}::uuid[]))
      group by key, j.session_id
    ),
    costs as (
      select key, count(*)::int as sessions, (count(*) filter (where cost is null))::int as without, sum(cost) as cost from observed group by key
    ),
    changes as (
      select key, count(distinct change)::int as changes from observed cross join lateral unnest(changes) as change group by key
    )
    select c.key, c.counts, coalesce(n.changes, 0) as changes, coalesce(o.sessions, 0) as sessions,
      coalesce(o.without, 0) as "withoutCost", o.cost
    from counted c left join costs o on o.key = c.key left join changes n on n.key = c.key`.execute(tx.db);
  return found.rows;
}
