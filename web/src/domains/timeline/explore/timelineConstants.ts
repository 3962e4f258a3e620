/** Spec 9. Lengths are in pixels, times in milliseconds. */
export const chunk = 20;
export const initialLoad = 200;
export const groupingWindow = 30_000;
export const groupStep = 10;
export const pendingReset = 30_000;
export const estimates = { summary: 48, details: 176, group: 20, date: 32 } as const;
export const spacing = 8;
export const overscan = 5;

/** The number of events requested near the end: ten chunks, the maximum of one response. */
export const nextLoad = 10 * chunk;
/** The maximum number of pages in memory, 100,000 events. The farther end is discarded and can be loaded again. */
export const pagesKept = 500;
/** The maximum number of pages per click on newer events. */
export const pagesAtOnce = 5;
/** An event of a client is late if it arrives after this delay. */
export const lateAfter = 5 * 60_000;
/** During an import, change notices arrive many times a second. */
export const newsPause = 2_000;
