import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockFindings, withJoinPlan } from '../findings/status.ts';

/** A finding whose origin was not searched yet. */
export interface PendingOrigin {
  id: string;
  path: string;
  line: number | null;
  endLine: number | null;
  commit: string | null;
  /** When a scanner first reported the finding. */
  seenAt: Date;
  scanner: string;
}

export type IntroducedBy = NonNullable<Finding['introducedBy']>;

/** Highest severity first. */
export const listPendingOrigins = (
  tx: Tx,
  orgId: string,
  repositoryId: string,
  limit: number,
): Promise<PendingOrigin[]> =>
  tx.query<PendingOrigin & Record<string, unknown>>({
    name: 'origins.pending',
    text: `select f.id, f.path, f.line, f.end_line as "endLine", f.commit_sha as commit, f.discovered_at as "seenAt",
             coalesce(t.name, f.data_source) as scanner
           from finding f left join finding_tool t on t.org_id = $1 and t.tool = f.data_source
           where f.org_id = $1 and f.repository_id = $2 and f.introduced is null and f.origin_sought_at is null
             and f.path is not null
           order by f.severity, f.discovered_at, f.id limit $3`,
    values: [orgId, repositoryId, limit],
  });

export interface OriginSearchResult {
  id: string;
  /** Null if no origin was found. */
  origin: IntroducedBy | null;
}

/** Stores the origins of findings and marks them as searched. */
export async function storeOrigins(
  services: Services,
  orgId: string,
  repositoryId: string,
  sought: readonly OriginSearchResult[],
): Promise<void> {
  if (sought.length === 0) return;
  await services.database.withOrg(orgId, async (tx) => {
    // A scan that is being completed writes the same rows.
    await lockFindings(tx, orgId, [repositoryId]);
    await withJoinPlan(tx, sought.length, () =>
      tx.query({
        name: '',
        text: `update finding f set introduced = x.origin, origin_sought_at = now()
               from jsonb_to_recordset($3::jsonb) as x(id uuid, origin jsonb)
               where f.org_id = $1 and f.repository_id = $2 and f.id = x.id and f.introduced is null`,
        values: [orgId, repositoryId, JSON.stringify(sought).replaceAll('\\u0000', '\\ufffd')],
      }),
    );
    if (sought.some(({ origin }) => origin !== null)) {
      tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgFindings', { repositoryId }));
    }
  });
}
