/** Runs something later, and answers with how to call it off. */
export type Schedule = (afterMs: number, run: () => void) => () => void;

/** Unix milliseconds. */
export type Clock = () => number;

export const realSchedule: Schedule = (afterMs, run) => {
  const timer = setTimeout(run, afterMs);
  return () => clearTimeout(timer);
};
