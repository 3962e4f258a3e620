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
/** A takeover lasts milliseconds. An older marker is the remainder of a crash during one. */
const oldTakeoverMs = 10_000;

/**
 * Locks the data directory for this process. PostgreSQL would refuse a second server on one directory, but a second
 * Sightline must fail before it adopts the database of the first one as an orphan. Throws if a running process has the
 * lock. Takes over the lock of a dead one.
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
    // An empty file is either being written or the remainder of a crash, so the writer gets time to finish.
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
 * Removes a stale lock. Only one process may do so at a time, because a slow one could remove the new lock of a faster
 * one. Returns false if another process does so.
 */
async function discard(path: string, stale: string): Promise<boolean> {
  const takeoverPath = `${path}.takeover`;
  if (!(await create(takeoverPath, ''))) {
    const since = await stat(takeoverPath).catch(() => undefined);
    if (since !== undefined && Date.now() - since.mtimeMs > oldTakeoverMs) await rm(takeoverPath, { force: true });
    return false;
  }
  try {
    const content = await readFile(path, 'utf8').catch(() => undefined);
    if (content === stale) await rm(path, { force: true });
  } finally {
    await rm(takeoverPath, { force: true });
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
