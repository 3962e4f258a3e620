import { setTimeout as delay } from 'node:timers/promises';

/** Waits for `work` for at most `milliseconds`; later the work goes on alone. Throws what the work throws before that. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  const limit = delay(milliseconds, undefined, { signal: settled.signal }).catch(() => undefined);
  await Promise.race([work, limit]).finally(() => settled.abort());
}

/** Answers what `work` does, or rejects after `milliseconds`; later the work goes on alone. */
export async function rejectAfter<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const settled = new AbortController();
  const limit = delay(milliseconds, undefined, { signal: settled.signal, ref: false }).then(() => {
    throw new Error(`No response within ${milliseconds} ms`);
  });
  limit.catch(() => undefined);
  return Promise.race([work, limit]).finally(() => settled.abort());
}
