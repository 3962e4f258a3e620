import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** What delayed the responses of a process, in milliseconds. */
export interface Delays {
  /** Garbage collections, and the longest. */
  collections: number;
  collectionsMs: number;
  longestCollectionMs: number;
  /** How much later than planned the event loop ran: the 99th percentile, and at most. */
  loopP99Ms: number;
  loopMaxMs: number;
}

/** Observes this process. The returned function reports the delays since its last call. */
export function observeDelays(): () => Delays {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  let durations: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) durations.push(duration);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    const rounded = (ms: number) => Number(ms.toFixed(1));
    const delays = {
      collections: durations.length,
      collectionsMs: rounded(durations.reduce((sum, ms) => sum + ms, 0)),
      longestCollectionMs: rounded(Math.max(0, ...durations)),
      loopP99Ms: rounded(loop.percentile(99) / 1e6),
      loopMaxMs: rounded(loop.max / 1e6),
    };
    durations = [];
    loop.reset();
    return delays;
  };
}
