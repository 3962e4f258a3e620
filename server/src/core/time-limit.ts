import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for `work` for at most `milliseconds`, after which the work continues unobserved. Throws earlier errors of the
 * work.
 */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  const limit = delay(milliseconds, undefined, { signal: settled.signal }).catch(() => undefined);
  await Promise.race([work, limit]).finally(() => settled.abort());
}

/** Returns the result of `work`, or rejects after `milliseconds`; then the work continues unobserved. */
export async function rejectAfter<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const settled = new AbortController();
  const limit = delay(milliseconds, undefined, { signal: settled.signal, ref: false }).then(() => {
    throw new Error(`No response within ${milliseconds} ms`);
  });
  limit.catch(() => undefined);
  return Promise.race([work, limit]).finally(() => settled.abort());
}
