import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Permission } from '@sightline/contract/core/permissions.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  WAIVER_EXPIRY_NOTICE_DAYS,
  type Waiver,
  type WaiverListItem,
  type WaiverState,
  type WaiversQuery,
  type WaiverWithActions,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { containsText } from '#database/page.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';

/** The state of the row of `control_waiver` with the alias `w`. */
export const controlWaiverState = sql<WaiverState>`case
  when w.expired_at is not null then 'expired'
  when w.decision is not null then w.decision
  else 'requested' end`;

/** Returns one page of the waivers that the actor may see. `withFindings`: also those of vulnerabilities. */
export async function listVisibleWaivers(
  tx: Tx,
  actor: Actor,
  query: WaiversQuery,
  withFindings: boolean,
): Promise<Page<WaiverListItem[]>> {
  const parts = [
    selectControlWaivers(tx, actor, query),
    ...(withFindings && mayListFindings(actor, query) ? [selectFindingWaivers(tx, actor, query)] : []),
  ];
  const { perPage, page } = query;
  const { rows } = await sql<{ total: number; rows: WaiverListRow[] }>`
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
  return { total: found?.total ?? 0, rows: (found?.rows ?? []).map((row) => toListItem(actor, row)) };
}

const orders: Record<WaiversQuery['sort'], RawBuilder<unknown>> = {
  'requested-desc': sql`requested_at desc, id desc`,
  'requested-asc': sql`requested_at, id`,
  'until-asc': sql`until, id`,
  'until-desc': sql`until desc, id desc`,
};

const mayListFindings = ({ reach }: Actor, { controls }: WaiversQuery): boolean =>
  reach('read:vulnerabilities') !== undefined && (controls.length === 0 || controls.includes('VUL-01'));

const expiringBefore = sql`now() + make_interval(days => ${WAIVER_EXPIRY_NOTICE_DAYS})`;
const views: Record<
  WaiversQuery['view'],
  (state: RawBuilder<unknown>, until: RawBuilder<unknown>) => RawBuilder<unknown>
> = {
  open: (state) => sql`${state} = 'requested'`,
  decided: (state) => sql`${state} <> 'requested'`,
  expiring: (state, until) => sql`${state} = 'approved' and ${until} <= ${expiringBefore}`,
};

const reachesAll = (actor: Actor, permission: 'write:findings' | 'read:vulnerabilities'): boolean =>
  actor.reach(permission) !== 'own' && seesAllRepositories(actor);

/** Members without access to all repositories also see their own requests for items without a repository. */
function selectControlWaivers(tx: Tx, actor: Actor, query: WaiversQuery): RawBuilder<unknown> {
  const visible = visibleRepositories(tx, actor).select('repository.id');
  return sql`select w.id, w.control_id, w.subject, null::uuid as finding_id, null::text as title, null::int as severity, w.repository_id,
      w.reason, ${controlWaiverState} as state, w.requested_by, w.requested_at, w.valid_until as until, w.decided_by, w.decided_at, w.decided_comment
    from control_waiver w
    where w.org_id = ${actor.orgId} and ${views[query.view](controlWaiverState, sql`w.valid_until`)}
      ${query.controls.length > 0 ? sql`and w.control_id = any(${query.controls}::text[])` : sql``}
      ${reachesAll(actor, 'write:findings') ? sql`` : sql`and (w.requested_by = ${actor.accountId} or w.repository_id in (${visible}))`}
      ${search(query, 'w.subject', 'w.control_id', 'w.reason')}`;
}

function selectFindingWaivers(tx: Tx, actor: Actor, query: WaiversQuery): RawBuilder<unknown> {
  const visible = visibleRepositories(tx, actor).select('repository.id');
  return sql`select w.id, 'VUL-01' as control_id, f.id::text as subject, f.id as finding_id, t.title, f.severity::int, f.repository_id,
      w.reason, w.state, w.requested_by, w.requested_at, w.valid_until as until, w.decided_by, w.decided_at, w.decided_comment
    from finding_waiver w
    join finding f on f.org_id = w.org_id and f.id = w.finding_id
    join finding_title t on t.org_id = f.org_id and t.id = f.title_id
    where w.org_id = ${actor.orgId} and ${views[query.view](sql`w.state`, sql`w.valid_until`)}
      ${reachesAll(actor, 'read:vulnerabilities') ? sql`` : sql`and f.repository_id in (${visible})`}
      ${search(query, 't.title', 'w.reason')}`;
}

const search = ({ search: text }: WaiversQuery, ...columns: string[]): RawBuilder<unknown> =>
  text === ''
    ? sql``
    : sql`and (${sql.join(
        columns.map((column) => containsText(sql.ref<string>(column), text)),
        sql` or `,
      )})`;

interface WaiverRow<Time> {
  [column: string]: unknown;
  id: string;
  state: WaiverState;
  reason: string;
  requested_by: string;
  /** Null for a deleted account. */
  requester: string | null;
  requested_at: Time;
  until: Time;
  decided_by: string | null;
  decider: string | null;
  decided_at: Time | null;
  decided_comment: string;
}

interface WaiverListRow extends WaiverRow<string> {
  control_id: string;
  subject: string;
  finding_id: string | null;
  title: string | null;
  severity: number | null;
  repository_id: string | null;
  full_name: string | null;
  provider: string | null;
}

function toListItem(actor: Actor, row: WaiverListRow): WaiverListItem {
  const { finding_id: findingId, repository_id: repositoryId, full_name: fullName } = row;
  return {
    ...withActions(actor, toWaiver(row)),
    control: row.control_id as ControlId,
    subject: row.subject,
    finding:
      findingId === null
        ? null
        : { id: findingId, title: row.title ?? '', severity: severities[row.severity ?? 0] ?? 'info' },
    repository:
      repositoryId === null || fullName === null
        ? null
        : { id: repositoryId, fullName, provider: row.provider as Provider },
  };
}

/** Display name of a deleted account. */
const formerMember = 'Former member';

const toWaiver = (row: WaiverRow<string | Date>): Waiver => ({
  id: row.id,
  state: row.state,
  reason: row.reason,
  requestedBy: { id: row.requested_by, name: row.requester ?? formerMember },
  requestedAt: new Date(row.requested_at).toISOString(),
  until: new Date(row.until).toISOString(),
  decidedBy: row.decided_by === null ? null : { id: row.decided_by, name: row.decider ?? formerMember },
  decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
  decision: row.decided_comment,
});

/** Adds the actions that the actor may perform on a waiver. The commands check the same conditions again. */
function withActions(actor: Actor, waiver: Waiver): WaiverWithActions {
  const isOwn = waiver.requestedBy.id === actor.accountId;
  const isPending = waiver.state === 'requested';
  const may = (permission: Permission) => !actor.archived && actor.reach(permission) !== undefined;
  return {
    ...waiver,
    allowed: {
      decide: isPending && !isOwn && may('approve:exceptions'),
      withdraw: isPending && isOwn && may('write:findings'),
      revoke: waiver.state === 'approved' && (may('approve:exceptions') || (isOwn && may('write:findings'))),
    },
  };
}

/** Returns the waivers and waiver requests of a finding, latest first. */
export async function listWaiversOfFinding(tx: Tx, actor: Actor, findingId: string): Promise<WaiverWithActions[]> {
  const rows = await selectWaiversOfFindings(tx, actor.orgId, [findingId])
    .orderBy('w.requested_at', 'desc')
    .orderBy('w.id', 'desc')
    .execute();
  return rows.map((row) => withActions(actor, toWaiver({ ...row, state: row.state as WaiverState })));
}

/** Returns the open waiver requests and active waivers by finding. */
export async function findCurrentWaivers(
  tx: Tx,
  orgId: string,
  findingIds: readonly string[],
): Promise<Map<string, Waiver>> {
  if (findingIds.length === 0) return new Map();
  const rows = await selectWaiversOfFindings(tx, orgId, findingIds)
    .where('w.state', 'in', ['requested', 'approved'])
    .execute();
  return new Map(rows.map((row) => [row.finding_id, toWaiver({ ...row, state: row.state as WaiverState })]));
}

/** The waiver of a finding at an earlier time. */
export interface RecordedWaiver {
  id: string;
  findingId: string;
  state: 'requested' | 'approved';
}

/** Returns waivers by finding as they were in these states. Later decisions are omitted. */
export async function findWaiversInState(
  tx: Tx,
  orgId: string,
  waivers: readonly RecordedWaiver[],
): Promise<Map<string, Waiver>> {
  if (waivers.length === 0) return new Map();
  const rows = await tx.query<WaiverRow<Date>>({
    name: 'waivers.in-state',
    text: `select w.id, asked.state, w.reason, w.requested_by, a.name as requester, w.requested_at, w.valid_until as until,
             d.account_id as decided_by, v.name as decider, d.at as decided_at, coalesce(d.comment, '') as decided_comment
           from unnest($2::uuid[], $3::text[]) as asked(id, state)
           join finding_waiver w on w.org_id = $1 and w.id = asked.id
           left join finding_decision d on asked.state = 'approved' and d.org_id = $1 and d.finding_id = w.finding_id
             and d.waiver_id = w.id and d.kind = 'waiver_approved'
           left join visible_account a on a.id = w.requested_by
           left join visible_account v on v.id = d.account_id`,
    values: [orgId, waivers.map(({ id }) => id), waivers.map(({ state }) => state)],
  });
  const byId = new Map(rows.map((row) => [row.id, toWaiver(row)]));
  return new Map(
    waivers.flatMap(({ findingId, id }) => {
      const waiver = byId.get(id);
      return waiver ? [[findingId, waiver] as const] : [];
    }),
  );
}

const selectWaiversOfFindings = ({ db }: Tx, orgId: string, findingIds: readonly string[]) =>
  db
    .selectFrom('finding_waiver as w')
    .leftJoin('visible_account as a', 'a.id', 'w.requested_by')
    .leftJoin('visible_account as d', 'd.id', 'w.decided_by')
    .where('w.org_id', '=', orgId)
    .where('w.finding_id', 'in', [...findingIds])
    .select(['w.id', 'w.finding_id', 'w.state', 'w.reason', 'w.valid_until as until'])
    .select(['w.requested_by', 'a.name as requester', 'w.requested_at'])
    .select(['w.decided_by', 'd.name as decider', 'w.decided_at', 'w.decided_comment']);
