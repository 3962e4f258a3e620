import type {
  Remediation,
  RemediationRetest,
  RemediationState,
} from '@sightline/contract/compliance/remediation-schemas.ts';
import type { RemediationListItem, RemediationsQuery } from '@sightline/contract/compliance/remediations.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Period } from '@sightline/contract/core/periods.ts';
import type { Permission } from '@sightline/contract/core/permissions.ts';
import type { LinkedTicket } from '@sightline/contract/sources/trackers.ts';
import { remediationSentence } from '@sightline/evidence/bundle/remediations.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { containsText } from '#database/page.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { findLinkedTickets } from '../../sources/trackers/queries.ts';
import { loadEvaluatedItems } from '../controls/queries.ts';

/** Display name of a deleted account. */
const formerMember = 'Former member';

interface RemediationRow {
  id: string;
  control: ControlId;
  subject: string;
  state: RemediationState;
  runId: string;
  failedAt: Date;
  failedSize: number;
  failedEntry: string;
  from: Date;
  to: Date;
  reasons: string[];
  ownerId: string | null;
  ownerName: string | null;
  ownerIsActive: boolean;
  dueOn: string | null;
  ticketUrl: string | null;
  notes: string;
  remediatedAt: Date | null;
  repositoryId: string | null;
  provider: string | null;
  fullName: string | null;
}

// A failed retest opens it again.
const remediationStateSql = sql<RemediationState>`case
  when t.result = 'pass' then 'retested'
  when c.remediated_at is not null and (t.tested_at is null or c.remediated_at > t.tested_at) then 'remediated'
  else 'open' end`;

/** The state of a remediation: joins its newest version with the alias `c`, and its last retest with the alias `t`. */
export const newestStateSql = {
  joins: (id: RawBuilder<unknown>, orgId: string): RawBuilder<unknown> => sql`
    left join lateral (
      select * from remediation_change v where v.org_id = ${orgId} and v.remediation_id = ${id} order by v.version desc limit 1) c on true
    left join lateral (
      select * from remediation_retest v where v.org_id = ${orgId} and v.remediation_id = ${id} order by v.position desc limit 1) t on true`,
  columns: sql`coalesce(c.version, 0) as version, ${remediationStateSql} as state, c.owner_id as "ownerId", c.due_on::text as "dueOn",
    c.ticket_url as "ticketUrl", coalesce(c.notes, '') as notes, c.remediated_at as "remediatedAt"`,
};

const columnsSql = sql`m.id, m.control_id as control, m.subject, ${newestStateSql.columns}, m.run_id as "runId", m.failed_at as "failedAt",
  f.as_of_size::int as "failedSize", f.entry_id as "failedEntry", m.period_from as "from", m.period_to as "to", m.reasons,
  a.name as "ownerName", w.account_id is not null as "ownerIsActive",
  r.id as "repositoryId", r.provider, r.full_name as "fullName"`;
const joinsSql = sql`
  join control_run f on f.org_id = m.org_id and f.id = m.run_id
  left join visible_account a on a.id = c.owner_id
  left join member w on w.org_id = m.org_id and w.account_id = c.owner_id and w.status <> 'deactivated'
  left join repository r on r.org_id = m.org_id and r.id = m.repository_id`;

const newestOf = ({ orgId }: Actor): RawBuilder<unknown> => newestStateSql.joins(sql`m.id`, orgId);

/** Returns the remediations of items of a control that failed in a period, by subject. */
export async function loadRemediations(
  tx: Tx,
  actor: Actor,
  { control, period, subjects }: { control: string; period: Period; subjects: readonly string[] },
): Promise<Map<string, Remediation>> {
  const { rows } = await sql<RemediationRow>`select ${columnsSql} from remediation m ${newestOf(actor)} ${joinsSql}
    where m.org_id = ${actor.orgId} and m.control_id = ${control} and m.period_from = ${period.from}
      and m.period_to = ${period.to} and m.subject = any(${subjects}::text[])`.execute(tx.db);
  const beside = await loadBeside(tx, actor.orgId, rows);
  return new Map(rows.map((row) => [row.subject, remediationOf(actor, row, beside(row.id))]));
}

/** Returns one page of the remediations that the actor may see: those of visible repositories, and their own. */
export async function listVisibleRemediations(
  tx: Tx,
  actor: Actor,
  query: RemediationsQuery,
): Promise<Page<RemediationListItem[]>> {
  const { orgId } = actor;
  const { page, perPage, search, sort, view } = query;
  const from = sql`${visibleIn(tx, actor, view)}
      ${search === '' ? sql`` : sql`and (${containsText(sql.ref<string>('m.subject'), search)} or ${containsText(sql.ref<string>('m.control_id'), search)})`}`;
  const { rows } = await sql<RemediationRow>`with listed as (
      select m.id, row_number() over (order by ${orders[sort]}) as place ${from}
      order by place limit ${perPage} offset ${(page - 1) * perPage}
    )
    select ${columnsSql} from listed l join remediation m on m.org_id = ${orgId} and m.id = l.id ${newestOf(actor)} ${joinsSql}
    order by l.place`.execute(tx.db);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx.db);
  const beside = await loadBeside(tx, orgId, rows);
  const items = await loadEvaluatedItems(
    tx,
    orgId,
    rows.map(({ subject }) => subject),
  );
  return {
    total: counted.rows[0]?.total ?? 0,
    rows: rows.map((row) => ({
      ...remediationOf(actor, row, beside(row.id)),
      control: row.control,
      subject: row.subject,
      title: items.get(row.subject)?.title ?? null,
      repository:
        row.repositoryId === null
          ? null
          : { id: row.repositoryId, provider: row.provider ?? '', fullName: row.fullName ?? '' },
    })),
  };
}

/** Counts the remediations that the list shows as overdue. */
export async function countOverdue(tx: Tx, actor: Actor): Promise<{ count: number }> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count ${visibleIn(tx, actor, 'overdue')}`.execute(tx.db);
  return { count: rows[0]?.count ?? 0 };
}

function visibleIn(tx: Tx, actor: Actor, view: RemediationsQuery['view']): RawBuilder<unknown> {
  const visible = visibleRepositories(tx, actor).select('repository.id');
  return sql`from remediation m ${newestOf(actor)}
    where m.org_id = ${actor.orgId} and ${views[view](actor)}
      ${seesAll(actor) ? sql`` : sql`and (c.owner_id = ${actor.accountId} or m.repository_id in (${visible}))`}`;
}

const seesAll = (actor: Actor): boolean => actor.reach('read:policies-status') === 'all' && seesAllRepositories(actor);

const views: Record<RemediationsQuery['view'], (actor: Actor) => RawBuilder<unknown>> = {
  open: () => sql`${remediationStateSql} <> 'retested'`,
  overdue: () => sql`${remediationStateSql} = 'open' and c.due_on < (now() at time zone 'utc')::date`,
  mine: ({ accountId }) => sql`${remediationStateSql} <> 'retested' and c.owner_id = ${accountId}`,
  retested: () => sql`${remediationStateSql} = 'retested'`,
};

const orders: Record<RemediationsQuery['sort'], RawBuilder<unknown>> = {
  'due-asc': sql`c.due_on nulls last, m.failed_at, m.id`,
  'due-desc': sql`c.due_on desc nulls last, m.failed_at desc, m.id desc`,
  'failed-desc': sql`m.failed_at desc, m.id desc`,
  'failed-asc': sql`m.failed_at, m.id`,
};

interface RetestRow {
  id: string;
  remediationId: string;
  result: 'pass' | 'fail';
  testedAt: Date;
  recordedBy: string | null;
  recorder: string | null;
  notes: string;
  entryId: string;
  runId: string | null;
  size: number | null;
  runEntry: string | null;
  from: Date | null;
  to: Date | null;
}

async function loadRetests(
  tx: Tx,
  orgId: string,
  of: readonly Pick<RemediationRow, 'id'>[],
): Promise<Map<string, RemediationRetest[]>> {
  if (of.length === 0) return new Map();
  const rows = await tx.query<RetestRow & Record<string, unknown>>({
    name: 'remediations.retests',
    text: `select t.id, t.remediation_id as "remediationId", t.result, t.tested_at as "testedAt", t.recorded_by as "recordedBy",
             a.name as recorder, t.notes, t.entry_id as "entryId", t.run_id as "runId", r.as_of_size::int as size,
             r.entry_id as "runEntry", r.period_from as "from", r.period_to as "to"
           from remediation_retest t
           left join control_run r on r.org_id = t.org_id and r.id = t.run_id
           left join visible_account a on a.id = t.recorded_by
           where t.org_id = $1 and t.remediation_id = any($2::uuid[]) order by t.remediation_id, t.position`,
    values: [orgId, of.map(({ id }) => id)],
  });
  const retests = new Map<string, RemediationRetest[]>();
  for (const row of rows) retests.set(row.remediationId, [...(retests.get(row.remediationId) ?? []), retestOf(row)]);
  return retests;
}

const retestOf = (row: RetestRow): RemediationRetest => ({
  id: row.id,
  result: row.result,
  at: row.testedAt.toISOString(),
  by: row.recordedBy === null ? null : { id: row.recordedBy, name: row.recorder ?? formerMember },
  evaluation:
    row.runId === null || row.from === null || row.to === null
      ? null
      : {
          runId: row.runId,
          at: row.testedAt.toISOString(),
          asOfSize: row.size ?? 0,
          period: { from: row.from.toISOString(), to: row.to.toISOString() },
          entryId: row.runEntry ?? '',
        },
  notes: row.notes,
  entryId: row.entryId,
});

interface BesideRemediation {
  retests: RemediationRetest[];
  ticket: LinkedTicket | null;
}

/** The retests and the ticket of each remediation. */
async function loadBeside(
  tx: Tx,
  orgId: string,
  rows: readonly Pick<RemediationRow, 'id'>[],
): Promise<(id: string) => BesideRemediation> {
  const retests = await loadRetests(tx, orgId, rows);
  const ids = rows.map(({ id }) => id);
  const tickets = await findLinkedTickets(tx, orgId, 'remediation', ids);
  return (id) => ({ retests: retests.get(id) ?? [], ticket: tickets.get(id) ?? null });
}

function remediationOf(actor: Actor, row: RemediationRow, { retests, ticket }: BesideRemediation): Remediation {
  const may = (permission: Permission) => !actor.archived && actor.reach(permission) !== undefined;
  const remediatedAt = row.remediatedAt?.toISOString() ?? null;
  return {
    id: row.id,
    state: row.state,
    failure: {
      runId: row.runId,
      at: row.failedAt.toISOString(),
      asOfSize: row.failedSize,
      period: { from: row.from.toISOString(), to: row.to.toISOString() },
      entryId: row.failedEntry,
      reasons: row.reasons,
    },
    owner:
      row.ownerId === null
        ? null
        : { id: row.ownerId, name: row.ownerName ?? formerMember, isActive: row.ownerIsActive },
    dueOn: row.dueOn,
    ticketUrl: row.ticketUrl,
    ticket,
    notes: row.notes,
    remediatedAt,
    retests,
    text: remediationSentence(remediatedAt, retests.at(-1)),
    allowed: {
      change: may('write:findings'),
      retest: may('approve:exceptions') || (row.ownerId === actor.accountId && may('write:findings')),
    },
  };
}

/** Which remediations are stated as remediated, or passed a retest. */
export async function doneRemediations(tx: Tx, orgId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select m.id from remediation m ${newestStateSql.joins(sql`m.id`, orgId)}
    where m.org_id = ${orgId} and m.id = any(${ids}::uuid[]) and ${remediationStateSql} <> 'open'`.execute(tx.db);
  return new Set(rows.map(({ id }) => id));
}
