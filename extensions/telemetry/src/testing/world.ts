import type { Schedule } from '../clock.ts';

/** A controlled clock. Timers depend on elapsed time; the wall clock can have any value. */
export interface World {
  /** Unix milliseconds of the wall clock. */
  clock: () => number;
  schedule: Schedule;
  /** Sets the wall clock forward or back, without elapsed time. */
  jump: (ms: number) => void;
  /** Advances the time and runs due timers. */
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
      await microtasksSettled();
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer);
        passed = timer.at;
        timer.run();
        await microtasksSettled();
      }
      passed = until;
    },
  };
}

/** Resolves when all pending microtasks have run. */
export const microtasksSettled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
