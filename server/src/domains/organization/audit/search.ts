import { type AuditFilter, MAX_SCANNED_AUDIT_ENTRIES } from '@sightline/contract/organization/audit.ts';
import { auditActionsMatching } from '@sightline/contract/organization/audit-actions.ts';
import type { AuditValue } from '@sightline/contract/organization/audit-sentence.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';

export interface AuditEventRow {
  id: string;
  at: Date;
  /** As PostgreSQL writes it: a Date would lose the microseconds. */
  place: string;
  actor_kind: 'account' | 'system' | 'operator' | 'integration';
  actor_id: string | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  data: AuditValuesByField;
  personal: AuditValuesByField;
  request_id: string | null;
  address: string | null;
}
export type AuditValuesByField = Record<string, AuditValue>;

export type Direction = 'older' | 'newer';

/** Where a page begins: behind this entry. */
export interface AuditCursor {
  id: string;
  place: string;
}

export interface SearchPage {
  rows: AuditEventRow[];
  /** The last entry looked at, where there may be more behind it that was not. */
  stoppedAt: AuditCursor | undefined;
}

/**
 * Up to `most` entries in a direction. Whatever is asked, one index is followed and at most `auditScan` of its entries
 * are compared, so that no question costs more the longer the log is.
 */
export async function searchEntries(
  tx: Tx,
  orgId: string,
  filter: AuditFilter,
  { from, direction, most }: { from: AuditCursor | undefined; direction: Direction; most: number },
): Promise<SearchPage> {
  const [index, ...rest] = conditionsOf(filter);
  const range = [sql`org_id = ${orgId}`, ...boundsOf(filter, from, direction)];
  const order = direction === 'older' ? sql`at desc, id desc` : sql`at, id`;
  // One branch for each value: together they are read in order, which a list of values in one condition is not.
  const branches = (index ?? [sql`true`]).map(
    (condition) =>
      sql`(select * from audit_event where ${sql.join([...range, condition], sql` and `)} order by ${order})`,
  );
  const scanned = sql`select * from (${sql.join(branches, sql` union all `)}) as b order by ${order}`;
  const kept = [...rest.map(anyOf), ...(await wordsOf(tx, orgId, filter.search))];
  if (index || kept.length > 0) await followIndices(tx);
  const { rows } = await sql<AuditEventRow>`
    select id, at, at::text as place, actor_kind, actor_id, action, subject_kind, subject_id, data, personal, request_id, address
    from (${scanned} limit ${MAX_SCANNED_AUDIT_ENTRIES}) as e
    where ${kept.length === 0 ? sql`true` : sql.join(kept, sql` and `)}
    order by ${order} limit ${most}`.execute(tx.db);
  if (rows.length === most || kept.length === 0)
    return { rows, stoppedAt: rows.length === most ? rows.at(-1) : undefined };
  const last =
    await sql<AuditCursor>`select id, at::text as place from (${scanned} offset ${MAX_SCANNED_AUDIT_ENTRIES - 1} limit 1) as e`.execute(
      tx.db,
    );
  return { rows, stoppedAt: last.rows[0] };
}

// The planner does not see that few rows are taken out of many, and would rather read and sort them all.
const followIndices = (tx: Tx) =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx.db);

/** How many entries the filters leave. */
export async function countEntries(tx: Tx, orgId: string, filter: AuditFilter): Promise<number> {
  const all = [
    sql`org_id = ${orgId}`,
    ...boundsOf(filter, undefined, 'older'),
    ...conditionsOf(filter).map(anyOf),
    ...(await wordsOf(tx, orgId, filter.search)),
  ];
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_event where ${sql.join(all, sql` and `)}`.execute(tx.db);
  return Number(rows[0]?.count ?? 0);
}

type AuditCondition = RawBuilder<unknown>;

const anyOf = (conditions: readonly AuditCondition[]): AuditCondition => sql`(${sql.join([...conditions], sql` or `)})`;

/** What each filter asks for, one condition for each of its values; the one that leaves least comes first. */
function conditionsOf({ subject, actor, action, subjectKind }: AuditFilter): AuditCondition[][] {
  const kinds = subjectKind.map((kind) => sql`subject_kind = ${kind}`);
  return [
    subject === '' ? [] : [sql`(subject_kind = ${kindIn(subject)} and subject_id = ${idIn(subject)})`],
    actor.map((one) => sql`(actor_kind = ${kindIn(one)} and actor_id = ${idIn(one)})`),
    action.map((one) => sql`action = ${one}`),
    kinds,
  ].filter((conditions) => conditions.length > 0);
}

const kindIn = (value: string) => value.slice(0, Math.max(0, value.indexOf(':')));
const idIn = (value: string) => value.slice(value.indexOf(':') + 1);

function boundsOf({ from, to }: AuditFilter, behind: AuditCursor | undefined, direction: Direction): AuditCondition[] {
  return [
    ...(from === undefined ? [] : [sql`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`at < ${to}::timestamptz`]),
    ...(behind === undefined
      ? []
      : direction === 'older'
        ? [sql`(at, id) < (${behind.place}::timestamptz, ${behind.id}::uuid)`]
        : [sql`(at, id) > (${behind.place}::timestamptz, ${behind.id}::uuid)`]),
  ];
}

/** One condition for each word: it may stand in what happened, who did it, to whom, from where, or in what changed. */
async function wordsOf(tx: Tx, orgId: string, search: string): Promise<AuditCondition[]> {
  const words = [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, 10);
  const conditions: AuditCondition[] = [];
  for (const word of words) {
    const like = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    const people = await accountsLike(tx, orgId, like);
    conditions.push(sql`(
      action = any(${auditActionsMatching(word)}::text[])
      or (actor_kind = 'account' and actor_id = any(${people}::text[]))
      or (subject_kind in ('member', 'account') and subject_id = any(${people}::text[]))
      or (actor_kind <> 'account' and actor_id ilike ${like})
      or subject_id ilike ${like} or address ilike ${like} or data::text ilike ${like} or personal::text ilike ${like})`);
  }
  return conditions;
}

/** Accounts this organization has dealt with whose name or address holds a word. */
async function accountsLike(tx: Tx, orgId: string, like: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.value as id from identity i
    -- Kept apart, so that each is looked up: joined, every account of the installation would be read.
    cross join lateral (
      select from account a where a.id = case when i.value ~ '^[0-9a-f-]{36}$' then i.value::uuid end and (a.name ilike ${like} or a.email ilike ${like}) offset 0) as a
    where i.org_id = ${orgId} and i.kind = 'account'
    order by i.value limit 5000`.execute(tx.db);
  return rows.map(({ id }) => id);
}
