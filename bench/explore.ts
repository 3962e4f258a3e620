import type { Page } from '@playwright/test';
import type { ExploreResponse } from '@sightline/contract/timeline/events.ts';
import type { Actor } from '../server/src/core/actor.ts';
import type { Services } from '../server/src/core/services.ts';
import { openDatabase } from '../server/src/database/database.ts';
import { readEventsPage, resolveQuestion } from '../server/src/domains/timeline/events/queries.ts';
import { inBrowser, inSignedOutBrowser, measureExploreOpening, signInOwner } from './browser.ts';
import { type BareServer, startBareServer } from './ceiling.ts';
import { cpuMillisecondsOf } from './cpu.ts';
import { archiveOldEvents } from './events/archive.ts';
import { days, lastDay } from './events/rows.ts';
import { oneOfTwenty, seedEvents } from './events/seed.ts';
import { timelineTableSizes } from './events/sizes.ts';
import { runLoad, warmUpServer } from './load.ts';
import { type BenchServer, startServer } from './process.ts';
import { type BenchRequest, type BenchRequests, measureRequests } from './questions.ts';
import { printReport, type ReportRow } from './report.ts';

const total = Number(process.env.EVENTS ?? 1_000_000);
const seconds = Number(process.env.SECONDS ?? 3);

/**
 * Measures pages of the timeline per query, over HTTP and as the same statement sent directly to PostgreSQL. With `ARCHIVED=1`,
 * events older than 30 days are in segments.
 */
export async function benchExplore(): Promise<void> {
  const server = await startServer({}, process.env.BENCH_DATA);
  const bare = await startBareServer();
  try {
    await seedEvents(server, total, { ...oneOfTwenty, archived: process.env.ARCHIVED === '1' });
    printReport(`what ${total} events take`, await timelineTableSizes(server, total));
    if (process.env.PART === 'archive') {
      await benchArchive({ server, bare });
      return;
    }
    const direct = await directQueries(server);
    await warmUp(server);
    // `PART=charts` measures the charts only.
    const rows = process.env.PART === 'charts' ? [] : await measurePages({ server, bare }, direct);
    await direct.close();
    printReport(`explore at ${total} events`, rows);
    printReport(
      `charts at ${total} events`,
      await measureRequests(server, chartRequests, { connections: [1], seconds }),
    );
    printReport(`the page at ${total} events`, await firstPages(server));
  } finally {
    await bare.stop();
    await server.stop();
  }
}

/** A cursor in the middle of the events. */
const deep = `${new Date(Date.parse(lastDay) - (days / 2) * 86_400_000).toISOString()}_ffffffff-ffff-ffff-ffff-ffffffffffff`;

type DirectQueries = Awaited<ReturnType<typeof directQueries>>;

interface MeasuredServers {
  server: BenchServer;
  /** The ceiling: responds with the same bytes. */
  bare: BareServer;
}

const warmUp = (server: BenchServer) =>
  warmUpServer({
    url: server.url,
    connections: 8,
    next: () => requestOf(server, { query: '', older: undefined, details: false }),
  });

async function measurePages(servers: MeasuredServers, direct: DirectQueries): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const [name, { query, older, details = false }] of Object.entries(questions)) {
    const from = older ? deep : undefined;
    const sql = await direct.time(query, from);
    for (const connections of [1, 16])
      rows.push(
        await measure(servers, {
          name: `${name}, c=${connections}`,
          probe: { query, older: from, details },
          connections,
          sql,
        }),
      );
  }
  return rows;
}

/** Compares pages before and after events older than 30 days are archived, on the same data. */
async function benchArchive(servers: MeasuredServers): Promise<void> {
  const { server } = servers;
  const direct = await directQueries(server);
  await warmUp(server);
  const before = await measureDeepPages(servers);
  printReport('archiving', [await archiveOldEvents(server)]);
  printReport(`what ${total} events take with an archive`, await timelineTableSizes(server, total));
  const after = await measureDeepPages(servers);
  printReport(
    'pages before and after archiving',
    before.map((row, place) => ({
      name: row.name,
      events: `${row.events} ${after[place]?.events}`,
      'p50 ms before': row['p50 ms'] ?? '',
      'p50 ms after': after[place]?.['p50 ms'] ?? '',
      'p99 ms before': row['p99 ms'] ?? '',
      'p99 ms after': after[place]?.['p99 ms'] ?? '',
      'server cpu µs before': row['server cpu µs'] ?? '',
      'server cpu µs after': after[place]?.['server cpu µs'] ?? '',
      'postgres cpu µs before': row['postgres cpu µs'] ?? '',
      'postgres cpu µs after': after[place]?.['postgres cpu µs'] ?? '',
    })),
  );
  await direct.close();
}

/** Measures each query at its newest end and three months deep. */
async function measureDeepPages(servers: MeasuredServers): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const [name, { query, details = false }] of Object.entries(questions).filter(([, { older }]) => !older)) {
    for (const [where, older] of [
      ['', undefined],
      [', three months deep', deep],
    ] as const)
      rows.push(
        await measure(servers, { name: `${name}${where}`, probe: { query, older, details }, connections: 1, sql: 1 }),
      );
  }
  return rows;
}

/** Without details, as the page of Explore requests them, unless stated. */
export const questions: Record<string, { query: string; older?: true; details?: true }> = {
  newest: { query: '' },
  'newest, with details': { query: '', details: true },
  'older, three months deep': { query: '', older: true },
  kind: { query: 'kind:commit' },
  repository: { query: 'repo:acme/repo-7' },
  actor: { query: 'actor:person-7' },
  'pull request': { query: 'repo:acme/repo-7 pr:7' },
  'kind and repository': { query: 'kind:commit repo:acme/repo-7' },
  'rare word': { query: 'wrare' },
  'medium word': { query: 'wmedium' },
  'common word': { query: 'wcommon' },
  'word and repository': { query: 'wmedium repo:acme/repo-7' },
  'common word and repository': { query: 'wcommon repo:acme/repo-7' },
  'word and kind': { query: 'wmedium kind:commit' },
  'two words': { query: 'wmedium wcommon' },
  negation: { query: 'wmedium -kind:commit' },
  'OR of two': { query: 'wmedium OR kind:vulnerability' },
  field: { query: 'branch:main -kind:commit' },
};

const range = 'after:2026-05-24 before:2026-11-20';
const chart = (path: string, body: object): BenchRequest => ({
  method: 'POST',
  path: `/api/v2/events/explore/${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Charts of half a year. */
const chartRequests: BenchRequests = {
  'histogram of all events': [chart('histogram', { query: range })],
  'histogram of a repository': [chart('histogram', { query: `repo:acme/repo-7 ${range}` })],
  'all events by kind': [chart('groups', { query: range, by: 'kind' })],
  'all events by repository': [chart('groups', { query: range, by: 'repo' })],
  'all events by branch': [chart('groups', { query: range, by: 'branch' })],
  'commits by repository': [chart('groups', { query: `kind:commit ${range}`, by: 'repo' })],
  'commits by repository, compared': [
    chart('groups', { query: 'kind:commit after:2026-08-22 before:2026-11-20', by: 'repo', compare: true }),
  ],
  'commits on a branch by repository': [chart('groups', { query: `kind:commit branch:main ${range}`, by: 'repo' })],
  'histogram of commits on a branch': [chart('histogram', { query: `kind:commit branch:main ${range}` })],
  'histogram of a branch': [chart('histogram', { query: `branch:main ${range}` })],
  'merges by repository': [chart('groups', { query: `kind:pr status:merged ${range}`, by: 'repo' })],
  'a person by branch': [chart('groups', { query: `actor:person-7 ${range}`, by: 'branch' })],
  'hours of the week of all events': [chart('week-hours', { query: range })],
  'hours of the week of a repository': [chart('week-hours', { query: `repo:acme/repo-7 ${range}` })],
};

/** Measures the timeline in a browser: as the first page ever opened, and twice after a page without sign-in. */
async function firstPages(server: BenchServer): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  const open = async (name: string, page: Page) => rows.push({ name, ms: await measureExploreOpening(page, server) });
  await inBrowser(server, (page) => open('first event on screen, nothing in the cache of a new browser', page));
  await inSignedOutBrowser(async (page) => {
    // Sign-in uses an address that this server does not have. This page loads the same scripts.
    await page.goto(`${server.url}/terms`);
    await page.getByRole('heading', { name: 'Terms' }).waitFor();
    await signInOwner(page, server);
    await open('after a page without signing in', page);
    await open('again', page);
  });
  return rows;
}

interface Probe {
  query: string;
  older: string | undefined;
  details: boolean;
}

async function measure(
  { server, bare }: MeasuredServers,
  { name, probe, connections, sql }: { name: string; probe: Probe; connections: number; sql: number },
): Promise<ReportRow> {
  const request = requestOf(server, probe);
  const answer = await fetch(`${server.url}${request.path}`, request);
  const body = Buffer.from(await answer.arrayBuffer());
  const { events } = JSON.parse(body.toString()) as ExploreResponse;
  const load = { connections, seconds, next: () => request };
  const ceiling = await bare.measure(body, load);
  await runLoad({ ...load, url: server.url, seconds: 1 });
  await server.delays();
  const before = cpuMillisecondsOf(server.pid);
  const figures = await runLoad({ ...load, url: server.url });
  const cpu = cpuMillisecondsOf(server.pid);
  const each = (ms: number) => Math.round((ms * 1000) / figures.requests);
  return {
    name,
    events: events.length,
    'req/s': figures.perSecond,
    'p50 ms': figures.p50,
    'p99 ms': figures.p99,
    'p99 : p50': Number((figures.p99 / figures.p50).toFixed(1)),
    'bare p50 ms': ceiling.p50,
    'bare p99 ms': ceiling.p99,
    'bare p99 : p50': Number((ceiling.p99 / ceiling.p50).toFixed(1)),
    failed: figures.failed,
    ...(connections === 1 && { 'bare SQL p50 ms': sql, ratio: Number((figures.p50 / sql).toFixed(1)) }),
    'server cpu µs': each(cpu.server - before.server),
    'postgres cpu µs': each(cpu.postgres - before.postgres),
    ...(await server.delays()),
  };
}

const requestOf = ({ token }: BenchServer, { query, older, details }: Probe) => ({
  method: 'POST' as const,
  path: '/api/v2/events/explore/query',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ query, details, pagination: { cursors: older === undefined ? {} : { older } } }),
});

/** Runs the same statements without server, token and HTTP. */
async function directQueries({ superuserUrl, orgId }: BenchServer) {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const database = openDatabase({ url: url.href, max: 1, role: 'sightline_app', onError: () => undefined });
  const services = { database } as Services;
  const actor = { orgId, reach: () => 'all' } as unknown as Actor;
  return {
    /** Returns the median in milliseconds. */
    async time(query: string, older: string | undefined): Promise<number> {
      const probe = await resolveQuestion(services, actor, { query, offset: 0 });
      const [asOf = '', id = ''] = older?.split('_') ?? [];
      const walk = { from: older === undefined ? undefined : { asOf, id }, direction: 'older' as const, limit: 200 };
      const times: number[] = [];
      const end = performance.now() + seconds * 500;
      while (performance.now() < end) {
        const sent = performance.now();
        await readEventsPage(services, probe, walk);
        times.push(performance.now() - sent);
      }
      times.sort((one, other) => one - other);
      return Number((times[Math.floor(times.length / 2)] ?? 0).toFixed(2));
    },
    close: () => database.close(),
  };
}
