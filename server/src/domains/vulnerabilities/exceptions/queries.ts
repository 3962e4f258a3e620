import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  WAIVER_EXPIRY_NOTICE_DAYS,
  type WaiverListItem,
  type WaiversQuery,
} from '@sightline/contract/vulnerabilities/exceptions.ts';
import type { FindingWaiverState } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';

/** What became of an exception of a control, of the alias `e`. */
export const stateOf = sql<FindingWaiverState>`case
  when e.expired_at is not null then 'expired'
  when e.decision is not null then e.decision
  else 'requested' end`;

interface ExceptionListRow {
  id: string;
  control_id: string;
  subject: string;
  finding_id: string | null;
  title: string | null;
  severity: number | null;
  repository_id: string | null;
  full_name: string | null;
  provider: string | null;
  reason: string;
  state: FindingWaiverState;
  requested_by: string;
  requester: string | null;
  requested_at: string;
  until: string;
  decided_by: string | null;
  decider: string | null;
  decided_at: string | null;
  decided_comment: string;
}

/** Exceptions of controls and of vulnerabilities that the asking person sees, one page of them. */
export async function listLeave(
  tx: Tx,
  actor: Actor,
  query: WaiversQuery,
  withFindings: boolean,
): Promise<Page<WaiverListItem[]>> {
  const parts = [
    ofControls(tx, actor, query),
    ...(withFindings && seesFindings(actor, query) ? [ofFindings(tx, actor, query)] : []),
  ];
  const { perPage, page } = query;
  const { rows } = await sql<{ total: number; rows: ExceptionListRow[] }>`
    with listed as materialized (${sql.join(parts, sql` union all `)}),
    paged as (
      select *, row_number() over (order by ${orders[query.sort]}) as place from listed
      order by place limit ${perPage} offset ${(page - 1) * perPage}
    ),
    named as (
      select p.*, r.full_name, r.provider, a.name as requester, d.name as decider from paged p
      left join repository r on r.org_id = ${actor.orgId} and r.id = p.repository_id
      left join visible_account a on a.id = p.requested_by
      left join visible_account d on d.id = p.decided_by
    )
    select (select count(*)::int from listed) as total,
      (select coalesce(jsonb_agg(to_jsonb(n) order by place), '[]') from named n) as rows`.execute(tx.db);
  const [found] = rows;
  return { total: found?.total ?? 0, rows: (found?.rows ?? []).map((row) => leaveOf(actor, row)) };
}

const orders: Record<WaiversQuery['sort'], RawBuilder<unknown>> = {
  'requested-desc': sql`requested_at desc, id desc`,
  'requested-asc': sql`requested_at, id`,
  'until-asc': sql`until, id`,
  'until-desc': sql`until desc, id desc`,
};

const seesFindings = ({ reach }: Actor, { controls }: WaiversQuery): boolean =>
  reach('read:vulnerabilities') !== undefined && (controls.length === 0 || controls.includes('VUL-01'));

const soon = sql`now() + make_interval(days => ${WAIVER_EXPIRY_NOTICE_DAYS})`;
const views: Record<
  WaiversQuery['view'],
  (state: RawBuilder<unknown>, until: RawBuilder<unknown>) => RawBuilder<unknown>
> = {
  open: (state) => sql`${state} = 'requested'`,
  decided: (state) => sql`${state} <> 'requested'`,
  expiring: (state, until) => sql`${state} = 'approved' and ${until} <= ${soon}`,
};

const seesAll = (actor: Actor, permission: 'write:findings' | 'read:vulnerabilities'): boolean =>
  actor.reach(permission) !== 'own' && seesAllRepositories(actor);

/** Of a repository that they see; of none, what they asked for themselves where their role reaches no further. */
function ofControls(tx: Tx, actor: Actor, query: WaiversQuery): RawBuilder<unknown> {
  const visible = visibleRepositories(tx, actor).select('repository.id');
  return sql`select e.id, e.control_id, e.subject, null::uuid as finding_id, null::text as title, null::int as severity, e.repository_id,
      e.reason, ${stateOf} as state, e.requested_by, e.requested_at, e.valid_until as until, e.decided_by, e.decided_at, e.decided_comment
    from control_waiver e
    where e.org_id = ${actor.orgId} and ${views[query.view](stateOf, sql`e.valid_until`)}
      ${query.controls.length > 0 ? sql`and e.control_id = any(${query.controls}::text[])` : sql``}
      ${seesAll(actor, 'write:findings') ? sql`` : sql`and (e.requested_by = ${actor.accountId} or e.repository_id in (${visible}))`}
      ${query.search === '' ? sql`` : sql`and (e.subject ilike ${like(query.search)} or e.control_id ilike ${like(query.search)} or e.reason ilike ${like(query.search)})`}`;
}

function ofFindings(tx: Tx, actor: Actor, query: WaiversQuery): RawBuilder<unknown> {
  const visible = visibleRepositories(tx, actor).select('repository.id');
  return sql`select e.id, 'VUL-01' as control_id, f.id::text as subject, f.id as finding_id, t.title, f.severity::int, f.repository_id,
      e.comment as reason, e.state, e.requested_by, e.requested_at, e.until, e.decided_by, e.decided_at, e.decided_comment
    from finding_waiver e
    join finding f on f.org_id = e.org_id and f.id = e.finding_id
    join finding_title t on t.org_id = f.org_id and t.id = f.title_id
    where e.org_id = ${actor.orgId} and ${views[query.view](sql`e.state`, sql`e.until`)}
      ${seesAll(actor, 'read:vulnerabilities') ? sql`` : sql`and f.repository_id in (${visible})`}
      ${query.search === '' ? sql`` : sql`and (t.title ilike ${like(query.search)} or e.comment ilike ${like(query.search)})`}`;
}

const like = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
const former = 'Former member';

function leaveOf(actor: Actor, row: ExceptionListRow): WaiverListItem {
  const own = row.requested_by === actor.accountId;
  const may = (permission: 'write:findings' | 'approve:exceptions') =>
    !actor.archived && actor.reach(permission) !== undefined;
  const { repository_id: repositoryId, full_name: fullName } = row;
  const waits = row.state === 'requested';
  const holds = row.state === 'approved' && row.finding_id === null;
  return {
    id: row.id,
    control: row.control_id as ControlId,
    subject: row.subject,
    finding:
      row.finding_id === null
        ? null
        : { id: row.finding_id, title: row.title ?? '', severity: severities[row.severity ?? 0] ?? 'info' },
    repository:
      repositoryId === null || fullName === null
        ? null
        : { id: repositoryId, fullName, provider: row.provider as Provider },
    reason: row.reason,
    state: row.state,
    requestedBy: { id: row.requested_by, name: row.requester ?? former },
    requestedAt: new Date(row.requested_at).toISOString(),
    until: new Date(row.until).toISOString(),
    decidedBy: row.decided_by === null ? null : { id: row.decided_by, name: row.decider ?? former },
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
    decision: row.decided_comment,
    allowed: {
      decide: waits && !own && may('approve:exceptions'),
      withdraw: waits && own && may('write:findings'),
      end: holds && (may('approve:exceptions') || (own && may('write:findings'))),
    },
  };
}
