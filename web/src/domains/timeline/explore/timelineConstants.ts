/** Spec 9. Lengths are in pixels, times in milliseconds. */
export const eventsPerChunk = 20;
export const initialEvents = 200;
export const groupingWindowMs = 30_000;
export const groupStep = 10;
export const requestTimeoutMs = 30_000;
export const rowHeightEstimatesPx = { summary: 48, details: 176, group: 20, date: 32 } as const;
export const rowSpacingPx = 8;
export const overscanRows = 5;

/** The number of events requested near the end: ten chunks, the maximum of one response. */
export const eventsPerRequest = 10 * eventsPerChunk;
/** The maximum number of pages in memory, 100,000 events. The farther end is discarded and can be loaded again. */
export const maxPagesInMemory = 500;
/** The maximum number of pages per click on newer events. */
export const maxPagesPerClick = 5;
/** An event of a client is late if it arrives after this delay. */
export const lateAfterMs = 5 * 60_000;
/** During an import, change notices arrive many times a second. */
export const noticePauseMs = 2_000;
