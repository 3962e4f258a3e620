import { z } from 'zod';
import { isArchived } from '#core/archived.ts';
import { deletingByAge } from '#core/clocks.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { usingReserve } from '#providers/host-budget.ts';
import { handleDelivery } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import { passedOver } from './passed-over.ts';
import {
  type Deferred,
  deferDeliveries,
  finishDeliveries,
  nextDeferred,
  openDeliveries,
  type ProcessedDelivery,
} from './queue.ts';
import { forgetBodies } from './retention.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'webhook.work': { orgId: string };
    'webhook.forget': Record<string, never>;
  }
}

export const webhookJobs = (services: Services): JobDefinition[] => [
  {
    name: 'webhook.work',
    handle: (data) => workOff(services, (data as JobData['webhook.work']).orgId),
    concurrency: 2,
  },
  { name: 'webhook.forget', handle: deletingByAge(services, forgetBodies), cron: '23 3 * * *', expireMinutes: 120 },
];

const tries = 3;
// Then another job goes on, so that other organizations have their turn and a server that stops need not wait.
const turn = 5_000;
// Any number; the organization follows it in the key of the lock.
const lock = 7_318_202;

/** Works the open deliveries of an organization off, in the order they came. One process at a time does it. */
async function workOff(services: Services, orgId: string): Promise<void> {
  const { database } = services;
  const later = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'webhooks.lock',
      text: 'select pg_try_advisory_xact_lock($1, hashtext($2)) as mine',
      values: [lock, orgId],
    });
    // Whoever has it may have looked for the last time already.
    return row?.mine ? workInTurn(services, orgId) : new Date(Date.now() + 1_000);
  });
  if (!later) return;
  // Another key than that of what is due at once, and one for each minute: neither must wait behind what is due later.
  const key = `${orgId} ${Math.floor(later.getTime() / 60_000)}`;
  await database.withOrg(orgId, (tx) =>
    services.jobs.enqueue(tx, 'webhook.work', { orgId }, { key, startAfter: later }),
  );
}

/** Answers when to go on, or undefined once nothing is left. */
async function workInTurn(services: Services, orgId: string): Promise<Date | undefined> {
  const started = performance.now();
  for (;;) {
    // Of an archived organization they are kept: restoring it rings for them.
    const { deliveries, next } = await services.database.withOrg(orgId, async (tx) =>
      (await isArchived(tx, orgId))
        ? { deliveries: [], next: undefined }
        : { deliveries: await openDeliveries(tx, orgId), next: await nextDeferred(tx, orgId) },
    );
    if (deliveries.length === 0) return next;
    if (await workThrough(services, orgId, deliveries)) return undefined;
    if (services.jobs.stopping.aborted || performance.now() - started > turn) return new Date();
  }
}

/**
 * Works deliveries off in their order and marks them together, since marking each by itself costs more than most of them
 * do; after a crash in between they are worked off again. Those that need a host whose rate limit is exhausted wait for it, and
 * no others. Answers whether to stop since the organization was archived meanwhile; then the rest stays open.
 */
async function workThrough(services: Services, orgId: string, deliveries: readonly Delivery[]): Promise<boolean> {
  const finished: ProcessedDelivery[] = [];
  const deferred: Deferred[] = [];
  const heard: string[] = [];
  let isArchivedNow = false;
  const idle = await passedOver(services.database, orgId, deliveries);
  for (const delivery of deliveries) {
    const { provider, id, hookId } = delivery;
    const result = idle.has(id) ? { error: null } : await work(services, orgId, delivery);
    if ('until' in result) deferred.push({ provider, id, until: result.until });
    else if ('error' in result) {
      finished.push({ provider, id, at: new Date(), error: result.error });
      if (hookId !== null) heard.push(hookId);
    } else isArchivedNow = true;
    if (isArchivedNow || services.jobs.stopping.aborted) break;
  }
  await services.database.withOrg(orgId, async (tx) => {
    if (finished.length > 0) await finishDeliveries(tx, orgId, finished, heard);
    if (deferred.length > 0) await deferDeliveries(tx, orgId, deferred);
  });
  return isArchivedNow;
}

async function work(
  services: Services,
  orgId: string,
  delivery: Delivery,
): Promise<Pick<ProcessedDelivery, 'error'> | Pick<Deferred, 'until'> | { isArchived: true }> {
  let failure: unknown;
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    try {
      await usingReserve(() => handleDelivery(services, orgId, delivery, attempt === tries));
      return { error: null };
    } catch (error) {
      if (error instanceof HostLimited) return { until: error.until };
      if (await services.database.withOrg(orgId, (tx) => isArchived(tx, orgId))) return { isArchived: true };
      failure = error;
    }
  }
  const { id, event } = delivery;
  services.log.error({ orgId, delivery: id, event, err: failure }, 'webhook could not be used');
  return { error: wordsOf(failure) };
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
