const firstMs = 1000;
const lastMs = 5 * 60_000;
const refusedMs = 15 * 60_000;
/** However long a server asks for. */
export const longestWaitMs = 60 * 60_000;

export interface Backoff {
  /** Milliseconds until the next try: what the server asked for and a random share of an ever longer while. */
  next(retryAfterMs: number | null): number;
  /** Of a server that does not want to be asked. */
  long(retryAfterMs: number | null): number;
  reset(): void;
}

/** Exponential with full jitter, so that clients that were cut off together do not come back together. */
export function backoff(random: () => number): Backoff {
  let tries = 0;
  const within = (ms: number) => Math.min(longestWaitMs, Math.round(ms));
  return {
    next: (retryAfterMs) => {
      const most = Math.min(lastMs, firstMs * 2 ** tries);
      tries += 1;
      return within((retryAfterMs ?? 0) + Math.max(firstMs / 4, random() * most));
    },
    long: (retryAfterMs) => within(Math.max(retryAfterMs ?? 0, refusedMs) * (1 + random() / 4)),
    reset: () => {
      tries = 0;
    },
  };
}
