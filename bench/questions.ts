import { existsSync } from 'node:fs';
import { type CpuMilliseconds, cpuMillisecondsOf } from './cpu.ts';
import { type LoadFigures, type LoadRequest, runLoad, warmUpServer } from './load.ts';
import type { BenchServer } from './process.ts';
import type { ReportRow } from './report.ts';

/** The requests of one name: several, so that consecutive responses differ. A string is a GET of this path. */
export type BenchRequests = Readonly<Record<string, readonly (string | BenchRequest)[]>>;
export type BenchRequest = Omit<LoadRequest, 'headers'> & { headers?: LoadRequest['headers'] };

/** Sends each request for `seconds`, with each number of connections, and returns a row for each combination. */
export async function measureRequests(
  { url, token, pid }: BenchServer,
  questions: BenchRequests,
  { connections, seconds }: { connections: readonly number[]; seconds: number },
): Promise<ReportRow[]> {
  const headers = { authorization: `Bearer ${token}` };
  const rows: ReportRow[] = [];
  for (const [name, requests] of Object.entries(questions)) {
    for (const count of connections) {
      let turn = 0;
      const next = () => {
        turn += 1;
        const one = requests[turn % requests.length] ?? '';
        const request = typeof one === 'string' ? { method: 'GET' as const, path: one } : one;
        return { ...request, headers: { ...headers, ...request.headers } };
      };
      if (rows.length === 0) await warmUpServer({ url, connections: 16, next });
      await runLoad({ url, connections: count, seconds: 1, next });
      const before = cpuSoFar(pid);
      const figures = await runLoad({ url, connections: count, seconds, next });
      rows.push({ ...rowOf(`${name}, c=${count}`, figures), ...cpuSince(before, pid, figures.requests) });
    }
  }
  return rows;
}

const rowOf = (name: string, { perSecond, p50, p95, p99, failed }: LoadFigures): ReportRow => ({
  name,
  'req/s': perSecond,
  'p50 ms': p50,
  'p95 ms': p95,
  'p99 ms': p99,
  failed,
});

// Undefined where the system has no /proc.
const cpuSoFar = (pid: number): CpuMilliseconds | undefined =>
  existsSync('/proc/self/stat') ? cpuMillisecondsOf(pid) : undefined;

/** Returns the CPU milliseconds per response. */
function cpuSince(before: CpuMilliseconds | undefined, pid: number, requests: number): Record<string, number> {
  const after = cpuSoFar(pid);
  if (!before || !after) return {};
  const each = (ms: number) => Number((ms / requests).toFixed(1));
  return {
    'server cpu ms': each(after.server - before.server),
    'postgres cpu ms': each(after.postgres - before.postgres),
  };
}
