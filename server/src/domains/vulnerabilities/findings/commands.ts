import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockFindings, recomputeFindings } from './status.ts';

/**
 * Retires a ref whose branch was deleted or whose pull request was closed: its open instances become fixed. Findings
 * without other instances are then fixed too. A later scan of the ref opens them again. Never retires the default
 * branch. Returns the number of retired instances.
 */
export async function retireRef(
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, ref }: { repositoryId: string; ref: string },
): Promise<number> {
  await lockFindings(tx, orgId, [repositoryId]);
  const retired = await tx.query<{ finding: string }>({
    name: 'findings.retire',
    text: `with gone as (
             select a.key, a.last_scan from analysis a join repository r on r.org_id = $1 and r.id = a.repository_id
             where a.org_id = $1 and a.repository_id = $2 and a.ref = $3 and a.ref <> 'refs/heads/' || r.default_branch
           ), ended as (
             update finding_instance i
             set state = 'fixed', fixed_scan = null, fixed_at = now(), last_scan = coalesce(i.last_scan, gone.last_scan)
             from gone
             where i.org_id = $1 and i.repository_id = $2 and i.analysis = gone.key and i.state <> 'fixed'
             returning i.finding_id
           ), forgotten as (
             update analysis a set last_scan = null from gone where a.org_id = $1 and a.repository_id = $2 and a.key = gone.key
           )
           select finding_id as finding from ended`,
    values: [orgId, repositoryId, ref],
  });
  if (retired.length === 0) return 0;
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: { integration: 'github' },
    entry: {
      action: 'repository.ref_retired',
      subject: { kind: 'repository', id: repositoryId },
      data: { ref, results: retired.length },
    },
  });
  await recomputeFindings(tx, orgId, [...new Set(retired.map(({ finding }) => finding))]);
  tx.afterCommit(() => {
    services.realtime.notifyOrganization(orgId, 'orgFindings', { repositoryId });
    services.realtime.notifyOrganization(orgId, 'orgRepos', { repositoryId });
  });
  return retired.length;
}
