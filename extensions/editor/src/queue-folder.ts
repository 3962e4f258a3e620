import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { Store } from '@sightline/telemetry/store.ts';
import { appendText, codeOf, isMissing, parseJson, readTextFile, replaceText } from './shared-file.ts';

/** Time without a sign of life after which a window counts as closed, on any machine. */
export const CLOSED_AFTER_MS = 2 * 60_000;

export interface QueueFolder {
  /** The queue of this window. */
  store: Store;
  /** Updates the sign of life of this window. Must be called more often than `CLOSED_AFTER_MS`. */
  live: () => Promise<void>;
  /** Passes the events of each closed window to `take`, and deletes them once it succeeded. */
  adopt: (take: (events: IdentifyEvent[]) => Promise<void>) => Promise<void>;
  /** Marks this window as closed, so that another can adopt its queue immediately. */
  leave: () => Promise<void>;
}

/**
 * The queues of all windows in one folder, one event per line: `<window>.ndjson`. The modification time of
 * `<window>.alive` is the last sign of life. A queue is adopted by renaming it, which only one window can do.
 */
export function createQueueFolder(folder: string, windowId: string, clock: () => number = Date.now): QueueFolder {
  const own = join(folder, `${windowId}.ndjson`);
  const sign = join(folder, `${windowId}.alive`);
  let isMarkedAlive = false;

  async function live() {
    const now = new Date(clock());
    const touched = isMarkedAlive && (await utimes(sign, now, now).then(...truth));
    if (!touched) await replaceText(sign, JSON.stringify({ host: hostname(), pid: process.pid }));
    isMarkedAlive = true;
  }

  /**
   * Renames the queue of a closed window for this window. Returns undefined while its window is alive, or if another
   * window was faster.
   */
  async function claim(name: string): Promise<string | undefined> {
    const path = join(folder, name);
    const owner = ownerOf(name);
    if (owner === windowId) return path;
    if (await isAlive(join(folder, `${owner}.alive`), clock())) return undefined;
    const claimed = join(folder, `${windowId}.from.${name}`);
    return (await renamed(path, claimed)) ? claimed : undefined;
  }

  return {
    live,
    store: {
      list: async () => eventsIn(await readTextFile(own)),
      append: async (events) => {
        if (!isMarkedAlive) await live();
        await appendText(own, linesOf(events));
      },
      remove: async (ids) => {
        const text = await readTextFile(own);
        if (text === undefined) return;
        const left = eventsIn(text).filter((event) => !ids.has(event.message_id));
        if (left.length === 0) await rm(own, { force: true });
        else await replaceText(own, linesOf(left));
      },
    },
    adopt: async (take) => {
      await mkdir(folder, { recursive: true });
      // Without a sign of life, another window could take over the queue that this window is adopting.
      if (!isMarkedAlive) await live();
      for (const name of await readdir(folder)) {
        if (!name.endsWith('.ndjson') || name === `${windowId}.ndjson`) continue;
        const adopted = await claim(name);
        if (adopted === undefined) continue;
        await take(eventsIn(await readTextFile(adopted)));
        await rm(adopted, { force: true });
        const owner = ownerOf(name);
        if (owner !== windowId) await rm(join(folder, `${owner}.alive`), { force: true });
      }
    },
    leave: () => rm(sign, { force: true }),
  };
}

const ownerOf = (name: string): string => name.slice(0, name.indexOf('.'));

const truth = [() => true, () => false] as const;

async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    // Another window was faster.
    if (isMissing(error)) return false;
    throw error;
  }
}

async function isAlive(sign: string, now: number): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(sign);
    // After the clock was set back, a future time is not a permanent sign of life.
    if (Math.abs(now - mtimeMs) > CLOSED_AFTER_MS) return false;
    const { host, pid } = (parseJson(await readTextFile(sign)) ?? {}) as { host?: unknown; pid?: unknown };
    return host !== hostname() || typeof pid !== 'number' || isRunning(pid);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

const linesOf = (events: readonly IdentifyEvent[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

// Skips incomplete lines after a crash, and duplicate events.
function eventsIn(text = ''): IdentifyEvent[] {
  const events = new Map<string, IdentifyEvent>();
  for (const line of text.split('\n')) {
    const event = parseJson(line === '' ? undefined : line);
    if (isEvent(event)) events.set(event.message_id, event);
  }
  return [...events.values()];
}

const isEvent = (value: unknown): value is IdentifyEvent =>
  typeof value === 'object' && value !== null && 'message_id' in value && typeof value.message_id === 'string';
