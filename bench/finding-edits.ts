import type { BenchServer } from './process.ts';
import type { ReportRow } from './report.ts';

const base = '/api/v2/vulnerabilities';
const MAX_EDITED = 10_000;

/** Measures edits of up to 10,000 findings at once, and lists that others read meanwhile. */
export async function measureEdits(server: BenchServer): Promise<ReportRow[]> {
  const { query, total } = await largestEditable(server);
  const rows: ReportRow[] = [];
  let editId = '';
  const edit = (fields: object) => async () => {
    const response = await ask(server, `/edit?${query}`, { findings: { total }, edit: fields });
    ({ editId } = (await response.json()) as { editId: string });
  };
  const steps: [string, () => Promise<unknown>][] = [
    ['assign', edit({ assigneeId: server.accountId })],
    ['add two labels', edit({ addLabels: ['payments', 'next release'] })],
    ['assign to another, remove a label', edit({ assigneeId: null, removeLabels: ['payments'] })],
    ['undo', () => ask(server, `/edits/${editId}/undo`, {})],
  ];
  for (const [name, work] of steps) rows.push(await measure(server, `${name}, ${total} findings`, work));
  return rows;
}

async function measure(server: BenchServer, name: string, work: () => Promise<unknown>): Promise<ReportRow> {
  const began = performance.now();
  const reading = readMeanwhile(server);
  await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  return { name, seconds, ...(await reading.stop()) };
}

/** Reads the first page of the list, one request after the other, until it is stopped. */
export function readMeanwhile(server: BenchServer): { stop: () => Promise<Record<string, number>> } {
  let isReading = true;
  const times: number[] = [];
  const reading = (async () => {
    while (isReading) {
      const sent = performance.now();
      await (await ask(server, '')).arrayBuffer();
      times.push(performance.now() - sent);
    }
  })();
  return {
    async stop() {
      isReading = false;
      await reading;
      times.sort((one, other) => one - other);
      const at = (share: number) =>
        Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
      return { 'lists meanwhile': times.length, 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'max ms': at(1) };
    },
  };
}

/** Returns the filter with the most findings that one edit may change. */
async function largestEditable(server: BenchServer): Promise<{ query: string; total: number }> {
  const { groups } = (await (await ask(server, '/groups?by=rule')).json()) as { groups: { value: string }[] };
  const status = 'status=open,fixed,dismissed,exception';
  const rules = [1, 2, 3, 4].map((count) => groups.slice(-count).map(({ value }) => value));
  const queries = [`${status}&category=scorecard`, ...rules.map((ids) => `${status}&rule=${ids.join(',')}`)];
  const sizes = await Promise.all(
    queries.map(async (query) => ({
      query,
      total: Number((await ask(server, `?perPage=1&${query}`)).headers.get('x-total-count')),
    })),
  );
  const [largest] = sizes.filter(({ total }) => total <= MAX_EDITED).toSorted((one, other) => other.total - one.total);
  if (!largest) throw new Error('No filter has few enough findings');
  return largest;
}

async function ask({ url, token }: BenchServer, path: string, body?: object): Promise<Response> {
  const response = await fetch(`${url}${base}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
}
