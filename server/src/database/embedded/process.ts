import { readFileSync } from 'node:fs';

export type ProcessState = 'running' | 'zombie' | 'gone';

/** Returns the state of the process `pid` of any user. A zombie has ended but is not yet reaped by its parent. */
export function processState(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs as another user.
    if (errorCode(error) === 'ESRCH') return 'gone';
  }
  const state = readStat(pid)?.[0];
  return state === 'Z' || state === 'X' ? 'zombie' : 'running';
}

/**
 * Identifies a process even if its PID is reused, also by another boot or container. Undefined if the system has no
 * /proc.
 */
export function processIdentity(pid: number): string | undefined {
  const startedAt = readStat(pid)?.[19];
  return startedAt === undefined ? undefined : `${readBootId()}:${startedAt}`;
}

/** Returns the `code` of a system error such as ENOENT, undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Returns the fields of /proc/PID/stat from the third one, the state. The name before may contain spaces and
 * parentheses.
 */
function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
