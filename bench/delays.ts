import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

/** What delayed the responses of a process, in milliseconds. */
export type Delays = Record<
  'minor gc' | 'minor gc ms' | 'longest minor ms' | 'major gc' | 'major gc ms' | 'longest major ms' | 'loop p99 ms',
  number
>;

/** Observes this process. The returned function reports the delays since its last call. */
export function observeDelays(): () => Delays {
  // Later than planned: its interval is part of each value.
  const loop = monitorEventLoopDelay({ resolution: LOOP_MS });
  loop.enable();
  let collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    // The types lack the details of collections.
    const isMinor = (entry: PerformanceEntry) =>
      (entry as PerformanceEntry & { detail: { kind: number } }).detail.kind === constants.NODE_PERFORMANCE_GC_MINOR;
    const [minor, major] = [collections.filter(isMinor), collections.filter((one) => !isMinor(one))].map((of) =>
      of.map(({ duration }) => duration),
    );
    const delays = {
      'minor gc': minor?.length ?? 0,
      'minor gc ms': sumOf(minor),
      'longest minor ms': rounded(Math.max(0, ...(minor ?? []))),
      'major gc': major?.length ?? 0,
      'major gc ms': sumOf(major),
      'longest major ms': rounded(Math.max(0, ...(major ?? []))),
      'loop p99 ms': rounded(loop.percentile(99) / 1e6 - LOOP_MS),
    };
    collections = [];
    loop.reset();
    return delays;
  };
}

const LOOP_MS = 5;
const rounded = (ms: number) => Number(ms.toFixed(1));
const sumOf = (durations: readonly number[] = []) => rounded(durations.reduce((sum, ms) => sum + ms, 0));
