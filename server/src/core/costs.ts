import type { FastifyReply } from 'fastify';
import type { Tx } from '#database/database.ts';
import { countAttempts } from './attempts.ts';
import { RateLimited, TooManyRunning } from './errors.ts';
import { type Cost, costLimits, effectiveLimitOf, maxConcurrentOf } from './limits.ts';
import type { Services } from './services.ts';

type WithConfig = Pick<Services, 'config'>;

/**
 * Counts one more expensive operation of an organization in the transaction that requests it. Throws 429 over the
 * limit.
 */
export async function countCost({ config }: WithConfig, tx: Tx, cost: Cost, orgId: string): Promise<void> {
  const limit = effectiveLimitOf(costLimits[cost], config.RATE_LIMITS);
  const wait = await countAttempts(tx, [[limit, orgId]]);
  if (wait > 0) {
    const { name, most, windowSeconds, per } = limit;
    throw RateLimited({ name, most, windowSeconds, per, remaining: 0, resetSeconds: wait });
  }
}

/** Throws 429 if the maximum number of these operations is already running or queued. */
export function requireCostCapacity({ config }: WithConfig, cost: Cost, running: number): void {
  if (running >= maxConcurrentOf(costLimits[cost], config.RATE_LIMITS))
    throw TooManyRunning(costLimits[cost].name, running);
}

const runningByDatabase = new WeakMap<Services['database'], Map<string, number>>();

/** Limits operations that last as long as their response. They are counted in this process. */
export function limitConcurrentResponses(services: Services, reply: FastifyReply, cost: Cost, orgId: string): void {
  const counts = runningByDatabase.get(services.database) ?? new Map<string, number>();
  runningByDatabase.set(services.database, counts);
  const key = `${cost} ${orgId}`;
  const running = counts.get(key) ?? 0;
  requireCostCapacity(services, cost, running);
  counts.set(key, running + 1);
  reply.raw.once('close', () => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  });
}
