/** Yields to other tasks of the event loop. */
export const others = () => new Promise<void>((resolve) => setTimeout(resolve));
