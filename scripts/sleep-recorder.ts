import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

/**
 * A setup file of Vitest: with `SLEEP_LOG` it appends the sleeps of each test file there, one JSON line of type
 * `FileSleeps`.
 */
export interface FileSleeps {
  /** Milliseconds that test code slept, by location: `file:line`. */
  slept: Record<string, number>;
  /**
   * Milliseconds of expired product time limits of a second or more, by location. Excludes timers without a reference:
   * they are background work that nothing waits for.
   */
  ranOut: Record<string, number>;
}

const { SLEEP_LOG } = process.env;
// One worker runs many files, and timers are wrapped once.
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
  const count = (location: string, milliseconds: number, isReferenced: boolean) => {
    const isOfTests = /\.(test|spec)\.tsx?:|\/testing\//.test(location);
    if (!isOfTests && (milliseconds < 1_000 || !isReferenced)) return;
    const sums = isOfTests ? sleeps.slept : sleeps.ranOut;
    sums[location] = (sums[location] ?? 0) + milliseconds;
  };
  const { setTimeout: callBackAfter } = globalThis;
  const wrapper = (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
    const location = delay > 0 ? callerOf(wrapper) : undefined;
    if (location === undefined) return callBackAfter(callback, delay, ...args);
    const timer = callBackAfter(() => {
      count(location, delay, timer.hasRef());
      callback(...args);
    }, delay);
    return timer;
  };
  const { setTimeout: sleep } = timers;
  globalThis.setTimeout = Object.assign(wrapper, { [promisify.custom]: sleep }) as unknown as typeof setTimeout;
  timers.setTimeout = async (delay, value, options) => {
    const location = callerOf(timers.setTimeout);
    await sleep(delay, undefined, options);
    if (location !== undefined) count(location, delay ?? 0, options?.ref !== false);
    return value as never;
  };
  syncBuiltinESMExports();
  return sleeps;
}

/** Returns the location of the caller as `file:line`, or undefined if it is in a package. */
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
