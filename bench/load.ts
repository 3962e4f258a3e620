import { openConnection } from './connection.ts';

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface LoadFigures {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  /** Responses other than 2xx and 304. A run with any of them is invalid. */
  failed: number;
}

export interface LoadOptions {
  url: string;
  connections: number;
  seconds: number;
  /** Returns the next request, or undefined if there is none: then the run ends early. */
  next: () => LoadRequest | undefined;
}

/**
 * Sends requests back to back over `connections` connections. Measures each from the first byte sent to the last byte
 * read.
 */
export async function runLoad({ url, connections, seconds, next }: LoadOptions): Promise<LoadFigures> {
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const worker = async () => {
    const connection = openConnection(url);
    while (performance.now() < end) {
      const request = next();
      if (!request) break;
      const sent = performance.now();
      const status = await connection.send(request);
      times.push(performance.now() - sent);
      if (status !== 304 && (status < 200 || status > 299)) failed += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - started) / 1000;
  times.sort((one, other) => one - other);
  const at = (share: number) =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2));
  return {
    requests: times.length,
    perSecond: Math.round(times.length / elapsed),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    failed,
  };
}

/** Warms up a server before a measurement: V8 compiles the hot code in the first seconds. */
export async function warmUpServer(options: Omit<LoadOptions, 'seconds'>): Promise<void> {
  await runLoad({ ...options, seconds: 15 });
}
