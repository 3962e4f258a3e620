import type { Tx } from '#database/database.ts';
import { countAttempts } from './attempts.ts';
import { RateLimited } from './errors.ts';
import { type Cost, costLimits, limitOf } from './limits.ts';
import type { Services } from './services.ts';

/** Counts one more piece of expensive work of an organization in the transaction that asks for it. Throws 429 over the limit. */
export async function spend({ config }: Pick<Services, 'config'>, tx: Tx, cost: Cost, orgId: string): Promise<void> {
  const limit = limitOf(costLimits[cost], config.RATE_LIMITS);
  const wait = await countAttempts(tx, [[limit, orgId]]);
  if (wait > 0) throw RateLimited({ ...limit, remaining: 0, resetSeconds: wait });
}
