import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in megabytes of 1,024² bytes. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
