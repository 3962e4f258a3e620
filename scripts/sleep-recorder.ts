import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

/** A set-up file of Vitest: with `SLEEP_LOG` it records the sleeps of a test file there, one JSON line of type `FileSleeps` each. */
export interface FileSleeps {
  /** Milliseconds that code of tests slept, by where: `file:line`. */
  slept: Record<string, number>;
  /**
   * Milliseconds of time limits of a second or more that the product set and that ran out, by where. A timer without a
   * reference is work in the background, which nothing waits for, and does not count.
   */
  ranOut: Record<string, number>;
}

const { SLEEP_LOG } = process.env;
// One worker runs many files, and a timer is wrapped once.
const wrapped = Symbol.for('sightline.sleep-recorder');
const isWrapped = wrapped in globalThis;

if (SLEEP_LOG !== undefined) {
  if (!isWrapped) Object.assign(globalThis, { [wrapped]: wrapTimers() });
  const sleeps = (globalThis as unknown as Record<symbol, FileSleeps>)[wrapped] as FileSleeps;
  afterAll(() => {
    appendFileSync(SLEEP_LOG, `${JSON.stringify(sleeps)}\n`);
    sleeps.slept = {};
    sleeps.ranOut = {};
  });
}

function wrapTimers(): FileSleeps {
  const sleeps: FileSleeps = { slept: {}, ranOut: {} };
  const count = (place: string, milliseconds: number, isReferenced: boolean) => {
    const isOfTests = /\.(test|spec)\.tsx?:|\/testing\//.test(place);
    if (!isOfTests && (milliseconds < 1_000 || !isReferenced)) return;
    const sums = isOfTests ? sleeps.slept : sleeps.ranOut;
    sums[place] = (sums[place] ?? 0) + milliseconds;
  };
  const { setTimeout: callBackAfter } = globalThis;
  const wrapper = (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
    const place = delay > 0 ? callerOf(wrapper) : undefined;
    if (place === undefined) return callBackAfter(callback, delay, ...args);
    const timer = callBackAfter(() => {
      count(place, delay, timer.hasRef());
      callback(...args);
    }, delay);
    return timer;
  };
  const { setTimeout: sleep } = timers;
  globalThis.setTimeout = Object.assign(wrapper, { [promisify.custom]: sleep }) as unknown as typeof setTimeout;
  timers.setTimeout = async (delay, value, options) => {
    const place = callerOf(timers.setTimeout);
    await sleep(delay, undefined, options);
    if (place !== undefined) count(place, delay ?? 0, options?.ref !== false);
    return value as never;
  };
  syncBuiltinESMExports();
  return sleeps;
}

/** Where our own code called it, as `file:line`; undefined where a package did. */
function callerOf(called: (...args: never[]) => unknown): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, called);
  Error.stackTraceLimit = limit;
  const [, path, line] = /\(?([^\s(]+):(\d+):\d+\)?$/.exec(holder.stack ?? '') ?? [];
  if (path === undefined || path.includes('node_modules') || path.startsWith('node:')) return;
  return `${path.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '')}:${line}`;
}
