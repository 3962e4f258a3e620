import { readFileSync } from 'node:fs';

export type ProcessState = 'running' | 'zombie' | 'gone';

/** Whether the process `pid` is alive, of whatever user. A zombie is dead but not yet reaped by its parent. */
export function processState(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: alive, but of another user.
    if (errorCode(error) === 'ESRCH') return 'gone';
  }
  const state = readStat(pid)?.[0];
  return state === 'Z' || state === 'X' ? 'zombie' : 'running';
}

/**
 * Names one life of a process: differs when the number is used again, also by another boot or container.
 * Undefined where the system has no /proc.
 */
export function processIdentity(pid: number): string | undefined {
  const startedAt = readStat(pid)?.[19];
  return startedAt === undefined ? undefined : `${readBootId()}:${startedAt}`;
}

/** The `code` of a system error such as ENOENT, undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The fields of /proc/PID/stat from the state (the third) on; the name before them may hold spaces and brackets. */
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
