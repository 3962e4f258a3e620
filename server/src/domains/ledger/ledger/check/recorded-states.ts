import { createHash } from 'node:crypto';
import { type CanonicalValue, canonicalJson, isRecord } from '@sightline/evidence/ledger/canonical.ts';
import { isReadByKindSql } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { maybeParsedEntry } from './audit.ts';
import type { ReportProblem } from './problem.ts';

type Values = { readonly [field: string]: CanonicalValue };

/** A recorded row with its entry; `entry` null: it has none. */
interface StateRow extends Record<string, unknown> {
  /** ID of the entry. */
  id: string;
  epoch: number | null;
  index: number | null;
  entry: string | null;
  values: Values;
}

/** Rows of the history that lists at a ledger size show, and what their entries have to contain. */
interface RecordedState {
  /** The rows in words. */
  what: string;
  /** Kind of the entries, as an SQL pattern. */
  kind: string;
  /** SQL of `id` (of the entry) and `values` (JSON) of rows of the organization $1. */
  rowsSql: string;
  /** The values that a row has according to its entry. */
  recordedIn: (subject: Values) => CanonicalValue;
  storedIn?: (values: Values) => CanonicalValue;
}

const hashOf = (value: CanonicalValue): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
const valuesOf = (value: CanonicalValue | undefined): Values => (value !== undefined && isRecord(value) ? value : {});
const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

const changeFields = [
  ...['change', 'version', 'repository', 'branch', 'isDefaultBranch', 'mergeMethod', 'number', 'push'],
  ...['mergedAt', 'mergeSha', 'headSha', 'parts', 'missing', 'protection'],
] as const;
const policyFields = ['name', 'kind', 'mode', 'scope', 'settings'] as const;
const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const states: readonly RecordedState[] = [
  {
    what: 'change of a membership',
    kind: 'member.changed',
    rowsSql: `select entry_id as id, jsonb_build_object('account', account_id, 'role', role_id, 'status', status) as values
      from member_change where org_id = $1 and entry_id is not null`,
    recordedIn: (subject) => pick(subject, ['account', 'role', 'status']),
  },
  {
    what: 'change in the directory',
    kind: 'directory.changed',
    rowsSql: `select entry_id as id, jsonb_build_object('active', is_active, 'user', user_id) as values
      from directory_change where org_id = $1 and entry_id is not null`,
    recordedIn: (subject) => pick(subject, ['active', 'user']),
  },
  {
    what: 'list of tool sightings',
    kind: 'tools.seen',
    rowsSql: `select entry_id as id, jsonb_build_object('sightings', jsonb_agg(jsonb_build_object('tab', tab, 'tool', tool_id,
        'holder', holder, 'id', holder_id, 'version', version, 'day', day))) as values
      from tool_sighting where org_id = $1 group by entry_id`,
    recordedIn: ({ sightings = [] }) => sorted(sightings),
    storedIn: ({ sightings = [] }) => sorted(sightings),
  },
  {
    what: 'version of a policy',
    kind: 'audit.policy.%',
    rowsSql: `select entry_id as id, jsonb_build_object('id', id, 'version', version, 'name', name, 'kind', kind, 'mode', mode,
        'scope', scope, 'settings', settings) as values
      from policy where org_id = $1`,
    recordedIn: ({ id = null, data }) => {
      const { version = null, after } = valuesOf(data);
      return { id, version, ...pick(valuesOf(after), policyFields) };
    },
  },
  {
    what: 'record of a change',
    kind: 'change',
    rowsSql: `select entry_id as id, jsonb_build_object('change', id, 'version', version, 'repository', repository_id, 'branch', branch,
        'isDefaultBranch', is_default_branch, 'mergeMethod', merge_method, 'number', number, 'push', push_id, 'mergedAt', ${utc('merged_at')},
        'mergeSha', merge_sha, 'headSha', head_sha, 'parts', parts, 'missing', missing, 'protection', protection_id) as values
      from change_record where org_id = $1`,
    recordedIn: (subject) => pick(subject, changeFields),
    storedIn: ({ parts = {}, ...values }) => pick({ ...values, parts: hashOf(parts) }, changeFields),
  },
];

const sorted = (list: CanonicalValue): CanonicalValue =>
  Array.isArray(list) ? list.map((one: CanonicalValue) => canonicalJson(one)).toSorted() : list;

const ROWS_PER_PAGE = 500;

/**
 * Compares memberships, tool sightings, policies and changes with their ledger entries, in both directions. Lists at a
 * ledger size show these rows.
 */
export async function checkRecordedStates({ database }: Services, orgId: string, report: ReportProblem): Promise<void> {
  for (const state of states) {
    await database.withOrg(orgId, async (tx) => {
      for await (const rows of pagesOf(tx, orgId, state)) for (const row of rows) compare(state, row, report);
    });
    // Every action about a policy has an entry; those without a version are checked with the audit log.
    if (state.kind.startsWith('audit.')) continue;
    const missing = await database.withOrg(orgId, (tx) =>
      tx.query<{ epoch: number; index: number }>({
        name: `ledger.check-missing-${state.kind}`,
        text: `select e.epoch, e.leaf_index as index from ledger_entry e
               where e.org_id = $1 and e.kind = $2 and ${isReadByKindSql}
                 and not exists (select from (${state.rowsSql}) s where s.id = e.entry_id)
               order by 1, 2 limit 100`,
        values: [orgId, state.kind],
      }),
    );
    for (const { epoch, index } of missing)
      report({ what: 'state', epoch, index, message: `entry ${index} records a ${state.what}, which is missing` });
  }
}

async function* pagesOf(tx: Tx, orgId: string, { kind, rowsSql }: RecordedState): AsyncGenerator<StateRow[]> {
  const cursor = `ledger_states_${kind.replaceAll(/\W/g, '_')}`;
  await tx.query({
    name: '',
    text: `declare ${cursor} no scroll cursor for
           select s.id, s.values, e.epoch, e.leaf_index as index, coalesce(e.entry, p.entry) as entry from (${rowsSql}) s
           left join lateral (select epoch, leaf_index, entry_text(e) as entry from ledger_entry e
             where e.org_id = $1 and e.entry_id = s.id and e.kind like $2 limit 1) e on true
           left join lateral (select entry from ledger_pending p
             where p.org_id = $1 and p.entry_id = s.id and p.kind like $2 and e.entry is null limit 1) p on true`,
    values: [orgId, kind],
  });
  const fetchPage = () => tx.query<StateRow>({ name: '', text: `fetch ${ROWS_PER_PAGE} from ${cursor}`, values: [] });
  for (let rows = await fetchPage(); rows.length > 0; rows = await fetchPage()) yield rows;
}

function compare({ what, recordedIn, storedIn }: RecordedState, row: StateRow, report: ReportProblem): void {
  const reportRow = (message: string) =>
    report({ what: 'state', epoch: row.epoch ?? 0, index: row.index, message: `a ${what} ${message}` });
  if (row.entry === null) {
    reportRow(`has no ledger entry ${row.id}`);
    return;
  }
  const entry = maybeParsedEntry(row.entry);
  // The check of the tree reports invalid entries.
  if (entry === undefined) return;
  const stored = storedIn ? storedIn(row.values) : row.values;
  if (canonicalJson(stored) !== canonicalJson(recordedIn(entry.subject)))
    reportRow(`does not match ledger entry ${row.index ?? '(pending)'}`);
}
