import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type EventStore,
  type JSONRPCMessage,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createPersonalKey } from '@sightline/contract/identity/access-keys.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttp } from '#core/http.ts';
import { freePort } from '#testing/free-port.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { serveMcp } from './routes.ts';
import { createConformanceServer } from './testing/conformance-content.ts';

const real = resolve(import.meta.dirname, '../../../../../extensions/mcp/real');
const suite = join(real, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const isMissing = !existsSync(suite);
if (isMissing && process.env.CLIENTS_REQUIRED === '1')
  throw new Error('The packages of extensions/mcp/real are missing.');

let server: TestServer;
let key: string;
let content: FastifyInstance;
let port: number;
const closing: (() => void)[] = [];

beforeAll(async () => {
  if (isMissing) return;
  port = await freePort();
  server = await startTestServer({ environment: { PUBLIC_URL: `http://localhost:${port}` } });
  const org = await server.make.organization();
  ({ key } = await server.as(org.owner, org.id)(createPersonalKey, { body: { name: 'Suite', use: 'mcp' } }));
  content = createHttp(server.config, server.services.log);
  await serveMcp(content, server.services, createSessions());
  await content.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  for (const close of closing) close();
  await content?.close();
  await server?.close();
});

test.skipIf(isMissing)(
  'passes the scenarios of the conformance suite that need no content of its own',
  { tags: ['full'] },
  async () => {
    const output = await runSuite(server.app, ['--expected-failures', join(real, 'conformance-expected.yml')]);
    expect(output).toContain('Baseline check passed');
  },
);

test.skipIf(isMissing)("serves the suite's own content so that every scenario passes", { tags: ['full'] }, async () => {
  const output = await runSuite(content, []);
  expect(output).toMatch(/Total: (\d+) passed, 0 failed/);
});

/** Runs all scenarios for servers. Throws if one fails that is not expected to. Returns what the suite printed. */
async function runSuite(app: FastifyInstance, args: string[]): Promise<string> {
  const close = await startProxy(app);
  const results = await mkdtemp(join(tmpdir(), 'sightline-conformance-'));
  try {
    return await new Promise<string>((done, fail) => {
      const given = [
        suite,
        'server',
        '--url',
        `http://localhost:${port}/mcp`,
        '--suite',
        'all',
        '-o',
        results,
        ...args,
      ];
      execFile(process.execPath, given, { maxBuffer: 1e8, timeout: 50_000 }, (error, stdout, stderr) => {
        if (error) fail(new Error(`${stdout}${stderr}`.slice(-8_000)));
        else done(stdout);
      });
    });
  } finally {
    close();
    await rm(results, { recursive: true, force: true });
  }
}

/** Listens on the port of `PUBLIC_URL` and adds the access key, since the suite sends no credential. */
async function startProxy(app: FastifyInstance): Promise<() => void> {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const options = { host: '127.0.0.1', port: address.port, path: url, method, agent: false };
    const onward = forward({ ...options, headers: { ...headers, authorization: `Bearer ${key}` } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done));
  const close = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
  closing.push(close);
  return close;
}

/** Serves the suite's content in sessions: its scenarios send requests to the client and resume streams. */
function createSessions(): Parameters<typeof serveMcp>[2] {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (_caller, _request, webRequest) => {
    const found = sessions.get(webRequest.headers.get('mcp-session-id') ?? '');
    if (found) return found.handleRequest(webRequest);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
      eventStore: createEventStore(),
      retryInterval: 500,
    });
    await createConformanceServer().connect(transport);
    return transport.handleRequest(webRequest);
  };
}

function createEventStore(): EventStore {
  const events: { id: string; streamId: string; message: JSONRPCMessage }[] = [];
  return {
    storeEvent: async (streamId, message) => {
      const id = `${streamId}-${events.length}`;
      events.push({ id, streamId, message });
      return id;
    },
    replayEventsAfter: async (lastEventId, { send }) => {
      const last = events.findIndex(({ id }) => id === lastEventId);
      const streamId = events[last]?.streamId ?? '';
      for (const event of events.slice(last + 1)) {
        if (event.streamId === streamId) await send(event.id, event.message);
      }
      return streamId;
    },
  };
}
