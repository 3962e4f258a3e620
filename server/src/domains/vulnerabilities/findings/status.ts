import type { Tx } from '#database/database.ts';
import { recordFindingStates } from './states.ts';

/**
 * Locks the findings of repositories until the transaction ends. Call it before reading or changing anything that
 * findings are computed from. Locks in the order of the IDs to avoid deadlocks.
 */
export async function lockFindings(tx: Tx, orgId: string, repositoryIds: readonly string[]): Promise<void> {
  for (const id of [...new Set(repositoryIds)].sort()) {
    await tx.query({
      name: 'findings.lock',
      text: `select pg_advisory_xact_lock(hashtextextended($1::text || 'findings' || $2::text, 0))`,
      values: [orgId, id],
    });
  }
}

/** Locks the repositories of these findings; skips IDs without a finding. */
export async function lockFindingsOf(tx: Tx, orgId: string, findingIds: readonly string[]): Promise<void> {
  const rows = await tx.query<{ id: string }>({
    name: 'findings.repositories',
    text: 'select distinct repository_id as id from finding where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, findingIds],
  });
  await lockFindings(
    tx,
    orgId,
    rows.map((row) => row.id),
  );
}

/** Number of findings that became open, and of findings that are no longer open. */
export interface StatusChanges {
  opened: number;
  closed: number;
  /** New open findings, and open findings with a changed severity; by severity, from critical to info. */
  fresh: Tally;
  reweighed: Tally;
}
type Tally = [number, number, number, number, number];

/**
 * Recomputes findings from their instances, sources and decisions, updates the counts, and records the changed states.
 * Only this function and `createFindings` set the status of a finding. Creates a finding with its first instance and deletes it without instances.
 * Requires `lockFindings`. Call it last: it locks the counts of the organization.
 */
export async function recomputeFindings(tx: Tx, orgId: string, findingIds: readonly string[]): Promise<StatusChanges> {
  if (findingIds.length === 0) return noChanges();
  const repositories = await tx.query<{ id: string }>({
    name: '',
    text: `select distinct repository_id as id from finding_instance where org_id = $1 and finding_id = any($2::uuid[])
           union select distinct repository_id from finding where org_id = $1 and id = any($2::uuid[])`,
    values: [orgId, findingIds],
  });
  const repositoryIds = repositories.map(({ id }) => id);
  const statement = isMany(findingIds.length)
    ? { text: recomputeSql.many, values: [orgId, findingIds, repositoryIds] }
    : { text: recomputeSql.few, values: [orgId, findingIds] };
  const [changed] = await withJoinPlan(tx, findingIds.length, () =>
    tx.query<StatusChanges & { emptied: boolean }>({ name: '', ...statement }),
  );
  await withJoinPlan(tx, findingIds.length, () => recordFindingStates(tx, orgId, findingIds));
  const { emptied, ...statusChanges } = changed ?? { ...noChanges(), emptied: false };
  if (emptied) {
    await tx.query({
      name: 'findings.counts.empty',
      text: 'delete from finding_count where org_id = $1 and count = 0 and repository_id = any($2::uuid[])',
      values: [orgId, repositoryIds],
    });
  }
  return statusChanges;
}

const noChanges = (): StatusChanges => ({ opened: 0, closed: 0, fresh: [0, 0, 0, 0, 0], reweighed: [0, 0, 0, 0, 0] });

/**
 * Runs statements with a join plan for the given number of rows. Newly written rows have no statistics; a plan that
 * assumes one row takes minutes instead of a second. Joins therefore run in their written order, and many rows use hash
 * joins, for which every table is limited to a repository. Such statements are unnamed, since a named one would cache
 * its plan.
 */
export async function withJoinPlan<Answer>(tx: Tx, rows: number, work: () => Promise<Answer>): Promise<Answer> {
  // The first column is the previous setting.
  const plan = (loops: boolean, collapse: number, memory: string | null) =>
    tx.query<{ memory: string }>({
      name: 'findings.plan',
      text: `select current_setting('work_mem') as memory, set_config('enable_nestloop', $1, true),
               set_config('enable_memoize', $1, true), set_config('join_collapse_limit', $2, true), set_config('work_mem', coalesce($3, current_setting('work_mem')), true)`,
      values: [loops ? 'on' : 'off', String(collapse), memory],
    });
  const isLarge = isMany(rows);
  const [previous] = await plan(!isLarge, 1, isLarge ? MEMORY_OF_MANY_ROWS : null);
  const answer = await work();
  await plan(true, 8, previous?.memory ?? null);
  return answer;
}

const MAX_NESTED_LOOP_ROWS = 500;
const isMany = (rows: number) => rows > MAX_NESTED_LOOP_ROWS;
// With the usual 4 MB, sorts and hash tables of 100 000 rows are written to temporary files.
const MEMORY_OF_MANY_ROWS = '32MB';

export const findingColumns = [
  'repository_id',
  'title_id',
  'severity',
  'category',
  'tools',
  'data_source',
  'status',
  'fingerprint',
  'ref',
  'path',
  'line',
  'end_line',
  'commit_sha',
  'cwes',
  'codes',
  'discovered_at',
  'fixed_at',
  'component',
];
const columnsOf = (row: string) => findingColumns.map((column) => `${row}.${column}`).join(', ');

// $1 organization, $2 findings, $3 their repositories. For many findings the large tables are limited to $3: a hash join reads
// every row that the limit leaves, so it must leave those of a few repositories and not those of the organization. Few findings are
// looked up by their keys: with the limit, PostgreSQL may read the repository for each of them while it has no statistics of new rows.
const statusSteps = (limitTo: (row: string) => string) => ({
  // Plan: function scan. Materialized, so that the joins begin at these few IDs.
  requested: 'materialized (select distinct unnest($2::uuid[]) as id)',

  // One row per place where a scanner reported a finding. `rank` 1 is shown: preferably a place that is not fixed, then
  // not suppressed, then on the default branch, then of the first source. Further keys make the order unique.
  // Plan: for up to MAX_NESTED_LOOP_ROWS findings index lookups in written order, above that hash joins.
  instances: `(
    select i.finding_id, i.repository_id, i.fingerprint, i.ref, i.state, i.path, i.line, i.end_line, i.commit_sha,
      s.title_id, s.severity, s.category, s.tool, s.cwes, s.codes, s.package as component,
      bool_or(i.state = 'open') over of_finding as has_open,
      bool_or(i.state = 'suppressed') over of_finding as has_suppressed,
      min(i.first_seen) over of_finding as discovered_at,
      max(i.fixed_at) over of_finding as last_fixed_at,
      row_number() over (
        partition by i.finding_id order by i.state = 'fixed', i.state = 'suppressed', i.ref <> 'refs/heads/' || r.default_branch,
          s.first_seen, s.tool, i.fingerprint, i.first_seen, i.analysis) as rank
    from requested
    join finding_instance i on i.org_id = $1 and i.finding_id = requested.id${limitTo('i')}
    join finding_source s on s.org_id = $1 and s.repository_id = i.repository_id and s.fingerprint = i.fingerprint${limitTo('s')}
    join repository r on r.org_id = $1 and r.id = i.repository_id
    window of_finding as (partition by i.finding_id))`,

  // Scanners that still report the finding; if none does, all that reported it.
  scanners: `(
    select finding_id, coalesce(
        array_agg(distinct tool order by tool) filter (where state <> 'fixed'),
        array_agg(distinct tool order by tool)
      ) as tools
    from instances group by finding_id)`,

  // The finding from now on, beside what is stored. A fix takes precedence over a decision of a person, and a decision
  // over the state of the scanner. Materialized, because many steps read it.
  computed: `materialized (
    select i.finding_id as id, i.repository_id, i.title_id, i.severity, i.category, s.tools, i.tool as data_source,
      case when not i.has_open and not i.has_suppressed then 'fixed' when f.decided is not null then f.decided
        when i.has_open then 'open' else 'dismissed' end as status,
      i.fingerprint, i.ref, i.path, i.line, i.end_line, i.commit_sha, i.cwes, i.codes, i.discovered_at,
      case when not i.has_open and not i.has_suppressed then i.last_fixed_at end as fixed_at, i.component,
      f.id is not null as existed, f.title_id as old_title, f.severity as old_severity, f.category as old_category,
      f.tools as old_tools, f.status as old_status
    from instances i
    join scanners s on s.finding_id = i.finding_id
    left join finding f on f.org_id = $1 and f.id = i.finding_id${limitTo('f')}
    where i.rank = 1)`,

  // Unchanged rows are not written again. No ON CONFLICT: it costs a lookup and a lock for each row, and the lock of the
  // findings excludes other writers. Plan: insert in the order of the primary key; update by a join as above.
  inserted: `(
    insert into finding (org_id, id, ${findingColumns.join(', ')})
    select $1, computed.id, ${columnsOf('computed')} from computed where not computed.existed order by computed.id)`,
  updated: `(
    update finding f set (${findingColumns.join(', ')}) = row(${columnsOf('computed')}) from computed
    where computed.existed and f.org_id = $1 and f.id = computed.id${limitTo('f')}
      and (${columnsOf('f')}) is distinct from (${columnsOf('computed')}))`,

  // Findings without an instance. Plan: delete by primary key with an anti join. Steps see the tables as they were, so
  // `computed` decides and not `inserted`.
  deleted: `(
    delete from finding f where f.org_id = $1 and f.id = any($2::uuid[])
      and not exists (select from computed where computed.id = f.id)
    returning f.repository_id, f.title_id, f.status, f.severity, f.category, f.tools)`,
});

export const countSteps = {
  // How many findings each combination gains or loses. Materialized, because both counts read it.
  moves: `materialized (
    select repository_id, title_id, status, severity, category, tools, sum(n)::int as change
    from (
      select repository_id, title_id, status, severity, category, tools, 1 as n from computed
      union all
      select repository_id, old_title, old_status, old_severity, old_category, old_tools, -1 from computed where existed
      union all select repository_id, title_id, status, severity, category, tools, -1 from deleted
    ) each_finding
    group by repository_id, title_id, status, severity, category, tools having sum(n) <> 0)`,

  // The totals of the lists. Plan: upsert by primary key, one row per combination.
  counted: `(
    insert into finding_count as c (org_id, repository_id, title_id, status, severity, category, tools, count)
    select $1, repository_id, title_id, status, severity, category, tools, change from moves
    on conflict (org_id, repository_id, title_id, status, severity, category, tools) do update set count = c.count + excluded.count
    returning c.count)`,

  // The trend of open findings. Plan: upsert by primary key, one row per combination.
  daily: `(
    insert into finding_day as f (org_id, day, repository_id, severity, category, tools, change)
    select $1, (now() at time zone 'UTC')::date, repository_id, severity, category, tools, sum(change)::int
    from moves where status = 'open' group by repository_id, severity, category, tools having sum(change) <> 0
    on conflict (org_id, day, repository_id, severity, category, tools) do update set change = f.change + excluded.change)`,
};

export const bySeverity = `array[${[0, 1, 2, 3, 4].map((severity) => `count(*) filter (where severity = ${severity})`).join(', ')}]::int[]`;

const selectStatusChanges = `
  select exists (select from counted where count = 0) as emptied,
    (select count(*)::int from computed where status = 'open' and old_status is distinct from 'open') as opened,
    (select count(*)::int from computed where status <> 'open' and old_status = 'open')
      + (select count(*)::int from deleted where status = 'open') as closed,
    (select ${bySeverity} from computed where status = 'open' and not existed) as fresh,
    (select ${bySeverity} from computed where status = 'open' and old_status = 'open' and severity <> old_severity) as reweighed`;

export const withSteps = (steps: Readonly<Record<string, string>>) =>
  `with ${Object.entries(steps)
    .map(([name, sql]) => `${name} as ${sql}`)
    .join(',\n')}`;

const recomputeSqlOf = (limitTo: (row: string) => string) =>
  `${withSteps({ ...statusSteps(limitTo), ...countSteps })} ${selectStatusChanges}`;
const recomputeSql = {
  few: recomputeSqlOf(() => ''),
  many: recomputeSqlOf((row) => ` and ${row}.repository_id = any($3::uuid[])`),
};
