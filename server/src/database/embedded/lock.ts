import { readFileSync, rmSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode, processIdentity, processState } from './process.ts';

export type Lock = { release(): void };

const holderSchema = z.object({ pid: z.number().int().positive(), identity: z.string().optional() });
const lockName = 'sightline.lock';
const attempts = 40;
const pauseMs = 25;
/** Taking over lasts milliseconds; a mark this old is left from a crash in them. */
const oldTakeoverMs = 10_000;

/**
 * Takes the data directory for this process. Two PostgreSQL servers on one directory would be refused by PostgreSQL
 * too, but a second Sightline must be told so before it adopts the first one's database as an orphan.
 * Throws when a living process holds it; a lock left behind by a dead one is taken over.
 */
export async function acquireLock(dataDir: string): Promise<Lock> {
  const path = join(dataDir, lockName);
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await create(path, mine)) return { release: () => releaseLock(path, mine) };
    const content = await readFile(path, 'utf8').catch(() => undefined);
    if (content === undefined) continue;
    const holder = parseHolder(content);
    if (holder !== undefined && isAlive(holder)) throw new Error(heldMessage(dataDir, holder.pid, path));
    // An empty file is either one that is being written right now, or the rest of a crash: give the writer its moment.
    if (holder === undefined && attempt < attempts / 2) await delay(pauseMs);
    else if (!(await discard(path, content))) await delay(pauseMs);
  }
  throw new Error(`The lock file ${path} could not be acquired. Remove it if no Sightline uses this folder.`);
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function parseHolder(content: string): z.infer<typeof holderSchema> | undefined {
  try {
    return holderSchema.parse(JSON.parse(content));
  } catch {
    return undefined;
  }
}

function isAlive(holder: z.infer<typeof holderSchema>): boolean {
  if (processState(holder.pid) !== 'running') return false;
  const identity = processIdentity(holder.pid);
  return identity === undefined || holder.identity === undefined || identity === holder.identity;
}

/**
 * Removes a stale lock. Only one process at a time may, or a slow one would remove the fresh lock of a faster one;
 * false when it is another's turn.
 */
async function discard(path: string, stale: string): Promise<boolean> {
  const turn = `${path}.takeover`;
  if (!(await create(turn, ''))) {
    const since = await stat(turn).catch(() => undefined);
    if (since !== undefined && Date.now() - since.mtimeMs > oldTakeoverMs) await rm(turn, { force: true });
    return false;
  }
  try {
    const content = await readFile(path, 'utf8').catch(() => undefined);
    if (content === stale) await rm(path, { force: true });
  } finally {
    await rm(turn, { force: true });
  }
  return true;
}

function releaseLock(path: string, mine: string): void {
  try {
    if (readFileSync(path, 'utf8') === mine) rmSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function heldMessage(dataDir: string, pid: number, path: string): string {
  return (
    `Sightline is already running on ${dataDir} (process ${pid}). Stop it first, or set another DATA_DIR. ` +
    `If process ${pid} is not Sightline, remove ${path}.`
  );
}
