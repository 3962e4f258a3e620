import { Pool } from 'undici';

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
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const worker = async () => {
    while (performance.now() < end) {
      const request = next();
      if (!request) return;
      const sent = performance.now();
      const { statusCode, body } = await pool.request(request);
      await body.dump();
      times.push(performance.now() - sent);
      if (statusCode !== 304 && (statusCode < 200 || statusCode > 299)) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - started) / 1000;
  await pool.close();
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
