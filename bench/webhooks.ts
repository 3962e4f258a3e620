import { createHmac, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { cpuMillisecondsOf } from './cpu.ts';
import { type LoadFigures, type LoadRequest, runLoad, warmUpServer } from './load.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport, type ReportRow } from './report.ts';

const secret = 'a secret of webhooks';
const installation = 1_000_001;
/** Replaced by another ID in each delivery. */
const nodeId = '0123456789abcdef';
const connections = 16;
const seconds = 5;

interface Example {
  name: string;
  examples: Record<string, unknown>[];
}

/**
 * Measures signed webhook deliveries that are verified, stored and acknowledged, each with its own ID, and a server
 * without a database.
 */
export async function benchWebhooks(): Promise<void> {
  const server = await startServer(githubEnvironment());
  const rows: ReportRow[] = [];
  try {
    const client = new pg.Client({ connectionString: server.ownerUrl });
    await client.connect();
    await insertInstallation(server);
    const bare = await startBare();
    for (const event of ['push', 'pull_request']) {
      const example = exampleOf(event);
      const next = () => createDelivery(event, example);
      await warmUpServer({ url: server.url, connections, next });
      await warmUpServer({ url: bare.url, connections, next });
      await untilProcessed(client, server.orgId);
      const storedBefore = await count(client, server.orgId);
      const before = cpuMillisecondsOf(server.pid);
      const figures = await runLoad({ url: server.url, connections, seconds, next });
      const cpu = cpuMillisecondsOf(server.pid);
      const stored = (await count(client, server.orgId)) - storedBefore;
      const processed = await untilProcessed(client, server.orgId);
      const each = (ms: number) => Math.round((ms * 1000) / figures.requests);
      rows.push({
        ...rowOf(`${event} (${example.length} B): verified and stored`, figures),
        lost: figures.requests - stored,
        'processed after s': processed,
        'server cpu µs': each(cpu.server - before.server),
        'postgres cpu µs': each(cpu.postgres - before.postgres),
      });
      rows.push(
        rowOf(`${event}: ceiling, verified only`, await runLoad({ url: bare.url, connections, seconds, next })),
      );
    }
    bare.close();
    await client.end();
  } finally {
    await server.stop();
  }
  printReport('webhooks, 16 connections', rows);
}

/** Inserts the installation that every delivery belongs to. */
export async function insertInstallation({ ownerUrl, orgId, accountId }: BenchServer): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`begin; select set_config('app.org', '${orgId}', true)`);
  await client.query(
    "insert into installation (org_id, provider, installation_id, account_login, html_url, created_by) values ($1, 'github', $2, 'acme', 'https://example.org', $3)",
    [orgId, String(installation), accountId],
  );
  await client.query('commit');
  await client.end();
}

/** Returns a signed delivery with its own ID and content: equal bodies are duplicates, which are not stored. */
export function createDelivery(event: string, example: string): LoadRequest {
  const { bytes, at } = templateOf(example);
  const body = Buffer.from(bytes);
  body.write(randomBytes(nodeId.length / 2).toString('hex'), at, 'latin1');
  return { method: 'POST', path: '/api/webhooks/github', headers: headersOf(event, body), body };
}

const templates = new Map<string, { bytes: Buffer; at: number }>();

/** Returns the UTF-8 of an example and the place of its node ID, computed once, since the load shares the processors with the server. */
function templateOf(example: string): { bytes: Buffer; at: number } {
  const known = templates.get(example);
  if (known) return known;
  const bytes = Buffer.from(example);
  const template = { bytes, at: bytes.indexOf(nodeId) };
  templates.set(example, template);
  return template;
}

const rowOf = (name: string, { perSecond, p50, p99, failed }: LoadFigures): ReportRow => ({
  name,
  'deliveries/s': perSecond,
  'p50 ms': p50,
  'p99 ms': p99,
  failed,
});

async function count(client: pg.Client, orgId: string, condition = 'true'): Promise<number> {
  await client.query(`begin; select set_config('app.org', '${orgId}', true)`);
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from webhook_delivery where org_id = $1 and ${condition}`,
    [orgId],
  );
  await client.query('commit');
  return Number(rows[0]?.count);
}

/** Returns the seconds from the last response until every delivery is processed. */
async function untilProcessed(client: pg.Client, orgId: string): Promise<number> {
  const started = performance.now();
  while ((await count(client, orgId, 'processed_at is null')) > 0) await setTimeout(50);
  return Number(((performance.now() - started) / 1000).toFixed(1));
}

const headersOf = (event: string, body: Buffer) => ({
  'content-type': 'application/json',
  'x-github-event': event,
  'x-github-delivery': randomUUID(),
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

/** Returns the published example of median size with the ID of our installation. */
export function exampleOf(event: string): string {
  const examples = createRequire(import.meta.url)('@octokit/webhooks-examples/api.github.com/index.json') as Example[];
  const bodies = (examples.find(({ name }) => name === event)?.examples ?? [])
    .map((example) => JSON.stringify({ ...example, installation: { id: installation, node_id: nodeId } }))
    .sort((one, other) => one.length - other.length);
  return bodies[Math.floor(bodies.length / 2)] ?? '{}';
}

/** Starts a minimal receiver: node:http, the same signature check, JSON.parse, and a response. */
async function startBare(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      JSON.parse(body.toString());
      response.writeHead(request.headers['x-hub-signature-256'] === expected ? 202 : 401).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/**
 * Configures a GitHub app that is never called: deliveries of repositories that are not enabled need no request to the
 * host.
 */
export function githubEnvironment(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    GITHUB_URL: 'http://127.0.0.1:9',
    GITHUB_APP_ID: '1',
    GITHUB_APP_SLUG: 'bench',
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_APP_CLIENT_ID: 'bench',
    GITHUB_APP_CLIENT_SECRET: 'bench',
    GITHUB_WEBHOOK_SECRET: secret,
  };
}
