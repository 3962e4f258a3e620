const firstMs = 1000;
const lastMs = 5 * 60_000;
const refusedMs = 15 * 60_000;
/** Upper bound for delays requested by the server. */
export const longestWaitMs = 60 * 60_000;

export interface Backoff {
  /**
   * Milliseconds until the next attempt: the delay requested by the server plus a random share of a growing interval.
   */
  next(retryAfterMs: number | null): number;
  /** A longer delay, for a server that refuses requests. */
  long(retryAfterMs: number | null): number;
  reset(): void;
}

/** Exponential with full jitter, so that clients that were disconnected together do not reconnect together. */
export function createBackoff(random: () => number): Backoff {
  let tries = 0;
  const within = (ms: number) => Math.min(longestWaitMs, Math.round(ms));
  return {
    next: (retryAfterMs) => {
      const interval = Math.min(lastMs, firstMs * 2 ** tries);
      tries += 1;
      return within((retryAfterMs ?? 0) + Math.max(firstMs / 4, random() * interval));
    },
    long: (retryAfterMs) => within(Math.max(retryAfterMs ?? 0, refusedMs) * (1 + random() / 4)),
    reset: () => {
      tries = 0;
    },
  };
}
