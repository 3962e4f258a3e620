import type { Schedule } from '../clock.ts';

/** Time that passes when told to. Timers run by time passed, the clock on the wall may be set to anything. */
export interface World {
  /** Unix milliseconds on the wall. */
  clock: () => number;
  schedule: Schedule;
  /** Sets the clock on the wall forward or back; no time passes. */
  jump: (ms: number) => void;
  /** Lets time pass, and everything happen that is due meanwhile. */
  pass: (ms: number) => Promise<void>;
}

interface Timer {
  at: number;
  run: () => void;
}

export function createWorld(start = Date.UTC(2026, 10, 1)): World {
  let passed = 0;
  let wall = start;
  const timers = new Set<Timer>();
  const next = (until: number) =>
    [...timers].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)[0];
  return {
    clock: () => wall + passed,
    schedule: (afterMs, run) => {
      const timer = { at: passed + Math.max(0, afterMs), run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    jump: (ms) => {
      wall += ms;
    },
    pass: async (ms) => {
      const until = passed + ms;
      await settled();
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer);
        passed = timer.at;
        timer.run();
        await settled();
      }
      passed = until;
    },
  };
}

/** Until nothing goes on that waits for no time: every step of it is a microtask. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
