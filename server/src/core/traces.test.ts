import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOtlp } from '../providers/traces/otlp.ts';
import { startTestServer } from '../testing/server.ts';
import { type Span, traceRequests } from './traces.ts';

const log = { warn: vi.fn() };
beforeEach(() => log.warn.mockReset());
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An app with a route that answers and one that fails, whose requests are traced. */
function traced(options: Partial<Parameters<typeof traceRequests>[1]>) {
  const app = Fastify();
  const spans: Span[] = [];
  const send = async (some: readonly Span[]) => void spans.push(...some);
  traceRequests(app, { rate: 1, send, log, trustsParent: false, ...options });
  app.get('/things/:id', async () => 'yes');
  app.get('/broken', async () => Promise.reject(new Error('no')));
  return { app, spans };
}

/** A collector of traces; `take` answers the status for each body. */
async function collect(take: (body: unknown, request: IncomingMessage) => number): Promise<{ port: number }> {
  const collector = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    response.writeHead(take(JSON.parse(Buffer.concat(parts).toString()), request)).end();
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  closing.push(() => collector.close());
  return { port: (collector.address() as AddressInfo).port };
}

test('records method, route, status and duration in a span, and no path values or query', async () => {
  const { app, spans } = traced({});
  const before = Date.now();
  await app.inject('/things/ada@example.com?token=secret');
  await app.inject('/broken');
  await app.close();
  expect(spans.map(({ name, failed }) => [name, failed])).toEqual([
    ['GET /things/:id', false],
    ['GET /broken', true],
  ]);
  const [span] = spans;
  expect(span?.attributes).toMatchObject({ 'http.route': '/things/:id', 'http.response.status_code': 200 });
  expect(span?.traceId).toMatch(/^[\da-f]{32}$/);
  expect(span?.start).toBeGreaterThanOrEqual(before - 1);
  expect(span?.end).toBeGreaterThanOrEqual(span?.start ?? 0);
  expect(JSON.stringify(spans)).not.toMatch(/ada|secret/);
});

test('spec 9: the server sends about one request in ten to the collector', async () => {
  const spans: unknown[] = [];
  const { port } = await collect((body) => {
    for (const { scopeSpans } of (body as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] }).resourceSpans)
      for (const { spans: some } of scopeSpans) spans.push(...some);
    return 200;
  });
  const server = await startTestServer({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
  for (let count = 0; count < 400; count += 1) await server.app.inject('/health/live');
  await server.close();
  // Forty on average; five standard deviations to either side.
  expect(spans.length).toBeGreaterThan(10);
  expect(spans.length).toBeLessThan(70);
});

test.each([
  [true, 'a'.repeat(32)],
  [false, undefined],
])('continues the trace of a proxy only if it is trusted (%s)', async (trustsParent, traceId) => {
  const { app, spans } = traced({ trustsParent });
  await app.inject({ url: '/things/1', headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } });
  await app.inject({ url: '/things/1', headers: { traceparent: '00-nonsense' } });
  await app.close();
  expect(spans[0]?.traceId === 'a'.repeat(32) ? spans[0].traceId : undefined).toBe(traceId);
  expect(spans[0]?.parentId).toBe(trustsParent ? 'b'.repeat(16) : undefined);
  expect(spans[1]?.parentId).toBeUndefined();
});

test('sends spans as OTLP; logs an unavailable collector once and fails no request', async () => {
  const bodies: unknown[] = [];
  let status = 503;
  const { port } = await collect((body, request) => {
    bodies.push([request.method, request.url, body]);
    return status;
  });
  const send = createOtlp(`http://127.0.0.1:${port}`);
  const { app } = traced({ send });
  expect((await app.inject('/things/1')).statusCode).toBe(200);
  await app.close();
  expect(log.warn).toHaveBeenCalledOnce();
  status = 200;
  const again = traced({ send });
  await again.app.inject('/things/1');
  await again.app.close();
  expect(log.warn).toHaveBeenCalledOnce();
  const span = {
    ...{ traceId: expect.stringMatching(/^[\da-f]{32}$/), spanId: expect.stringMatching(/^[\da-f]{16}$/), kind: 2 },
    ...{ name: 'GET /things/:id', startTimeUnixNano: expect.stringMatching(/^\d{19}$/) },
    attributes: expect.arrayContaining([{ key: 'http.response.status_code', value: { intValue: '200' } }]),
  };
  expect(bodies.at(-1)).toEqual([
    'POST',
    '/v1/traces',
    {
      resourceSpans: [
        expect.objectContaining({ scopeSpans: [expect.objectContaining({ spans: [expect.objectContaining(span)] })] }),
      ],
    },
  ]);
});
