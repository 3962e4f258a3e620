import { z } from 'zod';
import { isArchived } from '#core/archived.ts';
import { requireClocksThen } from '#core/clocks.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { runWithReserve } from '#providers/host-budget.ts';
import { handleDelivery } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import {
  type DeferredDelivery,
  deferDeliveries,
  finishDeliveries,
  nextDeferred,
  type ProcessedDelivery,
  pendingDeliveries,
} from './queue.ts';
import { deleteOldBodies } from './retention.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'webhook.work': { orgId: string };
    'webhook.forget': Record<string, never>;
  }
}

export const webhookJobs = (services: Services): JobDefinition[] => [
  {
    name: 'webhook.work',
    handle: (data) => processDeliveries(services, (data as JobData['webhook.work']).orgId),
    concurrency: 2,
  },
  {
    name: 'webhook.forget',
    handle: requireClocksThen(services, deleteOldBodies),
    cron: '23 3 * * *',
    expireMinutes: 120,
  },
];

const MAX_ATTEMPTS = 3;
// After this time another job continues, so that other organizations progress and the server can stop.
const RUN_MS = 5_000;
// An arbitrary number; the key of the lock is this and the hash of the organization.
const LOCK_ID = 7_318_202;

/** Processes the open deliveries of an organization in order of arrival. A lock admits one process at a time. */
async function processDeliveries(services: Services, orgId: string): Promise<void> {
  const { database } = services;
  const later = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ is_locked: boolean }>({
      name: 'webhooks.lock',
      text: 'select pg_try_advisory_xact_lock($1, hashtext($2)) as is_locked',
      values: [LOCK_ID, orgId],
    });
    // The process with the lock may have read the queue for the last time.
    return row?.is_locked ? processBatches(services, orgId) : new Date(Date.now() + 1_000);
  });
  if (!later) return;
  // A separate key per minute, so that jobs that are due earlier do not wait behind later ones.
  const key = `${orgId} ${Math.floor(later.getTime() / 60_000)}`;
  await database.withOrg(orgId, (tx) =>
    services.jobs.enqueue(tx, 'webhook.work', { orgId }, { key, startAfter: later }),
  );
}

/** Returns when to continue; undefined if nothing is left. */
async function processBatches(services: Services, orgId: string): Promise<Date | undefined> {
  const started = performance.now();
  for (;;) {
    // Deliveries of an archived organization remain. Restoring it queues their processing.
    const { deliveries, next } = await services.database.withOrg(orgId, async (tx) => {
      const pending = (await isArchived(tx, orgId)) ? undefined : await pendingDeliveries(tx, orgId);
      // Searches all that are left, so only after the last.
      return { deliveries: pending ?? [], next: pending?.length === 0 ? await nextDeferred(tx, orgId) : undefined };
    });
    if (deliveries.length === 0) return next;
    if (await processBatch(services, orgId, deliveries)) return undefined;
    if (services.jobs.stopping.aborted || performance.now() - started > RUN_MS) return new Date();
  }
}

/**
 * Processes deliveries in order and marks them together, which is cheaper than one update each; after a crash they are
 * processed again. Defers only those whose host is rate limited. Returns whether the organization was archived in the
 * meantime, so that the others remain open.
 */
async function processBatch(services: Services, orgId: string, deliveries: readonly Delivery[]): Promise<boolean> {
  const finished: ProcessedDelivery[] = [];
  const deferred: DeferredDelivery[] = [];
  const hookIds: string[] = [];
  let isArchivedNow = false;
  for (const delivery of deliveries) {
    const { provider, id, hookId, isIrrelevant } = delivery;
    const result = isIrrelevant ? { error: null } : await processDelivery(services, orgId, delivery);
    if ('until' in result) deferred.push({ provider, id, until: result.until });
    else if ('error' in result) {
      finished.push({ provider, id, at: new Date(), error: result.error });
      if (hookId !== null) hookIds.push(hookId);
    } else isArchivedNow = true;
    if (isArchivedNow || services.jobs.stopping.aborted) break;
  }
  await services.database.withOrg(orgId, async (tx) => {
    if (finished.length > 0) await finishDeliveries(tx, orgId, finished, hookIds);
    if (deferred.length > 0) await deferDeliveries(tx, orgId, deferred);
  });
  return isArchivedNow;
}

async function processDelivery(
  services: Services,
  orgId: string,
  delivery: Delivery,
): Promise<Pick<ProcessedDelivery, 'error'> | Pick<DeferredDelivery, 'until'> | { isArchived: true }> {
  let failure: unknown;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      await runWithReserve(() => handleDelivery(services, orgId, delivery, attempt === MAX_ATTEMPTS));
      return { error: null };
    } catch (error) {
      if (error instanceof HostLimited) return { until: error.until };
      if (await services.database.withOrg(orgId, (tx) => isArchived(tx, orgId))) return { isArchived: true };
      failure = error;
    }
  }
  const { id, event } = delivery;
  services.log.error({ orgId, delivery: id, event, err: failure }, 'webhook could not be processed');
  return { error: messageOf(failure) };
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
