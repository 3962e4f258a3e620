import {
  type AuditEntry,
  type AuditEntryDetail,
  type AuditFilters,
  type AuditPage,
  type AuditQuery,
  MAX_COUNTED_AUDIT_ENTRIES,
} from '@sightline/contract/organization/audit.ts';
import { auditActionLabel, auditSubjects } from '@sightline/contract/organization/audit-actions.ts';
import { sql } from 'kysely';
import { Invalid, NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import {
  actorDisplayName,
  toAuditEntries,
  toAuditEntryDetail,
  toAuditEntryDetails,
  visibleAccountsById,
} from './entries.ts';
import { type AuditCursor, type AuditEventRow, searchAuditEntries } from './search.ts';

/** One page of the audit log. Throws 400 if the cursor is not an entry of this organization. */
export async function listAuditEntries(tx: Tx, orgId: string, query: AuditQuery): Promise<AuditPage> {
  const { older, newer, perPage } = query;
  const asOf = new Date().toISOString();
  const direction = newer !== undefined && older === undefined ? 'newer' : 'older';
  const begin = older ?? newer;
  const from = begin === undefined ? undefined : await cursorOf(tx, orgId, direction, begin);
  const { rows, stoppedAt } = await searchAuditEntries(tx, orgId, query, { from, direction, most: perPage + 1 });
  const more = rows.length > perPage;
  const shown = rows.slice(0, perPage);
  if (direction === 'newer') {
    // With fewer entries than a page, returns the newest page, which contains them.
    if (!more && !stoppedAt) return listAuditEntries(tx, orgId, { ...query, newer: undefined });
    const entries = await toAuditEntries(tx, orgId, shown.toReversed());
    return {
      entries,
      older: entries.at(-1)?.id ?? begin ?? null,
      newer: entries[0]?.id ?? stoppedAt?.id ?? null,
      searchedTo: null,
      asOf,
    };
  }
  const entries = await toAuditEntries(tx, orgId, shown);
  const stopped = more ? undefined : stoppedAt;
  return {
    entries,
    older: more ? (entries.at(-1)?.id ?? null) : (stopped?.id ?? null),
    newer: begin === undefined ? null : (entries[0]?.id ?? begin),
    searchedTo: stopped ? new Date(stopped.place).toISOString() : null,
    asOf,
  };
}

async function cursorOf(tx: Tx, orgId: string, field: string, id: string): Promise<AuditCursor> {
  const { rows } = await sql<AuditCursor>`
    select id, at::text as place from audit_event where org_id = ${orgId} and id = ${id}`.execute(tx.db);
  const [row] = rows;
  if (!row) throw Invalid(field, 'is not an entry of this audit log');
  return row;
}

/** One entry with the values before and after. Throws 404 if it does not exist. */
export async function findAuditEntry(tx: Tx, orgId: string, id: string): Promise<AuditEntryDetail> {
  const row = await tx.db
    .selectFrom('audit_event')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw NotFound('Entry');
  return toAuditEntryDetail(tx, orgId, { ...row, place: '' } as unknown as AuditEventRow);
}

/** Entries by ID, the oldest first. */
export async function findAuditEntries(tx: Tx, orgId: string, ids: readonly string[]): Promise<AuditEntry[]> {
  if (ids.length === 0) return [];
  const rows = await tx.db
    .selectFrom('audit_event')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return toAuditEntries(tx, orgId, rows.map((row) => ({ ...row, place: '' })) as unknown as AuditEventRow[]);
}

/** A position in the ledger. Positions follow the order of commits: a late commit never gets an earlier position. */
export interface LedgerPosition {
  epoch: number;
  leafIndex: number;
}

/** Entries after a ledger position, in ledger order. `entry` is undefined if the row of the audit log is missing. */
export async function listAuditEntriesAfter(
  tx: Tx,
  orgId: string,
  after: LedgerPosition,
  limit: number,
): Promise<{ position: LedgerPosition; entry: AuditEntryDetail | undefined }[]> {
  const rows = await tx.query<(AuditEventRow | { id: null }) & { epoch: number; leaf_index: number }>({
    name: 'audit.after',
    text: `select e.epoch, e.leaf_index, a.id, a.at, a.actor_kind, a.actor_id, a.action, a.subject_kind, a.subject_id, a.data, a.personal,
             a.request_id, a.address
           from ledger_entry e left join audit_event a on a.org_id = $1 and a.id = e.entry_id
           where e.org_id = $1 and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > ($2::int, $3::bigint)
           order by e.epoch, e.leaf_index limit $4`,
    values: [orgId, after.epoch, after.leafIndex, limit],
  });
  const found = rows.filter((row) => row.id !== null) as AuditEventRow[];
  const entries = new Map((await toAuditEntryDetails(tx, orgId, found)).map((entry) => [entry.id, entry]));
  return rows.map(({ epoch, leaf_index, id }) => ({
    position: { epoch, leafIndex: leaf_index },
    entry: id === null ? undefined : entries.get(id),
  }));
}

const maxActors = 200;

/** The filter values of the log with counts. Counts stop at `MAX_COUNTED_AUDIT_ENTRIES`, so that their cost is bounded. */
export async function listAuditFilters(tx: Tx, orgId: string): Promise<AuditFilters> {
  const actions = await distinct(tx, orgId, 'action');
  const kinds = await distinct(tx, orgId, 'subject_kind');
  return {
    actions: actions
      .map(({ value, count }) => ({ value, label: auditActionLabel(value), count }))
      .toSorted((one, other) => one.label.localeCompare(other.label)),
    actors: await listActors(tx, orgId),
    subjectKinds: kinds.map(({ value, count }) => ({ value, label: labelOfKind(value), count })),
  };
}

const labelOfKind = (kind: string) => (auditSubjects as Record<string, string>)[kind] ?? kind;

/** The distinct values of a column, found with a skip scan of its index. */
async function distinct(tx: Tx, orgId: string, name: 'action' | 'subject_kind') {
  const column = sql.ref(name);
  const { rows } = await sql<{ value: string; count: number }>`
    with recursive v as (
      (select ${column} as value from audit_event where org_id = ${orgId} order by ${column} limit 1)
      union all
      select (select ${column} from audit_event where org_id = ${orgId} and ${column} > v.value order by ${column} limit 1)
      from v where v.value is not null
    )
    select v.value, c.count from v cross join lateral (
      select count(*)::int as count from (
        select from audit_event where org_id = ${orgId} and ${column} = v.value limit ${MAX_COUNTED_AUDIT_ENTRIES}) as few
    ) as c where v.value is not null`.execute(tx.db);
  return rows;
}

interface ActorCount {
  kind: AuditEventRow['actor_kind'];
  id: string;
  count: number;
}

async function listActors(tx: Tx, orgId: string): Promise<AuditFilters['actors']> {
  const { rows } = await sql<ActorCount>`
    with recursive v as (
      (select actor_kind, actor_id, 1 as n from audit_event where org_id = ${orgId} and actor_id is not null
       order by actor_kind, actor_id limit 1)
      union all
      select next.actor_kind, next.actor_id, v.n + 1 from v cross join lateral (
        select actor_kind, actor_id from audit_event
        where org_id = ${orgId} and (actor_kind, actor_id) > (v.actor_kind, v.actor_id)
        order by actor_kind, actor_id limit 1) as next
      where v.n < ${maxActors}
    )
    select v.actor_kind as kind, v.actor_id as id, c.count
    from v cross join lateral (
      select count(*)::int as count from (
        select from audit_event where org_id = ${orgId} and actor_kind = v.actor_kind and actor_id = v.actor_id
        limit ${MAX_COUNTED_AUDIT_ENTRIES}) as few
    ) as c`.execute(tx.db);
  const accounts = await visibleAccountsById(
    tx,
    rows.filter(({ kind }) => kind === 'account').map(({ id }) => id),
  );
  return rows
    .map(({ kind, id, count }) => {
      const account = kind === 'account' ? accounts.get(id) : undefined;
      const label = account?.name ?? actorDisplayName(kind, id);
      return { value: `${kind}:${id}`, label, count, picture: account?.picture ?? null };
    })
    .toSorted((one, other) => one.label.localeCompare(other.label) || one.value.localeCompare(other.value));
}
