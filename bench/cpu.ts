import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of CPU time so far. */
export interface CpuMilliseconds {
  server: number;
  /** All processes of PostgreSQL. */
  postgres: number;
}

// Linux counts in hundredths of a second.
const tickMs = 10;

/**
 * Returns the CPU time of the server `pid` and its PostgreSQL. It depends less on other load than elapsed time does.
 */
export function cpuMillisecondsOf(pid: number): CpuMilliseconds {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []));
  const postmaster = processes.find((process) => process.parent === pid && process.name === 'postgres');
  const sum = (of: typeof processes) => of.reduce((ms, process) => ms + process.ms, 0);
  return {
    server: sum(processes.filter((process) => process.pid === pid)),
    // Includes processes that have ended.
    postgres:
      sum(processes.filter((process) => [process.pid, process.parent].includes(postmaster?.pid ?? -1))) +
      (postmaster?.reaped ?? 0),
  };
}

function read(pid: number): { pid: number; parent: number; name: string; ms: number; reaped: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    // The fields start at the third one, the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [own, reaped] = [11, 13].map((at) => (Number(fields[at]) + Number(fields[at + 1])) * tickMs);
    return { pid, parent: Number(fields[1]), name, ms: own ?? 0, reaped: reaped ?? 0 };
  } catch {
    return undefined;
  }
}
