import { type SeverityCounts, severities } from '@sightline/contract/core/severities.ts';
import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

export type ScannerSummary = Pick<RepositoryListItem, 'scannerStatus' | 'severityCounts'>;

/** The summary of a repository without scans, which differs from one without findings. */
export const unscannedSummary: ScannerSummary = { scannerStatus: 'not_configured', severityCounts: null };

/** The open findings of repositories by severity, and whether their latest scans finished. */
export async function scannerSummariesOf(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, ScannerSummary>> {
  const rows = await tx.query<{ id: string; failed: boolean; done: boolean; counts: SeverityCounts | null }>({
    name: 'repositories.scanned',
    text: `select asked.id, coalesce(s.done, false) as done,
             coalesce(s.failed, false) or exists (
               select from scanner_project p join integration i on i.org_id = p.org_id and i.name = p.integration
               where p.org_id = $1 and p.repository_id = asked.id and p.removed_at is null and i.status = 'error'
             ) as failed,
             (select jsonb_object_agg(c.rank, c.count) from (
                select split_part(lane, chr(10), 1) as rank, sum(count)::int as count from finding_repository_count
                where org_id = $1 and repository_id = asked.id and status = 'open' group by 1) c) as counts
           from unnest($2::uuid[]) as asked(id) left join lateral (
             select bool_or(state = 'failed') as failed, bool_or(done_at is not null) as done
             from scan_latest where org_id = $1 and repository_id = asked.id
           ) s on true`,
    values: [orgId, ids],
  });
  return new Map(
    rows.map(({ id, failed, done, counts }) => [
      id,
      {
        scannerStatus: failed ? 'error' : done ? 'healthy' : 'not_configured',
        severityCounts: done ? countsOf(counts) : null,
      },
    ]),
  );
}

const countsOf = (byRank: Record<string, number> | null) =>
  Object.fromEntries(severities.map((name, rank) => [name, byRank?.[rank] ?? 0])) as SeverityCounts;

/** The numbers of open findings of each repository by severity, most severe first, for sorting. */
export const severityCountsSql = (orgId: string) => sql<{ id: string; worst: number[] }>`(
  select repository_id as id, array[${sql.join(
    severities.map(
      (_, rank) => sql`sum(case when split_part(lane, chr(10), 1) = ${String(rank)} then count else 0 end)`,
    ),
  )}] as worst
  from finding_repository_count where org_id = ${orgId} and status = 'open' group by repository_id)`;

/** The counts of a repository without open findings. */
export const zeroSeverityCountsSql = sql`array[0, 0, 0, 0, 0]::bigint[]`;
