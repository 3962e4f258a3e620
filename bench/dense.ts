import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { runLoad } from './load.ts';
import { type BenchServer, startServer } from './process.ts';
import { type BenchRequest, type BenchRequests, measureRequests } from './questions.ts';
import { printReport } from './report.ts';

const total = Number(process.env.EVENTS ?? 792_000);
const batch = Number(process.env.BATCH ?? 100);
const seconds = Number(process.env.SECONDS ?? 2);

const HOUR_MS = 3_600_000;
/** The hour of the events: complete, and a few hours before the current one. */
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;

/**
 * Measures pages and charts of several frequent words in one hour with very many events: a half of them with `code`, a
 * third on `nodejs.org`, a tenth from Firefox. They are sent to the endpoint in batches, in the order of their times.
 */
export async function benchDense(): Promise<void> {
  const server = await startServer();
  try {
    await sendEvents(server);
    await printResults(server);
    const name = `a dense hour of ${total} events, sent in batches of ${batch}`;
    printReport(name, await measureRequests(server, requests, { connections: [1], seconds }));
  } finally {
    await server.stop();
  }
}

async function sendEvents(server: BenchServer): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  let sent = 0;
  const next = () => {
    if (sent >= total) return undefined;
    const first = sent;
    sent += batch;
    const events = Array.from({ length: Math.min(batch, total - first) }, (_, place) => eventAt(first + place));
    return { method: 'POST' as const, path: '/api/v2/events/user', headers, body: JSON.stringify(events) };
  };
  const { failed } = await runLoad({ url: server.url, connections: 8, seconds: 3600, next });
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const url = new URL(server.superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  // Work in the background would be part of the measured CPU time.
  const waiting = 'select (exists (select from posting_pending) or exists (select from ledger_pending)) as yes';
  while ((await client.query<{ yes: boolean }>(waiting)).rows[0]?.yes) await setTimeout(100);
  await client.query('vacuum analyze event, posting_list, event_hour_kind, posting_pending');
  await client.query('checkpoint');
  const { rows } = await client.query(
    `select count(*)::int as lists, count(distinct term)::int as terms, pg_total_relation_size('posting_list') / 1024 / 1024 as mb from posting_list`,
  );
  console.log('lists', JSON.stringify(rows[0]));
  await client.end();
}

// Independent of each other.
const kinds = ['code', 'text'];
const sites = ['nodejs.org', 'site-1.example.org', 'site-2.example.org'];
const sources = ['firefox', ...Array.from({ length: 9 }, () => 'chrome')];

const eventAt = (place: number) => ({
  plugin_id: 'sightline-browser',
  event_type: 'browser_clipboard',
  message_id: randomUUID(),
  identifiers: {
    kind: kinds[place % 2],
    length: String(10 + (Math.floor(place / 60) % 7)),
  },
  original_timestamp: new Date(hour + (place * HOUR_MS) / total).toISOString(),
  sent_at: new Date(hour).toISOString(),
  tracking_version: '1.0.0',
  tracking_source: sources[Math.floor(place / 6) % 10] ?? '',
  content_uri: `https://${sites[Math.floor(place / 2) % 3]}/docs`,
});

const post = (path: string, body: object): BenchRequest => ({
  method: 'POST',
  path: `/api/v2/events/explore/${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const page = (query: string, older?: string) => [
  post('query', { query, details: false, pagination: { cursors: older === undefined ? {} : { older } } }),
];
const within = `${new Date(hour + HOUR_MS * 0.4).toISOString()}_ffffffff-ffff-ffff-ffff-ffffffffffff`;
const range = `after:${new Date(hour - 12 * HOUR_MS).toISOString().slice(0, 10)}`;

const two = 'code site:nodejs.org';
const three = `${two} source:firefox`;

const requests: BenchRequests = {
  newest: page(''),
  'one term': page('code'),
  'one term, from within the hour': page('code', within),
  'two terms': page(two),
  'two terms, from within the hour': page(two, within),
  'three terms': page(three),
  'three terms, from within the hour': page(three, within),
  'one term without another': page('code -site:nodejs.org'),
  'two terms that no event has together': page('site:nodejs.org code text'),
  'histogram of two terms': [post('histogram', { query: `${two} ${range}` })],
  'two terms by site': [post('groups', { query: `${two} ${range}`, by: 'site' })],
  'three terms by site': [post('groups', { query: `${three} ${range}`, by: 'site' })],
};

/** Prints what each request finds, which must be the same in all versions. */
async function printResults({ url, token }: BenchServer): Promise<void> {
  for (const [name, [request]] of Object.entries(requests)) {
    if (!request || typeof request === 'string') continue;
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const response = await fetch(`${url}${request.path}`, { method: 'POST', headers, body: String(request.body) });
    const { events, total, sample } = (await response.json()) as {
      events?: { as_of: string }[];
      total?: number;
      sample?: { share: number } | null;
    };
    const ends = events && [events.at(0)?.as_of, events.at(-1)?.as_of];
    console.log(
      name,
      response.status,
      ends ? `${events.length} events, ${ends.join(' to ')}` : `${total} ${sample?.share ?? ''}`,
    );
  }
}
