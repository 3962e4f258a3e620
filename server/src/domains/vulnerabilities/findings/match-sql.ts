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
  with changed as materialized (
    select r.position, r.key, r.rule_id, r.moved_key, r.path_rule_key, r.path, r.line, r.state, i.state as was
    from scan_result r
    left join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.fingerprint = r.key
    where r.org_id = $1 and r.scan_id = $2 and (i.digest is distinct from r.digest or i.state <> r.state)
  )
  select r.position, r.key as id, r.rule_id as "ruleId", r.moved_key as "movedKey", r.path_rule_key as "nearKey", r.path, r.line,
    r.state, s.finding_id as "findingId", r.was, f.status as "findingStatus", r.rule_id is null as "isBare"
  from changed r
  left join finding_source s on s.org_id = $1 and s.repository_id = $3 and s.fingerprint = r.key
  left join finding f on f.org_id = $1 and f.id = s.finding_id and f.repository_id = $3
  order by r.path, r.line, r.key`;

export const absentInstancesSql = `
  with absent as materialized (
    select i.fingerprint, i.path, i.line, i.finding_id from finding_instance i
    where i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.state <> 'fixed'
      and not exists (select from scan_result r where r.org_id = $1 and r.scan_id = $2 and r.key = i.fingerprint)
  )
  select i.fingerprint as id, s.rule_id as "ruleId", s.moved_key as "movedKey", s.path_rule_key as "nearKey", i.path, i.line,
    i.finding_id as "findingId"
  from absent i
  join finding_source s on s.org_id = $1 and s.repository_id = $3 and s.fingerprint = i.fingerprint`;

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
 * Sources of known findings, their details and instances. $5 the assignments, $6 the scanner, $7 the ref, $8 the commit, $9 whether the
 * scan is complete. The details of a source come from the ref that its finding is shown
 * with: others may be outdated. New rows are inserted and known ones updated, because each ON CONFLICT costs a lookup and a
 * lock; the lock of the findings excludes other writers. `work` has no details: with them, it would be written to a file.
 */
export const writeResultsSql = `
  with work as materialized (
    select r.position, r.key, r.base_key, r.occurrence, r.moved_key, r.path_rule_key, r.digest, r.rule_id, r.rule_name, r.severity,
      r.category, r.cwes, r.codes, r.package, r.state, r.suppressed, r.path, r.line, r.end_line, coalesce(r.commit_sha, $8) as commit_sha,
      r.scanner_reference, r.text_id, r.severity_known, least(r.discovered_at, now()) as first_seen, w.finding, w.reason, w.explanation,
      t.id as title_id, f.id is null or f.ref = $7 as tells, i.fingerprint is not null as is_known,
      case when r.state = 'fixed' or not $9::boolean then $2::uuid end as last_scan,
      case when r.state = 'fixed' then $2::uuid end as fixed_scan, case when r.state = 'fixed' then now() end as fixed_at
    from json_to_recordset($5::json) as w(position int, finding uuid, reason text, explanation text)
    join scan_result r on r.org_id = $1 and r.scan_id = $2 and r.position = w.position
    join finding_title t on t.org_id = $1 and md5(t.title) = md5(r.title)
    left join finding f on f.org_id = $1 and f.id = w.finding and f.repository_id = $3
    left join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.fingerprint = r.key
  ),
  new_sources as (
    insert into finding_source (org_id, repository_id, fingerprint, base_key, occurrence, moved_key, path_rule_key, finding_id, tool,
      rule_id, rule_name, title_id, severity, category, cwes, codes, package, reason, explanation, is_split, first_seen, severity_known)
    select $1, $3, key, coalesce(base_key, key), occurrence, moved_key, path_rule_key, finding, $6, rule_id, rule_name, title_id, severity,
      category, cwes, codes, package, reason, explanation,
      -- A split source stays separate after a rename too. The subquery makes one index lookup per row; EXISTS may be
      -- evaluated for all sources.
      coalesce(case when reason = 'moved' then (
        select true from finding_source o where o.org_id = $1 and o.finding_id = finding and o.is_split limit 1) end, false), now(), severity_known
    from work where reason is not null
  ),
  -- A known source keeps its reason.
  known_sources as (
    update finding_source s set rule_name = w.rule_name, title_id = w.title_id, severity = w.severity, category = w.category, cwes = w.cwes,
      codes = w.codes, package = w.package, severity_known = w.severity_known
    from work w where w.reason is null and w.tells and s.org_id = $1 and s.repository_id = $3 and s.fingerprint = w.key
      and (s.rule_name, s.title_id, s.severity, s.severity_known, s.category, s.cwes, s.codes, s.package) is distinct from
        (w.rule_name, w.title_id, w.severity, w.severity_known, w.category, w.cwes, w.codes, w.package)
  ),
  new_details as (
    insert into finding_detail (org_id, repository_id, fingerprint, text_id, detail)
    select $1, $3, w.key, w.text_id, r.detail from work w
    join scan_result r on r.org_id = $1 and r.scan_id = $2 and r.position = w.position where w.reason is not null
  ),
  known_details as (
    update finding_detail d set text_id = w.text_id, detail = r.detail from work w
    join scan_result r on r.org_id = $1 and r.scan_id = $2 and r.position = w.position
    where w.reason is null and w.tells and d.org_id = $1 and d.repository_id = $3 and d.fingerprint = w.key
  ),
  new_instances as (
    insert into finding_instance (org_id, repository_id, analysis, fingerprint, finding_id, ref, state, suppressed, path, line,
      end_line, commit_sha, scanner_reference, digest, first_scan, last_scan, fixed_scan, first_seen, fixed_at)
    select $1, $3, $4, key, finding, $7, state, suppressed, path, line, end_line, commit_sha, scanner_reference, digest, $2, last_scan,
      fixed_scan, first_seen, fixed_at
    from work where not is_known
  )
  update finding_instance i set finding_id = w.finding, state = w.state, suppressed = w.suppressed, path = w.path, line = w.line,
    end_line = w.end_line, commit_sha = w.commit_sha, scanner_reference = w.scanner_reference, digest = w.digest, last_scan = w.last_scan,
    first_seen = least(i.first_seen, w.first_seen),
    fixed_scan = case when w.state = 'fixed' then coalesce(i.fixed_scan, w.fixed_scan) end,
    fixed_at = case when w.state = 'fixed' then coalesce(i.fixed_at, w.fixed_at) end
  from work w where w.is_known and i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.fingerprint = w.key`;
