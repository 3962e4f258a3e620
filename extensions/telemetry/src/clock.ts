/** Runs a function later, and returns a function that cancels it. */
export type Schedule = (afterMs: number, run: () => void) => () => void;

/** Unix milliseconds. */
export type Clock = () => number;

export const realSchedule: Schedule = (afterMs, run) => {
  const timer = setTimeout(run, afterMs);
  return () => clearTimeout(timer);
};
