import type { Page } from '@sightline/contract/core/endpoint.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import type { Finding, FindingsQuery } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { isReadByKindSql } from '#core/ledger.ts';
import { entriesById, type LedgerSize, refuseUnrecordedFilters } from '#core/ledger-size.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { findWaiversInState, type RecordedWaiver } from '../waivers/queries.ts';
import { conditionsSql } from './conditions.ts';
import { loadFindingStates } from './rows.ts';
import { type FindingScope, findingScopeOf, type ResolvedFilter, resolveFilter } from './scope.ts';
import { FINDING_STATES_KIND } from './states.ts';

interface RecordedState {
  id: string;
  number: number;
  entry: string;
  waiver_id: string | null;
  waiver_state: RecordedWaiver['state'] | null;
}

/**
 * One page of the findings at a ledger size, by the history of their states. Names of members, repositories and scanners
 * are those of today. Throws 400 for a filter by introducing commit, which the history does not contain.
 */
export async function listFindingsAtSize(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  actor: Actor,
  { size, ...query }: FindingsQuery & { size: LedgerSize },
): Promise<Page<Finding[]>> {
  refuseUnrecordedFilters(query, ['introducedBy']);
  const { orgId, accountId } = actor;
  const filter = await resolveFilter(services, tx, actor, { ...query, size });
  const scope = await findingScopeOf(tx, actor, filter);
  const { total, states } = await listStates(tx, scope, filter, size);
  const waivers = await findWaiversInState(
    tx,
    orgId,
    states.flatMap(({ id, waiver_id: waiver, waiver_state: state }) =>
      waiver === null || state === null ? [] : [{ findingId: id, id: waiver, state }],
    ),
  );
  const entryIds = new Map(states.map(({ id, entry }) => [id, entry]));
  const entries = await entriesById(tx, orgId, size, [...entryIds.values()]);
  const limits = await services.remediationLimits.find(tx, orgId, size);
  const rows = await loadFindingStates(tx, { orgId, accountId, states }, { limits, waivers });
  return {
    total,
    rows: rows.map((finding) => ({
      ...finding,
      // A read mark is no fact about the past.
      unread: false,
      recorded: { entry: entries.get(entryIds.get(finding.id) ?? '') ?? null, missing: ['introducedBy'] },
    })),
  };
}

const orders: Record<FindingsQuery['sort'], RawBuilder<unknown>> = {
  'severity-desc': sql`severity, discovered_at desc, id desc`,
  'severity-asc': sql`severity desc, discovered_at desc, id desc`,
  'date-desc': sql`discovered_at desc, id desc`,
  'date-asc': sql`discovered_at, id`,
  'name-asc': sql`lower(title) collate "C", discovered_at desc, id desc`,
  'name-desc': sql`lower(title) collate "C" desc, discovered_at desc, id desc`,
};

type StateFilter = ResolvedFilter & Pick<FindingsQuery, 'sort' | 'page' | 'perPage'>;

/** The last state of each finding at the size, if it matches. Common table expressions hide the tables of conditions. */
async function listStates(
  tx: Tx,
  scope: FindingScope,
  filter: StateFilter,
  { epoch, size }: LedgerSize,
): Promise<{ total: number; states: RecordedState[] }> {
  const { orgId } = scope;
  const { perPage, page } = filter;
  const { rows } = await sql<{ total: number; states: RecordedState[] }>`
    with recorded as materialized (
      select e.entry_id from ledger_entry e
      where e.org_id = ${orgId} and e.kind = ${FINDING_STATES_KIND} and ${sql.raw(isReadByKindSql)} and (e.epoch, e.leaf_index) < (${epoch}::int, ${size}::bigint)
    ),
    finding as materialized (
      select s.*, s.finding_id as id, finding_lane(s.severity, s.category, s.tools) as lane
      from (
        select l.finding_id, max(l.number) as number from finding_state l
        where l.org_id = ${orgId} and l.entry_id in (select entry_id from recorded)
        group by l.finding_id
      ) last join finding_state s on s.org_id = ${orgId} and s.finding_id = last.finding_id and s.number = last.number
      where s.status is not null and ${isVisibleSql('s.repository_id', scope)}
    ),
    finding_label as (select org_id, finding_id, unnest(labels) as label from finding),
    listed as materialized (
      select f.id, f.number, f.entry_id as entry, f.waiver_id, f.waiver_state, f.severity, f.discovered_at, t.title
      from finding f join finding_title t on t.org_id = f.org_id and t.id = f.title_id
      where ${stateConditionSql(scope, filter)} ${conditionsSql(orgId, filter.conditions)}
    ),
    paged as (
      select *, row_number() over (order by ${orders[filter.sort]}) as place from listed
      order by place limit ${perPage} offset ${(page - 1) * perPage}
    )
    select (select count(*)::int from listed) as total,
      (select coalesce(jsonb_agg(to_jsonb(p) order by p.place), '[]') from paged p) as states`.execute(tx.db);
  return rows[0] ?? { total: 0, states: [] };
}

const isAny = (column: string, values: readonly (string | number)[], type: 'text' | 'int' | 'uuid') =>
  sql`and ${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`;

const stateConditionSql = (
  { titles }: FindingScope,
  { status, severity, category, dataSource }: ResolvedFilter,
): RawBuilder<unknown> => sql`true ${isAny('f.status', status.length === 0 ? ['open'] : status, 'text')}
  ${
    severity.length === 0
      ? sql``
      : isAny(
          'f.severity',
          severity.map((one) => severities.indexOf(one)),
          'int',
        )
  }
  ${category.length === 0 ? sql`` : isAny('f.category', category, 'text')}
  ${dataSource.length === 0 ? sql`` : sql`and f.tools && ${dataSource}::text[]`}
  ${titles === undefined ? sql`` : isAny('f.title_id', titles, 'uuid')}`;
