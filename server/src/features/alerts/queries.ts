import type { ScanSource } from '@sightline/contract/scans.ts';
import type { Tx } from '#database/database.ts';

interface AnalysisName {
  repositoryId: string;
  source: ScanSource;
  /** The key of the scanner. */
  tool: string;
  ref: string;
}

/** Whether the last thing that came in of an analysis was this whole listing: then taking it in again changes nothing. */
export async function isSame(
  tx: Tx,
  orgId: string,
  { repositoryId, source, tool, ref }: AnalysisName,
  nativeId: string,
): Promise<boolean> {
  const [row] = await tx.query<{ same: boolean }>({
    name: 'alerts.same',
    text: `select s.native_id = $6 and s.complete and s.state = 'done' and a.last_scan = s.id as same
           from scan s
           join analysis a on a.org_id = $1 and a.repository_id = $2 and a.key = s.analysis
           where s.org_id = $1 and s.repository_id = $2 and s.source = $3 and s.tool = $4 and s.ref = $5
           order by s.received_at desc, s.id desc limit 1`,
    values: [orgId, repositoryId, source, tool, ref, nativeId],
  });
  return row?.same ?? false;
}

export interface KnownTool {
  key: string;
  name: string;
}

/** The scanners that have said something on a ref before. */
export const analysesOn = (
  tx: Tx,
  orgId: string,
  repositoryId: string,
  source: ScanSource,
  ref: string,
): Promise<KnownTool[]> =>
  tx.query<KnownTool & Record<string, unknown>>({
    name: 'alerts.tools',
    text: `select distinct a.tool as key, coalesce(t.name, a.tool) as name
           from analysis a left join finding_tool t on t.org_id = $1 and t.tool = a.tool
           where a.org_id = $1 and a.repository_id = $2 and a.source = $3 and a.ref = $4
           order by 1`,
    values: [orgId, repositoryId, source, ref],
  });
