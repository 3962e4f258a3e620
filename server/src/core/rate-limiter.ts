import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptLimit } from './attempts.ts';
import type { LimitState } from './errors.ts';
import { effectiveLimitOf, type LimitOverrides, type RequestLimit, requestLimits } from './limits.ts';
import type { RedisClients } from './redis.ts';

export interface LimitResult extends LimitState {
  exceeded: boolean;
}

/** Counts requests without database queries. */
export interface RateLimiter {
  count: (limit: RequestLimit, subject: string, points?: number) => Promise<LimitResult>;
  close: () => void;
}

/**
 * Counts in the memory of this process, or in Redis for all processes. While Redis is unavailable, each process counts
 * separately.
 */
export function createRateLimiter(
  { redis: clients, overrides }: { redis: RedisClients | undefined; overrides: LimitOverrides },
  onError: (error: Error) => void,
): RateLimiter {
  const redis = clients && connect(clients, onError);
  const limiterOf = ({ name, most, windowSeconds }: AttemptLimit): RateLimiterAbstract => {
    const options = { keyPrefix: `rate-limit:${name}`, points: most, duration: windowSeconds };
    const memory = new RateLimiterMemory(options);
    if (!redis) return memory;
    return new RateLimiterRedis({
      ...options,
      storeClient: redis,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      insuranceLimiter: memory,
      // A caller over the limit is rejected in memory, without a Redis command.
      inMemoryBlockOnConsumed: most + 1,
    });
  };
  const limiters = new Map(
    (Object.keys(requestLimits) as RequestLimit[]).map((name) => {
      const limit = effectiveLimitOf(requestLimits[name], overrides);
      return [name, { limit, limiter: limiterOf(limit) }];
    }),
  );
  return {
    async count(limit, subject, points = 1) {
      const counter = limiters.get(limit);
      if (!counter) throw new Error(`No limiter for ${limit}`);
      const { name, most, windowSeconds } = counter.limit;
      const result = await consume(counter.limiter, subject, points);
      return {
        name,
        most,
        windowSeconds,
        remaining: result.remainingPoints,
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
        exceeded: result.consumedPoints > most,
      };
    },
    close: () => redis?.isOpen && redis.destroy(),
  };
}

async function consume(limiter: RateLimiterAbstract, subject: string, points: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(subject, points);
  } catch (reason) {
    // The limiter rejects with its state when a limit is exceeded; any other rejection is a failure.
    if (reason instanceof RateLimiterRes) return reason;
    throw reason;
  }
}

const LONGEST_RECONNECT_PAUSE_MS = 2_000;

function connect(createClient: RedisClients, onError: (error: Error) => void) {
  const client = createClient({
    socket: { reconnectStrategy: (tries) => Math.min(LONGEST_RECONNECT_PAUSE_MS, 50 * 2 ** tries) },
    disableOfflineQueue: true,
  });
  client.on('error', onError);
  client.connect().catch(onError);
  return client;
}
