import type { Tx } from '#database/database.ts';
import type { StagedScan } from './staged-scan.ts';

/** The finding of another scanner that a result belongs to. */
export interface MatchingFinding {
  findingId: string;
  explanation: string;
}

interface Candidate {
  position: number;
  findingId: string;
  ruleId: string;
  path: string | null;
  line: number | null;
  otherTool: string;
  otherRule: string;
  otherPath: string | null;
  otherLine: number | null;
  cwe: number | null;
  advisory: string | null;
  package: string | null;
}

/** Maximum distance in lines between the results of two scanners for the same weakness. */
const MAX_LINE_DISTANCE = 2;

/**
 * Assigns unmatched results to findings of other scanners at the same location. They need a common CWE within a few
 * lines, the same rule of the same scanner from another source, or the same advisory for the same package. A finding
 * gets at most one result of a scan, the nearest.
 */
export async function matchSameLocations(
  tx: Tx,
  scan: StagedScan,
  results: readonly { position: number }[],
): Promise<Map<number, MatchingFinding>> {
  if (results.length === 0) return new Map();
  const { orgId, id, repositoryId, analysis, source, tool, ref } = scan;
  const candidates = await tx.query<Candidate>({
    name: '',
    text: candidatesSql,
    values: [orgId, id, repositoryId, analysis, results.map(({ position }) => position), source, tool, ref],
  });
  const usedFindings = new Set<string>();
  const matches = new Map<number, MatchingFinding>();
  for (const candidate of candidates) {
    const { position, findingId } = candidate;
    if (matches.has(position) || usedFindings.has(findingId)) continue;
    usedFindings.add(findingId);
    matches.set(position, { findingId, explanation: explain(scan, candidate) });
  }
  return matches;
}

function explain({ toolName }: StagedScan, candidate: Candidate): string {
  const one = `${toolName} ${candidate.ruleId}${locationText(candidate.path, candidate.line)}`;
  const other = `${candidate.otherTool} ${candidate.otherRule}${locationText(candidate.otherPath, candidate.otherLine)}`;
  if (candidate.advisory !== null)
    return `${other} and ${one} both report ${candidate.advisory} in ${candidate.package}.`;
  return candidate.cwe === null
    ? `${other} and ${one} are the same rule at the same location.`
    : `${other} and ${one} share CWE-${candidate.cwe}.`;
}

const locationText = (path: string | null, line: number | null) =>
  path === null ? '' : ` at ${path}${line === null ? '' : `:${line}`}`;

const candidatesSql = `
  with fresh as materialized (
    select r.* from scan_result r where r.org_id = $1 and r.scan_id = $2 and r.position = any($5::int[])
  ),
  candidate as (
    select r.position, r.key, r.rule_id as own_rule, r.path as own_path, r.line as own_line, r.package, i.finding_id, i.analysis,
      i.ref, i.path, i.line, s.tool, s.rule_id, null as advisory, abs(i.line - r.line) as away,
      case when s.tool <> $7 then (select min(c) from unnest(s.cwes) c where c = any(r.cwes)) end as cwe
    from fresh r
    join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.path = r.path and i.state <> 'fixed'
      and i.line between r.line - ${MAX_LINE_DISTANCE} and r.line + ${MAX_LINE_DISTANCE}
    join finding_source s on s.org_id = $1 and s.repository_id = $3 and s.fingerprint = i.fingerprint and not s.is_split
    where case when s.tool = $7 then s.rule_id = r.rule_id else s.cwes && r.cwes end
    union all
    select r.position, r.key, r.rule_id, r.path, r.line, r.package, i.finding_id, i.analysis,
      i.ref, i.path, i.line, s.tool, s.rule_id, shared.id, 0, null
    from fresh r
    join finding_source s on s.org_id = $1 and s.repository_id = $3 and s.package = r.package and not s.is_split
    join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.finding_id = s.finding_id
      and i.fingerprint = s.fingerprint and i.state <> 'fixed' and (i.path = r.path or r.path is null or i.path is null
        -- A finding may have a source without a file and one with a file; the file counts.
        and not exists (select from finding_instance o where o.org_id = $1 and o.repository_id = $3
          and o.finding_id = i.finding_id and o.state <> 'fixed' and o.path <> r.path))
    cross join lateral (
      select min(c->>'id') as id from jsonb_array_elements(s.codes) c
      where c->>'kind' in ('cve', 'ghsa') and exists (
        select from jsonb_array_elements(r.codes) o where o->>'kind' = c->>'kind' and upper(o->>'id') = upper(c->>'id'))
    ) shared
    where shared.id is not null
  )
  select c.position, c.finding_id as "findingId", c.own_rule as "ruleId", c.own_path as path, c.own_line as line,
    coalesce(t.name, c.tool) as "otherTool", c.rule_id as "otherRule", c.path as "otherPath", c.line as "otherLine", c.cwe,
    c.advisory, c.package
  from candidate c
  join analysis a on a.org_id = $1 and a.repository_id = $3 and a.key = c.analysis and (a.source, a.tool) <> ($6, $7)
  left join finding_tool t on t.org_id = $1 and t.tool = c.tool
  -- Findings that this analysis has instances of are no candidates.
  where not exists (
    select from finding_instance own where own.org_id = $1 and own.repository_id = $3 and own.analysis = $4
      and own.finding_id = c.finding_id and exists (select from scan_result seen where seen.org_id = $1 and seen.scan_id = $2 and seen.key = own.fingerprint))
  order by c.away, c.ref <> $8, c.own_path, c.own_line, c.finding_id, c.key`;
