import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The growth of the heap before the next collection, as a percentage of the live memory after a collection. By default,
 * V8 allows four times as much growth on machines with free memory, which under load is most of the memory of the
 * process.
 */
const growthPercent = 60;

let isLimited = false;

/** Limits the memory of this process to about its live data. `npm run bench -- abuse` measures it. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  isLimited = true;
}

/** Growth of the resident memory since the last release, in bytes, from which a release is worth its time. */
const growthWorthReleasing = 64 * 1024 * 1024;

let residentAfterRelease = 0;

/**
 * Returns memory that only the start, a snapshot or the archive of events needed to the system, 60 to 200 MB: V8 keeps the young
 * generation as large as they made it, and shrinks it only in such a collection. Blocks for 0.1 to 0.6 s, because V8
 * collects several times, and therefore does nothing while the process has grown by less than 64 MB since the last time,
 * or without `limitHeapGrowth`, as in commands and tests.
 */
export function releaseUnusedMemory(): void {
  if (!isLimited || process.memoryUsage.rss() < residentAfterRelease + growthWorthReleasing) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
  residentAfterRelease = process.memoryUsage.rss();
}
