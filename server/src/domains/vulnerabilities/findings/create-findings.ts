import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { StagedScan } from './staged-scan.ts';
import { appendStatesEntry, type SavedStates, saveFirstStates } from './states.ts';
import { bySeverity, countSteps, findingColumns, type StatusChanges, withSteps } from './status.ts';

export type CreatedChanges = Pick<StatusChanges, 'opened' | 'fresh'>;

/** A result that becomes a new finding. */
export interface CreatedFinding {
  key: string;
  finding: string;
}

/**
 * Creates findings of results that no other result or finding belongs to, with their sources, details, instances, counts and
 * states, as `recomputeFindings` would, but without reading what was just written. Locks the counts of the organization.
 */
export async function createFindings(
  tx: Tx,
  scan: StagedScan,
  created: readonly CreatedFinding[],
): Promise<CreatedChanges> {
  if (created.length === 0) return noChanges;
  const { orgId, id, repositoryId, analysis, tool, toolName, ref, commit, complete } = scan;
  const entryId = newId();
  const keys = created.map(({ key }) => key);
  const findings = created.map(({ finding }) => finding);
  const [row] = await tx.query<CreatedChanges & SavedStates>({
    name: '',
    text: createSql,
    values: [orgId, id, repositoryId, analysis, keys, findings, tool, toolName, ref, commit, complete, entryId],
  });
  const { opened, fresh, ...saved } = { ...noChanges, findings: 0, sha256: '', ...row };
  await appendStatesEntry(tx, orgId, entryId, saved);
  return { opened, fresh };
}

const noChanges: CreatedChanges = { opened: 0, fresh: [0, 0, 0, 0, 0] };

// $1 organization, $2 scan, $3 repository, $4 analysis, $5 keys of the results, $6 their findings, $7 scanner, $8 its name, $9 ref,
// $10 commit, $11 whether the scan is complete, $12 ledger entry of the states. Sources and instances are inserted in the order of
// their keys and findings in that of their IDs, because adjacent entries of indexes cost half as much as scattered ones. Results are
// looked up one by one: sorting or hashing them would copy their details.
const createSteps = {
  work: `materialized (
    select w.finding, t.id as title_id, r.*
    from (select * from unnest($5::uuid[], $6::uuid[]) as w(key, finding) order by finding) w
    cross join lateral (
      select key, coalesce(base_key, key) as base_key, occurrence, moved_key, path_rule_key, digest, rule_id, rule_name, title, severity,
        category, cwes, codes, package, state, suppressed, path, line, end_line, coalesce(commit_sha, $10) as commit_sha,
        scanner_reference, text_id, severity_known, least(discovered_at, now()) as first_seen,
        case when state = 'fixed' then now() end as fixed_at
      from scan_result where org_id = $1 and scan_id = $2 and key = w.key offset 0) r
    join finding_title t on t.org_id = $1 and md5(t.title) = md5(r.title))`,

  created: `not materialized (
    select $1::uuid as org_id, finding as id, $3::uuid as repository_id, title_id, severity, category, array[$7::text] as tools,
      $7::text as data_source, case state when 'open' then 'open' when 'fixed' then 'fixed' else 'dismissed' end as status,
      key as fingerprint, $9::text as ref, path, line, end_line, commit_sha, cwes, codes, first_seen as discovered_at, fixed_at,
      package as component, null::uuid as assignee_id, null::text as ticket_url
    from work)`,

  sources: `(
    insert into finding_source (org_id, repository_id, fingerprint, base_key, occurrence, moved_key, path_rule_key, finding_id, tool,
      rule_id, rule_name, title_id, severity, category, cwes, codes, package, reason, explanation, first_seen, severity_known)
    select $1, $3, key, base_key, occurrence, moved_key, path_rule_key, finding, $7, rule_id, rule_name, title_id, severity,
      category, cwes, codes, package, 'first', $8::text || ' ' || rule_id || ' was the first to report it'
        || coalesce(', at ' || path || coalesce(':' || line, ''), '') || '.', now(), severity_known
    from work order by key)`,

  details: `(
    insert into finding_detail (org_id, repository_id, fingerprint, text_id, detail)
    select $1, $3, w.key, w.text_id, r.detail
    from (select key, text_id from work order by key) w
    cross join lateral (select detail from scan_result where org_id = $1 and scan_id = $2 and key = w.key offset 0) r)`,

  instances: `(
    insert into finding_instance (org_id, repository_id, analysis, fingerprint, finding_id, ref, state, suppressed, path, line,
      end_line, commit_sha, scanner_reference, digest, first_scan, last_scan, fixed_scan, first_seen, fixed_at)
    select $1, $3, $4, key, finding, $9, state, suppressed, path, line, end_line, commit_sha, scanner_reference, digest, $2,
      case when state = 'fixed' or not $11::boolean then $2::uuid end, case when state = 'fixed' then $2::uuid end, first_seen, fixed_at
    from work order by key)`,

  inserted: `(
    insert into finding (org_id, id, ${findingColumns.join(', ')})
    select $1, id, ${findingColumns.join(', ')} from created)`,

  ...saveFirstStates('created', '$12::uuid'),

  moves: `materialized (
    select repository_id, title_id, status, severity, category, tools, count(*)::int as change from created
    group by repository_id, title_id, status, severity, category, tools)`,

  counted: countSteps.counted,
  daily: countSteps.daily,
};

const createSql = `${withSteps(createSteps)}
  select hashed.*, open.* from hashed,
    (select count(*)::int as opened, ${bySeverity} as fresh from created where status = 'open') open`;
