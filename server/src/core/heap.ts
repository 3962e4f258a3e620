import { setFlagsFromString } from 'node:v8';

/**
 * The growth of the heap before the next collection, as a percentage of the live memory after a collection. By default,
 * V8 allows four times as much growth on machines with free memory, which under load is most of the memory of the
 * process.
 */
const growthPercent = 60;

/** Limits the memory of this process to about its live data. `npm run bench -- abuse` measures it. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
