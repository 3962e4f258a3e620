import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';

/** The kind of the ledger entries of finding states. */
export const FINDING_STATES_KIND = 'findings.changed';

const stateColumns = [
  'repository_id',
  'title_id',
  'severity',
  'category',
  'tools',
  'data_source',
  'fingerprint',
  'ref',
  'path',
  'line',
  'end_line',
  'codes',
  'discovered_at',
  'fixed_at',
  'component',
  'assignee_id',
  'ticket_url',
];
const memberColumns = ['labels', 'waiver_id', 'waiver_state'];
const columnsOf = (row: string, columns: readonly string[]) => columns.map((column) => `${row}.${column}`).join(', ');
const all = ['status', ...stateColumns, ...memberColumns];

/** Selects `SavedStates` from the contents of states, in the order of the findings. */
const hashSql = (content: string, finding: string, from: string) => `
    select count(*)::int as findings,
      encode(sha256(convert_to(coalesce(string_agg(${content}, chr(10) order by ${finding}), ''), 'UTF8')), 'hex') as sha256
    from ${from}`;

// $1 organization, $2 findings, $3 the entry. Steps limit each table to the findings, so that many are hash joined.
const recordSql = `
  with asked as materialized (select distinct unnest($2::uuid[]) as id),
  labels as (
    select l.finding_id, array_agg(l.label order by l.label) as labels from finding_label l
    where l.org_id = $1 and l.finding_id = any($2::uuid[]) group by l.finding_id
  ),
  current as (
    select a.id as finding_id, f.status, ${columnsOf('f', stateColumns)}, coalesce(l.labels, '{}') as labels, w.id as waiver_id,
      w.state as waiver_state
    from asked a
    left join finding f on f.org_id = $1 and f.id = a.id and f.id = any($2::uuid[])
    left join labels l on l.finding_id = a.id
    left join finding_waiver w on w.org_id = $1 and w.finding_id = a.id and w.finding_id = any($2::uuid[])
      and w.state in ('requested', 'approved')
  ),
  last as (
    select distinct on (s.finding_id) s.* from finding_state s where s.org_id = $1 and s.finding_id = any($2::uuid[])
    order by s.finding_id, s.number desc
  ),
  changed as (
    select c.* from current c left join last s on s.finding_id = c.finding_id
    where c.status is not null and (s.finding_id is null or (${columnsOf('c', all)}) is distinct from (${columnsOf('s', all)}))
    union all
    select s.finding_id, null, ${columnsOf('s', stateColumns)}, s.labels, null, null
    from current c join last s on s.finding_id = c.finding_id where c.status is null and s.status is not null
  ),
  saved as (
    insert into finding_state as s (org_id, entry_id, finding_id, ${all.join(', ')})
    select $1, $3, finding_id, ${all.join(', ')} from changed order by finding_id
    returning finding_id, finding_state_content(s) as content
  )
  ${hashSql('content', 'finding_id', 'saved')}`;

/**
 * Adds the state of each finding to its history if it changed, with one ledger entry for all. The entry contains their
 * number and a SHA-256 over the lines of their states, as JSON of PostgreSQL without ticket, in the order of their IDs.
 */
export async function recordFindingStates(tx: Tx, orgId: string, findingIds: readonly string[]): Promise<void> {
  if (findingIds.length === 0) return;
  const id = newId();
  const [saved] = await tx.query<SavedStates>({ name: '', text: recordSql, values: [orgId, findingIds, id] });
  if (saved && saved.findings > 0) await appendStatesEntry(tx, orgId, id, saved);
}

/** The number of saved states, and the SHA-256 over their lines. */
export interface SavedStates {
  findings: number;
  sha256: string;
}

/**
 * Steps that save the first states of the findings in the step `created`; `hashed` has `SavedStates`. `entry` is the ID of their
 * ledger entry.
 */
export const saveFirstStates = (created: string, entry: string) => ({
  saved: `(
    insert into finding_state as s (org_id, entry_id, finding_id, status, ${stateColumns.join(', ')}, labels)
    select org_id, ${entry}, id, status, ${stateColumns.join(', ')}, '{}' from ${created})`,
  // In the order of the columns of finding_state.
  hashed: `(${hashSql(
    `finding_state_content(row(org_id, id, 0, ${entry}, status, ${stateColumns.join(', ')}, '{}', null, null)::finding_state)`,
    'id',
    created,
  )})`,
});

/** Appends the ledger entry `id` of saved states. */
export async function appendStatesEntry(tx: Tx, orgId: string, id: string, saved: SavedStates): Promise<void> {
  const now = new Date().toISOString();
  const fact = { id, org: orgId, kind: FINDING_STATES_KIND, asOf: now, receivedAt: now, person: null };
  const entry = createLedgerEntry({ ...fact, source: 'sightline', subject: { ...saved }, personal: {} }, undefined);
  await appendEntries(tx, orgId, [entry]);
}
