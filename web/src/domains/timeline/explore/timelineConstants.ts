/** Spec 9, in one place; lengths in pixels, times in milliseconds. */
export const chunk = 20;
export const initialLoad = 200;
export const groupingWindow = 30_000;
export const groupStep = 10;
export const pendingReset = 30_000;
export const estimates = { summary: 48, details: 176, group: 20, date: 32 } as const;
export const spacing = 8;
export const overscan = 5;

/** Events asked for when the reader comes near the end: ten chunks, the most that one answer holds. */
export const nextLoad = 10 * chunk;
/** So many answers stay in memory, 100 000 events; the end that is farther away is let go, and can be loaded again. */
export const pagesKept = 500;
/** Answers that one click on newer events fetches at most. */
export const pagesAtOnce = 5;
/** A client's event that took longer to arrive is marked as late. */
export const lateAfter = 5 * 60_000;
/** While a history is being read in, news comes many times a second. */
export const newsPause = 2_000;
