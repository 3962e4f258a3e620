import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import type { TrackerProject } from '#providers/tracker.ts';
import { maybeProblem } from './problems.ts';
import { queueTrackerSync } from './queue.ts';
import { maybeTrackerRow } from './row.ts';
import { trackerAvailable } from './topics.ts';

/** Shows a failed request on the card. After a rate limit, a sync continues. */
export const recordTrackerProblem = (
  services: Services,
  orgId: string,
  tracker: TrackerName,
  error: unknown,
): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    const problem = maybeProblem(error);
    const limitedUntil = error instanceof HostLimited ? error.until : null;
    await tx.db
      .updateTable('tracker')
      .set(
        limitedUntil
          ? { limited_until: limitedUntil }
          : {
              status: 'error',
              problem: JSON.stringify({
                code: problem?.code ?? 'failed',
                message: problem?.message ?? 'Reading failed unexpectedly. The log of the server has the reason.',
              }),
            },
      )
      .where('org_id', '=', orgId)
      .where('name', '=', tracker)
      .where('status', '<>', 'inactive')
      .execute();
    if (limitedUntil) await queueTrackerSync(services, tx, orgId, { tracker, at: limitedUntil });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: tracker }));
  });

/** Records a sync that worked. If the tracker did not answer before, what waits for it is queued. */
export const recordTrackerSuccess = (
  services: Services,
  orgId: string,
  tracker: TrackerName,
  { projects, isWhole }: { projects?: readonly TrackerProject[] | undefined; isWhole: boolean },
): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    const row = await maybeTrackerRow(tx, orgId, tracker, true);
    if (!row || row.status === 'inactive') return;
    const wasBroken = row.problem !== null || row.limited_until !== null;
    await tx.db
      .updateTable('tracker')
      .set({
        status: 'active',
        problem: null,
        limited_until: null,
        checked_at: sql<Date>`now()`,
        ...(isWhole && { last_sync_at: sql<Date>`now()` }),
        ...(projects && { projects: JSON.stringify(projects) }),
      })
      .where('org_id', '=', orgId)
      .where('name', '=', tracker)
      .execute();
    if (wasBroken) await services.topics.publish({ services, tx, orgId }, trackerAvailable, { tracker });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: tracker }));
  });
