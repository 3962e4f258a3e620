import { type AuditFilter, MAX_SCANNED_AUDIT_ENTRIES } from '@sightline/contract/organization/audit.ts';
import { auditActionsMatching } from '@sightline/contract/organization/audit-actions.ts';
import type { AuditValue } from '@sightline/contract/organization/audit-sentence.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';

export interface AuditEventRow {
  id: string;
  at: Date;
  /** `at` as PostgreSQL formats it, since a Date loses the microseconds. */
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

export type AuditPageDirection = 'older' | 'newer';

/** A page starts after this entry. */
export interface AuditCursor {
  id: string;
  place: string;
}

export interface AuditSearchPage {
  rows: AuditEventRow[];
  /** The last scanned entry, if there may be more entries after it. */
  stoppedAt: AuditCursor | undefined;
}

/**
 * Returns up to `most` entries in a direction. It scans at most `MAX_SCANNED_AUDIT_ENTRIES` entries of one index, so that the cost of a
 * query does not depend on the size of the log.
 */
export async function searchAuditEntries(
  tx: Tx,
  orgId: string,
  filter: AuditFilter,
  { from, direction, most }: { from: AuditCursor | undefined; direction: AuditPageDirection; most: number },
): Promise<AuditSearchPage> {
  const [index, ...otherFilters] = conditionsOf(filter);
  const range = [sql`org_id = ${orgId}`, ...boundsOf(filter, from, direction)];
  const order = direction === 'older' ? sql`at desc, id desc` : sql`at, id`;
  // One branch per value is read in index order, unlike a list of values in one condition.
  const branches = (index ?? [sql`true`]).map(
    (condition) =>
      sql`(select * from audit_event where ${sql.join([...range, condition], sql` and `)} order by ${order})`,
  );
  const scanned = sql`select * from (${sql.join(branches, sql` union all `)}) as b order by ${order}`;
  const residual = [...otherFilters.map(anyOf), ...(await wordsOf(tx, orgId, filter.search))];
  if (index || residual.length > 0) await disableSort(tx);
  const { rows } = await sql<AuditEventRow>`
    select id, at, at::text as place, actor_kind, actor_id, action, subject_kind, subject_id, data, personal, request_id, address
    from (${scanned} limit ${MAX_SCANNED_AUDIT_ENTRIES}) as e
    where ${residual.length === 0 ? sql`true` : sql.join(residual, sql` and `)}
    order by ${order} limit ${most}`.execute(tx.db);
  if (rows.length === most || residual.length === 0)
    return { rows, stoppedAt: rows.length === most ? rows.at(-1) : undefined };
  const last =
    await sql<AuditCursor>`select id, at::text as place from (${scanned} offset ${MAX_SCANNED_AUDIT_ENTRIES - 1} limit 1) as e`.execute(
      tx.db,
    );
  return { rows, stoppedAt: last.rows[0] };
}

// The planner does not expect to read only few of many rows, and would sort all matching entries. Measured with 300,000
// entries: three actors take 440 ms without this setting and 5 ms with it, three actions 200 ms and 6 ms.
const disableSort = (tx: Tx) => sql`select set_config('enable_sort', 'off', true)`.execute(tx.db);

/** The number of entries that match the filters. */
export async function countAuditEntries(tx: Tx, orgId: string, filter: AuditFilter): Promise<number> {
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

/** The conditions of each filter, one per value; the most selective filter comes first. */
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

function boundsOf(
  { from, to }: AuditFilter,
  cursor: AuditCursor | undefined,
  direction: AuditPageDirection,
): AuditCondition[] {
  return [
    ...(from === undefined ? [] : [sql`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`at < ${to}::timestamptz`]),
    ...(cursor === undefined
      ? []
      : direction === 'older'
        ? [sql`(at, id) < (${cursor.place}::timestamptz, ${cursor.id}::uuid)`]
        : [sql`(at, id) > (${cursor.place}::timestamptz, ${cursor.id}::uuid)`]),
  ];
}

/** One condition per word, which may match the action, actor, target, address or data of an entry. */
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

/** Accounts with an identity in this organization whose name or email address contains a word. */
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
