/** The longest time in milliseconds for which work that may wait does so. */
const MAX_WAIT_MS = 3_000;

const { promise, resolve } = Promise.withResolvers<void>();

// Only pages with the frame of begin.js report that they are shown.
if (document.documentElement.hasAttribute('data-framed')) setTimeout(resolve, MAX_WAIT_MS);
else resolve();

/**
 * Resolves once the first page is shown, or after three seconds. What no first screen needs waits for it before it
 * requests files, since they would compete with those of the page.
 */
export const afterFirstScreen = (): Promise<void> => promise;

/** Reports that the first page is shown. */
export const reportFirstScreen = (): void => resolve();
