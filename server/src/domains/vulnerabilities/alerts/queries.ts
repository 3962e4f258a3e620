import type { ScanSource } from '@sightline/contract/core/scan-sources.ts';
import type { AlertImport, AlertSource } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import type { Tx } from '#database/database.ts';

/** Returns the result of the last import of each alert source of a repository. */
export async function listAlertReadingsOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  sources: readonly AlertSource[],
): Promise<AlertImport[]> {
  const rows = await tx.db
    .selectFrom('alert_reading')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .select(['source', 'state', 'message', 'alerts', 'read_at'])
    .execute();
  const known = new Map(rows.map((row) => [row.source, row]));
  return sources.map((source) => {
    const row = known.get(source);
    if (!row) return { source, state: 'waiting', message: null, alerts: 0, readAt: null };
    const { message, alerts, read_at } = row;
    return { source, state: row.state as AlertImport['state'], message, alerts, readAt: read_at.toISOString() };
  });
}

/**
 * Counts enabled repositories by the result of the last import of an alert source, with the time of the latest import.
 */
export async function countAlertReadings(
  tx: Tx,
  orgId: string,
  source: AlertSource,
): Promise<Record<'read' | 'off' | 'forbidden' | 'failed', number> & { lastAt: Date | null }> {
  const [row] = await tx.query<{ read: number; off: number; forbidden: number; failed: number; lastAt: Date | null }>({
    name: 'alerts.readings',
    text: `select count(*) filter (where a.state = 'read')::int as read, count(*) filter (where a.state = 'off')::int as off,
             count(*) filter (where a.state = 'forbidden')::int as forbidden,
             count(*) filter (where a.state = 'failed')::int as failed, max(a.read_at) as "lastAt"
           from repository r
           join alert_reading a on a.org_id = $1 and a.repository_id = r.id and a.source = $2
           where r.org_id = $1 and r.tracked`,
    values: [orgId, source],
  });
  return row ?? { read: 0, off: 0, forbidden: 0, failed: 0, lastAt: null };
}

interface AnalysisName {
  repositoryId: string;
  source: ScanSource;
  /** The key of the scanner. */
  tool: string;
  ref: string;
}

/**
 * Whether the last scan of an analysis imported the same complete list of alerts, so that another import changes
 * nothing.
 */
export async function isAlreadyImported(
  tx: Tx,
  orgId: string,
  { repositoryId, source, tool, ref }: AnalysisName,
  nativeId: string,
): Promise<boolean> {
  const [row] = await tx.query<{ same: boolean }>({
    name: 'alerts.same',
    text: `select s.external_id = $6 and s.complete and s.state = 'done' and a.last_scan = s.id as same
           from scan s
           join analysis a on a.org_id = $1 and a.repository_id = $2 and a.key = s.analysis
           where s.org_id = $1 and s.repository_id = $2 and s.source = $3 and s.tool = $4 and s.ref = $5
           order by s.received_at desc, s.id desc limit 1`,
    values: [orgId, repositoryId, source, tool, ref, nativeId],
  });
  return row?.same ?? false;
}

export interface AnalysisTool {
  key: string;
  name: string;
}

/** Returns the scanners with earlier results on a ref. */
export const listToolsOnRef = (
  tx: Tx,
  orgId: string,
  { repositoryId, source, ref }: { repositoryId: string; source: ScanSource; ref: string },
): Promise<AnalysisTool[]> =>
  tx.query<AnalysisTool & Record<string, unknown>>({
    name: 'alerts.tools',
    text: `select distinct a.tool as key, coalesce(t.name, a.tool) as name
           from analysis a left join finding_tool t on t.org_id = $1 and t.tool = a.tool
           where a.org_id = $1 and a.repository_id = $2 and a.source = $3 and a.ref = $4
           order by 1`,
    values: [orgId, repositoryId, source, ref],
  });
