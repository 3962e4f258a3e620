import { movedToOf } from '#database/database.ts';
import type { JobName } from './jobs.ts';
import type { Services } from './services.ts';

interface OrganizationJob {
  job: JobName;
  /** An SQL query that lists the organizations as `id`. */
  organizations: string;
  values?: readonly unknown[];
}

/**
 * Runs a job for each organization that its query lists. A failure is logged and counted under /metrics, and the other
 * organizations are processed regardless. Afterwards the job fails, so that it is retried. Organizations that moved to
 * another installation are omitted.
 */
export async function forEachOrganization(
  { database, log, metrics }: Services,
  { job, organizations, values = [] }: OrganizationJob,
  work: (orgId: string) => Promise<unknown>,
): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(organizations, [...values]);
  let failed = 0;
  let cause: unknown;
  for (const { id: orgId } of rows) {
    try {
      await work(orgId);
    } catch (error) {
      // Its work continues where it moved to.
      if (movedToOf(error) !== undefined) continue;
      failed += 1;
      cause = error;
      metrics.organizationJobFailures.inc({ queue: job });
      log.warn({ job, orgId, err: error }, 'job failed for an organization');
    }
  }
  if (failed > 0) throw new Error(`${job} failed for ${failed} of ${rows.length} organizations`, { cause });
}
