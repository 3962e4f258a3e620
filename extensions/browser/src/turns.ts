export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Works that begin when the one before has ended, well or not: for reading something and then writing it. */
export function turns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
