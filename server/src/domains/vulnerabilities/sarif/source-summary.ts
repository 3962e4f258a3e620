import type { ScanSource } from '@sightline/contract/core/scan-sources.ts';
import type { Tx } from '#database/database.ts';

export interface SourceSummary {
  /** Number of enabled repositories with a scan of the source. */
  repositories: number;
  /** Number of those repositories whose newest scan failed. */
  failed: number;
  lastAt: Date | null;
}

/** Summarizes the newest scan of every enabled repository from one source. */
export async function summarizeSource(tx: Tx, orgId: string, source: ScanSource): Promise<SourceSummary> {
  const [row] = await tx.query<{ repositories: number; failed: number; last_at: Date | null }>({
    name: 'integrations.scanned',
    text: `select count(*)::int as repositories, count(*) filter (where s.state = 'failed')::int as failed,
                  max(s.finished_at) as last_at
           from repository r cross join lateral (
             select state, finished_at from scan s
             where s.org_id = r.org_id and s.source = $2 and s.repository_id = r.id
             order by s.received_at desc, s.id desc limit 1) s
           where r.org_id = $1 and r.tracked`,
    values: [orgId, source],
  });
  return { repositories: row?.repositories ?? 0, failed: row?.failed ?? 0, lastAt: row?.last_at ?? null };
}
