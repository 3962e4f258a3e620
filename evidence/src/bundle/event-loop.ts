/** Whatever else waits in this thread has its turn. */
export const others = () => new Promise<void>((resolve) => setTimeout(resolve));
