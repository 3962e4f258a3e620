import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow, in percent of what is alive after a collection, before the next one. V8 would let it grow to four times
 * that where the machine has memory to spare, which under load is most of what the process uses.
 */
const growthPercent = 60;

/** Keeps the memory of this process near what it needs. `npm run bench -- abuse` measures it. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
