interface RetryOptions {
  /** The Retry-After of the receiver; honored up to `maxRetryAfterSeconds`. */
  retryAfterSeconds?: number;
  /** The last delay repeats until an attempt succeeds. */
  repeatsLast?: boolean;
  /** The longest delay of the schedule if omitted. */
  maxRetryAfterSeconds?: number;
}

/**
 * Seconds until the next attempt of a delivery (to webhooks, evidence destinations and audit streams) after a number of
 * failed ones, with up to 20 % of jitter, so that deliveries that failed together are not retried together. Undefined after
 * the last attempt of the schedule.
 */
export function retryDelaySeconds(
  schedule: readonly number[],
  failedAttempts: number,
  { retryAfterSeconds = 0, repeatsLast = false, maxRetryAfterSeconds = Math.max(...schedule) }: RetryOptions = {},
): number | undefined {
  const index = repeatsLast ? Math.min(failedAttempts, schedule.length) : failedAttempts;
  const seconds = schedule[index - 1];
  if (seconds === undefined) return undefined;
  return Math.max(seconds, Math.min(retryAfterSeconds, maxRetryAfterSeconds)) * (1 + Math.random() * 0.2);
}

export const secondsFromNow = (seconds: number): Date => new Date(Date.now() + seconds * 1000);
