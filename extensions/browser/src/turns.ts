export type RunSerialized = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Serializes tasks: each starts after the previous one ended, with or without an error. For read-modify-write
 * operations.
 */
export function createSerializer(): RunSerialized {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
