import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

export type PidFile = { pid: number; port: number | undefined; ready: boolean };

/**
 * Reads postmaster.pid. Returns undefined if it is missing or incomplete. Its lines: pid, directory, start, port, … ,
 * status.
 */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const content = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (content === undefined) return undefined;
  const lines = content.split('\n').map((line) => line.trim());
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  const port = Number(lines[3]);
  return { pid, port: Number.isInteger(port) && port > 0 ? port : undefined, ready: lines[7] === 'ready' };
}

/** Whether the running process `pid` is a PostgreSQL on this cluster, and not another program with a reused PID. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  try {
    // The working directory of PostgreSQL is its data directory.
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster));
  } catch {
    const listed = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => undefined);
    return listed !== undefined && basename(listed.stdout.trim()).startsWith('postgres');
  }
}
