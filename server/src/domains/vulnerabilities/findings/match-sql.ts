// $1 the organization, $2 the scan, $3 the repository, $4 the analysis unless stated otherwise.

/** Inserts the analysis, and counts the results that are not reported as fixed, and the rows to compare. */
export const registerAnalysisSql = `
  with known as (
    insert into analysis (org_id, repository_id, key, source, tool, category, ref) values ($1, $3, $4, $5, $6, $7, $8)
    on conflict do nothing
  )
  select count(*) filter (where state <> 'fixed')::int as here, count(*)::int + case when $9::boolean then (
    select count(*)::int from finding_instance where org_id = $1 and repository_id = $3 and analysis = $4) else 0 end as rows
  from scan_result where org_id = $1 and scan_id = $2`;

/** Results that differ from their known instance, with the finding of their key in the repository. */
export const changedResultsSql = `
  select r.position, r.key as id, r.rule_id as "ruleId", r.moved_key as "movedKey", r.path_rule_key as "nearKey", r.path, r.line,
    r.state, s.finding_id as "findingId", i.state as was, f.status as "findingStatus"
  from scan_result r
  left join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.fingerprint = r.key
  left join finding_source s on s.org_id = $1 and s.repository_id = $3 and s.fingerprint = r.key
  left join finding f on f.org_id = $1 and f.id = s.finding_id and f.repository_id = $3
  where r.org_id = $1 and r.scan_id = $2 and (i.digest is distinct from r.digest or i.state <> r.state)
  order by r.path, r.line, r.key`;

export const absentInstancesSql = `
  select i.fingerprint as id, s.rule_id as "ruleId", s.moved_key as "movedKey", s.path_rule_key as "nearKey", i.path, i.line,
    i.finding_id as "findingId"
  from finding_instance i
  join finding_source s on s.org_id = $1 and s.repository_id = $3 and s.fingerprint = i.fingerprint
  where i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.state <> 'fixed'
    and not exists (select from scan_result r where r.org_id = $1 and r.scan_id = $2 and r.key = i.fingerprint)`;

/**
 * Sources with the content of these results at a path of another ref that this scan does not report. $4 the positions.
 */
export const sourcesOnOtherRefsSql = `
  select distinct on (s.fingerprint) s.fingerprint as id, s.rule_id as "ruleId", s.moved_key as "movedKey",
    s.path_rule_key as "nearKey", i.path, i.line, s.finding_id as "findingId"
  from scan_result r
  join finding_source s on s.org_id = $1 and s.repository_id = $3 and s.moved_key = r.moved_key and not s.is_split
  join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.finding_id = s.finding_id
    and i.fingerprint = s.fingerprint and i.state <> 'fixed'
  where r.org_id = $1 and r.scan_id = $2 and r.position = any($4::int[])
    and not exists (select from scan_result o where o.org_id = $1 and o.scan_id = $2 and o.key = s.fingerprint)
  order by s.fingerprint, i.first_seen, i.analysis`;

/**
 * $2 the repository, $3 the analysis, $4 the old fingerprints of instances, $5 an object from old to new fingerprints.
 */
export const moveInstancesSql = `
  update finding_instance set fingerprint = ($5::jsonb->>fingerprint::text)::uuid
  where org_id = $1 and repository_id = $2 and analysis = $3 and fingerprint = any($4::uuid[])`;

export const closeInstancesSql = `
  update finding_instance i set state = 'fixed', fixed_scan = $2, fixed_at = now(),
    last_scan = coalesce(i.last_scan, a.last_scan)
  from analysis a
  where a.org_id = $1 and a.repository_id = $3 and a.key = $4
    and i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.fingerprint = any($5::uuid[])`;

/**
 * Updates the last scan of the analysis and its instances; $5 whether the scan is complete. Instances that a complete
 * scan does not report are closed already.
 */
export const updateLastScanSql = `
  with complete as (
    update analysis set last_scan = $2, last_seen = now() where org_id = $1 and repository_id = $3 and key = $4 and $5::boolean
  ), own as (
    update finding_instance set last_scan = null
    where org_id = $1 and repository_id = $3 and analysis = $4 and $5::boolean and state <> 'fixed' and last_scan is not null
  )
  update finding_instance i set last_scan = $2 from scan_result r
  where not $5::boolean and r.org_id = $1 and r.scan_id = $2 and i.org_id = $1 and i.repository_id = $3
    and i.analysis = $4 and i.fingerprint = r.key and i.state <> 'fixed'`;

export const insertTextsSql = `
  insert into finding_text (org_id, id, description, links)
  select $1, id, description, links from scan_text where org_id = $1 and scan_id = $2 order by id on conflict do nothing`;

/** In a fixed order, so that two scans with the same titles cannot deadlock. */
export const insertTitlesSql = `
  insert into finding_title (org_id, id, title)
  select $1, gen_random_uuid(), title
  from (select distinct title from scan_result where org_id = $1 and scan_id = $2 and position = any($3::int[])) t
  order by md5(title) on conflict do nothing`;

/**
 * Sources, their details and instances. $5 the assignments, $6 the scanner, $7 the ref, $8 the commit, $9 whether the
 * scan is complete, $10 the name of the scanner. The details of a source come from the ref that its finding is shown
 * with: others may be outdated.
 */
export const writeResultsSql = `
  with work as materialized (
    select r.*, w.finding, w.reason, w.explanation, t.id as title_id, f.id is null or f.ref = $7 as tells
    from json_to_recordset($5::json) as w(position int, finding uuid, reason text, explanation text)
    join scan_result r on r.org_id = $1 and r.scan_id = $2 and r.position = w.position
    join finding_title t on t.org_id = $1 and md5(t.title) = md5(r.title)
    left join finding f on f.org_id = $1 and f.id = w.finding and f.repository_id = $3
  ),
  sources as (
    insert into finding_source as s (org_id, repository_id, fingerprint, base_key, occurrence, moved_key, path_rule_key, finding_id, tool,
      rule_id, rule_name, title_id, severity, category, cwes, codes, package, reason, explanation, is_split, first_seen, severity_known)
    select $1, $3, key, coalesce(base_key, key), occurrence, moved_key, path_rule_key, finding, $6, rule_id, rule_name, title_id, severity,
      category, cwes, codes, package, coalesce(reason, 'first'), coalesce(explanation, $10 || ' ' || rule_id
        || ' was the first to report it' || coalesce(', at ' || path || coalesce(':' || line, ''), '') || '.'),
      -- A split source stays separate after a rename too. The subquery makes one index lookup per row; EXISTS may be
      -- evaluated for all sources.
      coalesce(case when reason = 'moved' then (
        select true from finding_source o where o.org_id = $1 and o.finding_id = finding and o.is_split limit 1) end, false), now(), severity_known
    from work where reason is not null or tells
    -- A known source keeps its reason.
    on conflict (org_id, repository_id, fingerprint) do update set rule_name = excluded.rule_name, title_id = excluded.title_id,
      severity = excluded.severity, category = excluded.category, cwes = excluded.cwes, codes = excluded.codes,
      package = excluded.package, severity_known = excluded.severity_known
    where (s.rule_name, s.title_id, s.severity, s.severity_known, s.category, s.cwes, s.codes, s.package) is distinct from
      (excluded.rule_name, excluded.title_id, excluded.severity, excluded.severity_known, excluded.category, excluded.cwes,
      excluded.codes, excluded.package)
  ),
  details as (
    insert into finding_detail as d (org_id, repository_id, fingerprint, text_id, detail)
    select $1, $3, key, text_id, detail from work where reason is not null or tells
    on conflict (org_id, repository_id, fingerprint) do update set text_id = excluded.text_id, detail = excluded.detail
  )
  insert into finding_instance as i (org_id, repository_id, analysis, fingerprint, finding_id, ref, state, suppressed, path, line,
    end_line, commit_sha, scanner_reference, digest, first_scan, last_scan, fixed_scan, first_seen, fixed_at)
  select $1, $3, $4, key, finding, $7, state, suppressed, path, line, end_line,
    coalesce(commit_sha, $8), scanner_reference, digest, $2,
    case when state = 'fixed' or not $9::boolean then $2::uuid end, case when state = 'fixed' then $2::uuid end,
    least(discovered_at, now()), case when state = 'fixed' then now() end
  from work
  on conflict (org_id, repository_id, analysis, fingerprint) do update set
    finding_id = excluded.finding_id, state = excluded.state, suppressed = excluded.suppressed, path = excluded.path,
    line = excluded.line, end_line = excluded.end_line, commit_sha = excluded.commit_sha, scanner_reference = excluded.scanner_reference,
    digest = excluded.digest, last_scan = excluded.last_scan, first_seen = least(i.first_seen, excluded.first_seen),
    fixed_scan = case when excluded.state = 'fixed' then coalesce(i.fixed_scan, excluded.fixed_scan) end,
    fixed_at = case when excluded.state = 'fixed' then coalesce(i.fixed_at, excluded.fixed_at) end`;
