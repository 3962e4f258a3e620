/** Yields to other tasks of the event loop. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setTimeout(resolve));
