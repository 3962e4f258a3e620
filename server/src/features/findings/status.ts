import type { Tx } from '#database/database.ts';

/**
 * Whoever changes what findings are worked out from asks for this first, and reads only after: one transaction at a time
 * for each repository. In the order of the ids, so that two who want several never wait for each other.
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

/** The same for the repositories of these findings; ids of nobody's findings are passed over. */
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

/**
 * Works findings out anew from their instances, their sources and what was decided, and keeps the counts in step. The one
 * place where a status comes from. A finding is made by it once it has an instance, and taken away once it has none.
 * Ask for `lockFindings` first.
 */
export async function recompute(tx: Tx, orgId: string, findingIds: readonly string[]): Promise<void> {
  if (findingIds.length === 0) return;
  const values = [orgId, findingIds];
  const [changed] = await tx.query<{ emptied: boolean }>({ name: 'findings.recompute', text: recomputeSql, values });
  if (!changed?.emptied) return;
  await tx.query({
    name: 'findings.counts.empty',
    text: `delete from finding_count where org_id = $1 and count = 0 and repository_id in (
             select repository_id from finding where org_id = $1 and id = any($2::uuid[])
             union select repository_id from finding_source where org_id = $1 and finding_id = any($2::uuid[]))`,
    values,
  });
}

// Where it is shown: where it still stands, on the default branch, as the scanner says that saw it first.
const worked = `
  asked as materialized (select distinct unnest($2::uuid[]) as id),
  old as materialized (select f.* from asked join finding f on f.org_id = $1 and f.id = asked.id),
  instance as materialized (
    select i.finding_id, i.repository_id, i.fingerprint, i.ref, i.state, i.path, i.line, i.end_line, i.commit_sha,
      i.first_seen, i.analysis, s.title_id, s.severity, s.category, s.tool, s.cwes, s.codes, s.first_seen as source_seen
    from asked
    join finding_instance i on i.org_id = $1 and i.finding_id = asked.id
    join finding_source s on s.org_id = $1 and s.repository_id = i.repository_id and s.fingerprint = i.fingerprint
  ),
  lead as (
    select distinct on (i.finding_id) i.*
    from instance i join repository r on r.org_id = $1 and r.id = i.repository_id
    order by i.finding_id, i.state = 'fixed', i.state = 'suppressed', i.ref <> 'refs/heads/' || r.default_branch,
      i.source_seen, i.tool, i.fingerprint, i.first_seen, i.analysis
  ),
  standing as (
    select finding_id, bool_or(state = 'open') as open, bool_or(state = 'suppressed') as suppressed,
      min(first_seen) as first_seen
    from instance group by finding_id
  ),
  scanners as (
    select s.finding_id, array_agg(distinct s.tool order by s.tool) as tools
    from asked join finding_source s on s.org_id = $1 and s.finding_id = asked.id group by s.finding_id
  ),
  new as materialized (
    select l.finding_id as id, l.repository_id, l.title_id, l.severity, l.category, t.tools, l.tool as data_source,
      case when not s.open and not s.suppressed then 'fixed' when o.decided is not null then o.decided
        when s.open then 'open' else 'dismissed' end as status,
      l.fingerprint, l.ref, l.path, l.line, l.end_line, l.commit_sha, l.cwes, l.codes, s.first_seen as discovered_at
    from lead l
    join standing s on s.finding_id = l.finding_id
    join scanners t on t.finding_id = l.finding_id
    left join old o on o.id = l.finding_id
  )`;

const columns = `repository_id, title_id, severity, category, tools, data_source, status, fingerprint, ref, path, line,
  end_line, commit_sha, cwes, codes, discovered_at`;
const each = (row: string) =>
  columns
    .split(',')
    .map((name) => `${row}.${name.trim()}`)
    .join(', ');

const recomputeSql = `with ${worked},
  written as (
    insert into finding as f (org_id, id, ${columns}) select $1, id, ${columns} from new order by id
    on conflict (org_id, id) do update set (${columns}) = row(${each('excluded')})
    where (${each('f')}) is distinct from (${each('excluded')})
  ),
  gone as (
    delete from finding f using old where f.org_id = $1 and f.id = old.id and not exists (select from new where new.id = old.id)
  ),
  delta as materialized (
    select repository_id, title_id, status, severity, category, tools, sum(n)::int as change
    from (
      select repository_id, title_id, status, severity, category, tools, -1 as n from old
      union all select repository_id, title_id, status, severity, category, tools, 1 from new
    ) moves
    group by repository_id, title_id, status, severity, category, tools having sum(n) <> 0
  ),
  recounted as (
    update finding_count c set count = c.count + d.change from delta d
    where c.org_id = $1 and (c.repository_id, c.title_id, c.status, c.severity, c.category, c.tools)
      = (d.repository_id, d.title_id, d.status, d.severity, d.category, d.tools)
    returning c.repository_id, c.title_id, c.status, c.severity, c.category, c.tools, c.count
  ),
  counted as (
    insert into finding_count (org_id, repository_id, title_id, status, severity, category, tools, count)
    select $1, repository_id, title_id, status, severity, category, tools, change from delta d
    where not exists (
      select from recounted r where (r.repository_id, r.title_id, r.status, r.severity, r.category, r.tools)
        = (d.repository_id, d.title_id, d.status, d.severity, d.category, d.tools))
  ),
  daily as (
    insert into finding_day as f (org_id, day, repository_id, severity, category, tools, change)
    select $1, (now() at time zone 'UTC')::date, repository_id, severity, category, tools, sum(change)::int
    from delta where status = 'open' group by repository_id, severity, category, tools having sum(change) <> 0
    on conflict (org_id, day, repository_id, severity, category, tools) do update set change = f.change + excluded.change
  )
  select exists (select from recounted where count = 0) as emptied`;
