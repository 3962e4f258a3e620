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
  // Only durations: an entry has ten functions, which would be the largest growth of a long measurement.
  let [minor, major]: [number[], number[]] = [[], []];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) (isMinor(entry) ? minor : major).push(entry.duration);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    const delays = {
      'minor gc': minor.length,
      'minor gc ms': sumOf(minor),
      'longest minor ms': rounded(Math.max(0, ...minor)),
      'major gc': major.length,
      'major gc ms': sumOf(major),
      'longest major ms': rounded(Math.max(0, ...major)),
      'loop p99 ms': rounded(loop.percentile(99) / 1e6 - LOOP_MS),
    };
    [minor, major] = [[], []];
    loop.reset();
    return delays;
  };
}

// The types lack the details of collections.
const isMinor = (entry: PerformanceEntry) =>
  (entry as PerformanceEntry & { detail: { kind: number } }).detail.kind === constants.NODE_PERFORMANCE_GC_MINOR;

const LOOP_MS = 5;
const rounded = (ms: number) => Number(ms.toFixed(1));
const sumOf = (durations: readonly number[]) => rounded(durations.reduce((sum, ms) => sum + ms, 0));
