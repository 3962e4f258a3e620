import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The growth of the heap before the next collection, as a percentage of the live memory after a collection. By default,
 * V8 allows four times as much growth on machines with free memory, which under load is most of the memory of the
 * process.
 */
const growthPercent = 60;

/** Limits the memory of this process to about its live data. `npm run bench -- abuse` measures it. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);

/**
 * Returns memory that only the start or a snapshot needed to the system, about 60 and 200 MB: V8 keeps the young
 * generation as large as they made it, and shrinks it only in such a collection. Blocks for about 0.1 s.
 */
export function releaseUnusedMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
