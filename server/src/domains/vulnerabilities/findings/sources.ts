import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

type FindingSource = FindingDetail['sources'][number];
type SourceInstance = FindingSource['instances'][number];

interface SourceRow {
  id: string;
  tool: string;
  rule_id: string;
  rule_name: string | null;
  reason: FindingSource['reason'];
  explanation: string;
  ref: string | null;
  state: SourceInstance['state'];
  path: string | null;
  line: number | null;
  commit_sha: string | null;
  first_seen: Date;
  last_seen: Date;
  fixed_at: Date | null;
  url: string | null;
}

// Limit of instances per finding.
const MAX_INSTANCES = 1000;

/** Returns the sources of a finding, the first one first, with the instances of each. */
export async function listFindingSources(
  tx: Tx,
  orgId: string,
  findingId: string,
  names: ReadonlyMap<string, string>,
): Promise<FindingSource[]> {
  const { rows } = await sql<SourceRow>`
    select s.fingerprint as id, s.tool, s.rule_id, s.rule_name, s.reason, s.explanation, i.ref, i.state, i.path, i.line,
      i.commit_sha, i.first_seen, i.fixed_at, replace(i.scanner_reference->>'url', '{scan}', coalesce(latest.external_id, '')) as url,
      coalesce(seen.received_at, case when i.state <> 'fixed' then a.last_seen end, i.fixed_at, i.first_seen) as last_seen
    from finding_source s
    left join finding_instance i on i.org_id = s.org_id and i.finding_id = s.finding_id and i.fingerprint = s.fingerprint
    left join analysis a on a.org_id = i.org_id and a.repository_id = i.repository_id and a.key = i.analysis
    left join scan latest on latest.org_id = i.org_id and latest.id = coalesce(i.last_scan, a.last_scan, i.first_scan)
    left join scan seen on seen.org_id = i.org_id and seen.id = i.last_scan
    where s.org_id = ${orgId} and s.finding_id = ${findingId}::uuid
    order by s.first_seen, s.tool, s.fingerprint, i.state = 'fixed', i.first_seen, i.analysis limit ${MAX_INSTANCES}`.execute(
    tx.db,
  );
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const tool = { id: first.tool, name: names.get(first.tool) ?? first.tool };
    return {
      id: first.id,
      tool,
      ruleId: first.rule_id,
      ruleName: first.rule_name,
      reason: first.reason,
      explanation: first.explanation,
      instances: same.flatMap((row) => instanceOf(row, tool)),
    };
  });
}

function instanceOf(row: SourceRow, tool: FindingSource['tool']): SourceInstance[] {
  if (row.ref === null) return [];
  return [
    {
      ref: row.ref,
      tool,
      state: row.state,
      filePath: row.path,
      line: row.line,
      commit: row.commit_sha,
      firstSeen: row.first_seen.toISOString(),
      lastSeen: row.last_seen.toISOString(),
      fixedAt: row.fixed_at?.toISOString() ?? null,
      url: row.url,
    },
  ];
}
