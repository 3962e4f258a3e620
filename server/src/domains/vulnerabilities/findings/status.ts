import type { Tx } from '#database/database.ts';

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
 * Recomputes findings from their instances, sources and decisions, and updates the counts. This is the only function
 * that sets the status of a finding. Creates a finding with its first instance and deletes it without instances.
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
  const values = [orgId, findingIds, repositories.map(({ id }) => id)];
  const [changed] = await withJoinPlan(tx, findingIds.length, () =>
    tx.query<StatusChanges & { emptied: boolean }>({ name: '', text: recomputeSql, values }),
  );
  const { emptied, ...statusChanges } = changed ?? { ...noChanges(), emptied: false };
  if (emptied) {
    await tx.query({
      name: 'findings.counts.empty',
      text: 'delete from finding_count where org_id = $1 and count = 0 and repository_id = any($2::uuid[])',
      values: [orgId, values[2]],
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
  const plan = (loops: boolean, collapse: number) =>
    tx.query({
      name: 'findings.plan',
      text: `select set_config('enable_nestloop', $1, true), set_config('join_collapse_limit', $2, true)`,
      values: [loops ? 'on' : 'off', String(collapse)],
    });
  await plan(rows <= MAX_NESTED_LOOP_ROWS, 1);
  const answer = await work();
  await plan(true, 8);
  return answer;
}

const MAX_NESTED_LOOP_ROWS = 500;

// A finding is shown with the instance that is still open, on the default branch, from the first source.
const recomputedSql = `
  asked as materialized (select distinct unnest($2::uuid[]) as id),
  instance as (
    select i.finding_id, i.repository_id, i.fingerprint, i.ref, i.state, i.path, i.line, i.end_line, i.commit_sha,
      s.title_id, s.severity, s.category, s.tool, s.cwes, s.codes,
      bool_or(i.state = 'open') over one as open, bool_or(i.state = 'suppressed') over one as suppressed,
      min(i.first_seen) over one as discovered_at,
      row_number() over (
        partition by i.finding_id order by i.state = 'fixed', i.state = 'suppressed', i.ref <> 'refs/heads/' || r.default_branch,
          s.first_seen, s.tool, i.fingerprint, i.first_seen, i.analysis) as rank
    from asked
    join finding_instance i on i.org_id = $1 and i.finding_id = asked.id and i.repository_id = any($3::uuid[])
    join finding_source s on s.org_id = $1 and s.repository_id = i.repository_id and s.fingerprint = i.fingerprint
      and s.repository_id = any($3::uuid[])
    join repository r on r.org_id = $1 and r.id = i.repository_id
    window one as (partition by i.finding_id)
  ),
  -- Scanners that still report the finding; if none does, all that reported it.
  scanners as (
    select finding_id, coalesce(
        array_agg(distinct tool order by tool) filter (where state <> 'fixed'),
        array_agg(distinct tool order by tool)
      ) as tools
    from instance group by finding_id
  ),
  new as materialized (
    select l.finding_id as id, l.repository_id, l.title_id, l.severity, l.category, t.tools, l.tool as data_source,
      case when not l.open and not l.suppressed then 'fixed' when f.decided is not null then f.decided
        when l.open then 'open' else 'dismissed' end as status,
      l.fingerprint, l.ref, l.path, l.line, l.end_line, l.commit_sha, l.cwes, l.codes, l.discovered_at,
      f.id is not null as known, f.title_id as old_title, f.severity as old_severity, f.category as old_category,
      f.tools as old_tools, f.status as old_status
    from instance l
    join scanners t on t.finding_id = l.finding_id
    left join finding f on f.org_id = $1 and f.id = l.finding_id and f.repository_id = any($3::uuid[])
    where l.rank = 1
  )`;

const columns = [
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
];
const columnsOf = (row: string) => columns.map((name) => `${row}.${name}`).join(', ');

const bySeverity = `array[${[0, 1, 2, 3, 4].map((severity) => `count(*) filter (where severity = ${severity})`).join(', ')}]::int[]`;

const recomputeSql = `with ${recomputedSql},
  written as (
    insert into finding as f (org_id, id, ${columns.join(', ')}) select $1, new.id, ${columnsOf('new')} from new order by new.id
    on conflict (org_id, id) do update set (${columns.join(', ')}) = row(${columnsOf('excluded')})
    where (${columnsOf('f')}) is distinct from (${columnsOf('excluded')})
  ),
  gone as (
    delete from finding f where f.org_id = $1 and f.id = any($2::uuid[]) and not exists (select from new where new.id = f.id)
    returning f.repository_id, f.title_id, f.status, f.severity, f.category, f.tools
  ),
  delta as materialized (
    select repository_id, title_id, status, severity, category, tools, sum(n)::int as change
    from (
      select repository_id, title_id, status, severity, category, tools, 1 as n from new
      union all select repository_id, old_title, old_status, old_severity, old_category, old_tools, -1 from new where known
      union all select repository_id, title_id, status, severity, category, tools, -1 from gone
    ) moves
    group by repository_id, title_id, status, severity, category, tools having sum(n) <> 0
  ),
  counted as (
    insert into finding_count as c (org_id, repository_id, title_id, status, severity, category, tools, count)
    select $1, repository_id, title_id, status, severity, category, tools, change from delta
    on conflict (org_id, repository_id, title_id, status, severity, category, tools) do update set count = c.count + excluded.count
    returning c.count
  ),
  daily as (
    insert into finding_day as f (org_id, day, repository_id, severity, category, tools, change)
    select $1, (now() at time zone 'UTC')::date, repository_id, severity, category, tools, sum(change)::int
    from delta where status = 'open' group by repository_id, severity, category, tools having sum(change) <> 0
    on conflict (org_id, day, repository_id, severity, category, tools) do update set change = f.change + excluded.change
  )
  select exists (select from counted where count = 0) as emptied,
    (select count(*)::int from new where status = 'open' and old_status is distinct from 'open') as opened,
    (select count(*)::int from new where status <> 'open' and old_status = 'open')
      + (select count(*)::int from gone where status = 'open') as closed,
    (select ${bySeverity} from new where status = 'open' and not known) as fresh,
    (select ${bySeverity} from new where status = 'open' and old_status = 'open' and severity <> old_severity) as reweighed`;
