import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** `ids`: only these tickets, by the ID of the tracker. */
    'trackers.sync': { orgId: string; tracker: TrackerName; ids?: string[] };
    'trackers.queue-syncs': Record<string, never>;
  }
}

/** Queues a sync with a tracker, of all known tickets or of some, now or at the end of a rate limit. */
export async function queueTrackerSync(
  { jobs, realtime }: Pick<Services, 'jobs' | 'realtime'>,
  tx: Tx,
  orgId: string,
  { tracker, ids, at }: { tracker: TrackerName; ids?: readonly string[]; at?: Date | undefined },
): Promise<void> {
  await jobs.enqueue(
    tx,
    'trackers.sync',
    { orgId, tracker, ...(ids && { ids: [...ids] }) },
    { key: `${orgId} ${tracker} ${ids?.join(' ') ?? ''}${at ? ' later' : ''}`, ...(at && { startAfter: at }) },
  );
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: tracker }));
}
