import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { refusalOf, startTestServer, type TestServer } from '../testing/server.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status?: { code: number };
}
interface Body {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

/** Starts a server with a span collector. `take` returns the response status of each delivery. */
async function traced(
  environment: Record<string, string> = {},
  take: (request: IncomingMessage) => number = () => 200,
) {
  const spans: SentSpan[] = [];
  const lines: Record<string, unknown>[] = [];
  const collector = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const status = take(request);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Body;
    if (status === 200)
      spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)));
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const server = await startTestServer({
    jobs: environment.ROLE !== 'api',
    onLog: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      TRACE_SAMPLE_RATE: '1',
      LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  closing.push(() => collector.close());
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= server.close());
  closing.unshift(close);
  return { server, spans, lines, close };
}

const live = async (server: TestServer, headers: Record<string, string> = {}) =>
  (await server.app.inject({ url: '/api/health/live', headers })).statusCode;
const attributesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

test('records method, route and status of a request with its statements, and no path values or query', async () => {
  const { server, spans, close } = await traced({ ROLE: 'api' });
  const { id, owner } = await server.make.organization();
  const before = Date.now();
  await server.as(owner, id)(listMembers, { query: { search: 'quokka' } });
  const item = { plugin_id: 'editor', event_type: 'other', message_id: crypto.randomUUID(), original_timestamp: '0' };
  await server.as(owner, id)(recordEvents, { body: [item] });
  await close();
  for (const name of ['GET /api/v2/auth0mgm/org/members', 'POST /api/v2/events/user']) {
    const [request] = spans.filter((span) => span.name === name);
    expect(request).toMatchObject({ kind: 2, traceId: expect.stringMatching(/^[\da-f]{32}$/) });
    expect(request && attributesOf(request)).toMatchObject({
      'http.response.status_code': expect.stringMatching(/^20\d$/),
    });
    expect(Number(BigInt(request?.startTimeUnixNano ?? 0) / 1_000_000n)).toBeGreaterThanOrEqual(before - 1);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      expect(statement).toMatchObject({ traceId: request?.traceId, kind: 3 });
      expect(attributesOf(statement)).toEqual({ 'db.system.name': 'postgresql' });
    }
  }
  expect(JSON.stringify(spans)).not.toMatch(/quokka/);
  expect(JSON.stringify(spans)).not.toContain(owner.id);
});

test('keeps the statements of requests under way at once apart', async () => {
  const { server, spans, close } = await traced({ ROLE: 'api', DATABASE_POOL: '2' });
  const { id, owner } = await server.make.organization();
  const ask = () => server.as(owner, id)(queryEvents, { body: {} });
  // The first request fills the caches of the others.
  await ask();
  await ask();
  await Promise.all(Array.from({ length: 12 }, ask));
  await close();
  const requests = spans.filter(({ name }) => name === 'POST /api/v2/events/explore/query');
  const [, alone, ...together] = requests.map(
    (one) => spans.filter(({ parentSpanId }) => parentSpanId === one.spanId).length,
  );
  expect(alone).toBeGreaterThan(0);
  expect(together).toEqual(Array.from({ length: 12 }, () => alone));
});

test('traces jobs with their statements', { tags: ['full'] }, async () => {
  const { server, spans, close } = await traced();
  const { metrics } = server.services;
  await vi.waitFor(async () => expect((await metrics.jobs.get()).values.length).toBeGreaterThan(0), {
    timeout: 30_000,
    interval: 50,
  });
  await close();
  const job = spans.find(({ name }) => name.startsWith('job '));
  expect(job).toMatchObject({ kind: 1 });
  expect(spans.some(({ parentSpanId }) => parentSpanId === job?.spanId)).toBe(true);
});

test('names the trace in log lines, and marks a failed request', async () => {
  const { server, spans, lines, close } = await traced({ ROLE: 'api', ACCESS_LOG: 'on' });
  const { id, owner } = await server.make.organization();
  vi.spyOn(server.services.database, 'withOrg').mockRejectedValueOnce(new Error('boom'));
  expect(await refusalOf(server.as(owner, id)(listMembers, { query: {} }))).toMatchObject({ status: 500 });
  await close();
  const failed = spans.find(({ name, status }) => name.endsWith('/org/members') && status?.code === 2);
  expect(failed).toBeDefined();
  expect(lines.find(({ err }) => (err as Error | undefined)?.message === 'boom')).toMatchObject({
    traceId: failed?.traceId,
  });
  expect(lines.find(({ log, status }) => log === 'access' && status === 500)).toMatchObject({
    traceId: failed?.traceId,
  });
});

test('spec 9: the server sends about one request in ten to the collector', async () => {
  const { server, spans, close } = await traced({ ROLE: 'api', TRACE_SAMPLE_RATE: '' });
  for (let count = 0; count < 400; count += 1) await live(server);
  await close();
  const requests = spans.filter(({ kind }) => kind === 2);
  // Forty are expected on average; the bounds are five standard deviations.
  expect(requests.length).toBeGreaterThan(10);
  expect(requests.length).toBeLessThan(70);
});

test.each([
  ['1', 'a'.repeat(32)],
  ['', undefined],
])('continues the trace of a proxy only if it is trusted (TRUST_PROXY=%s)', async (proxy, traceId) => {
  const { server, spans, close } = await traced({ ROLE: 'api', TRUST_PROXY: proxy });
  await live(server, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
  await live(server, { traceparent: '00-nonsense' });
  await close();
  const [first, second] = spans.filter(({ kind }) => kind === 2);
  expect(first?.traceId === 'a'.repeat(32) ? first.traceId : undefined).toBe(traceId);
  expect(first?.parentSpanId).toBe(traceId && 'b'.repeat(16));
  expect(second?.parentSpanId).toBeUndefined();
});

test('logs an unavailable collector once and fails no request', async () => {
  let deliveries = 0;
  const { server, lines, close } = await traced({ ROLE: 'api' }, ({ method, url }) => {
    expect([method, url]).toEqual(['POST', '/v1/traces']);
    deliveries += 1;
    return 503;
  });
  for (let round = 1; round <= 2; round += 1) {
    for (let count = 0; count < 512; count += 1) expect(await live(server)).toBe(200);
    await vi.waitFor(() => expect(deliveries).toBeGreaterThanOrEqual(round), { timeout: 10_000 });
  }
  await close();
  expect(lines.filter(({ msg }) => msg === 'the trace collector is unavailable')).toHaveLength(1);
});
