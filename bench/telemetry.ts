import pg from 'pg';
import { encodeTelemetry } from '../server/src/domains/tools/agent-sessions/testing/otlp.ts';
import { cpuMillisecondsOf } from './cpu.ts';
import { runLoad, warmUpServer } from './load.ts';
import { startServer } from './process.ts';
import { printReport, type ReportRow } from './report.ts';

const connections = 16;
const seconds = 5;
const spansPerRequest = 100;
const sessions = 64;

/**
 * Measures distinct spans through /v1/traces in protobuf with gzip, with token, mapping, deduplication, totals and
 * ledger, compared with COPY into the same table.
 */
export async function benchTelemetry(): Promise<void> {
  const server = await startServer();
  const rows: ReportRow[] = [];
  const client = new pg.Client({ connectionString: superuserUrlOf(server.superuserUrl) });
  try {
    await client.connect();
    const count = async () => {
      const { rows: counted } = await client.query<{ n: string }>('select count(*) as n from agent_record');
      return Number(counted[0]?.n);
    };
    const next = createRequests(server.token, 5_000);
    await warmUpServer({ url: server.url, connections, next });
    const before = await count();
    const cpuBefore = cpuMillisecondsOf(server.pid);
    const figures = await runLoad({ url: server.url, connections, seconds, next });
    const cpu = cpuMillisecondsOf(server.pid);
    const stored = (await count()) - before;
    const perSpan = (ms: number) => Math.round((ms * 1000) / stored);
    rows.push({
      name: `endpoint, ${spansPerRequest} spans each`,
      'spans/s': figures.perSecond * spansPerRequest,
      'p50 ms': figures.p50,
      'p99 ms': figures.p99,
      stored,
      lost: figures.requests * spansPerRequest - stored,
      failed: figures.failed,
      'server cpu µs': perSpan(cpu.server - cpuBefore.server),
      'postgres cpu µs': perSpan(cpu.postgres - cpuBefore.postgres),
    });
    rows.push(await measureCopy(client));
  } finally {
    await client.end();
    await server.stop();
  }
  printReport('telemetry', rows);
}

function superuserUrlOf(url: string): string {
  const address = new URL(url);
  address.pathname = '/sightline';
  return address.href;
}

/** Encodes requests with distinct spans before the measurement. */
function createRequests(token: string, howMany: number) {
  const now = Date.now();
  const requests = Array.from({ length: howMany }, (_, request) => {
    const { headers, body } = encodeTelemetry(
      {
        signal: 'traces',
        resource: { 'service.name': 'copilot-chat', 'service.version': '0.59.0' },
        records: Array.from({ length: spansPerRequest }, (__, index) => ({
          name: index % 3 === 0 ? 'execute_tool readFile' : 'chat gpt-5.2',
          at: new Date(now - request * 10 - index).toISOString(),
          endsAt: new Date(now - request * 10).toISOString(),
          spanId: (request * spansPerRequest + index + 1).toString(16).padStart(16, '0'),
          attributes: {
            'gen_ai.operation.name': index % 3 === 0 ? 'execute_tool' : 'chat',
            'gen_ai.provider.name': 'github',
            'gen_ai.conversation.id': `conversation-${request % sessions}`,
            ...(index % 3 === 0
              ? { 'gen_ai.tool.name': 'readFile', 'gen_ai.tool.call.id': `call_${request}_${index}` }
              : {
                  'gen_ai.request.model': 'gpt-5.2',
                  'gen_ai.response.id': `resp_${request}_${index}`,
                  'gen_ai.usage.input_tokens': 3000 + index,
                  'gen_ai.usage.output_tokens': 90,
                }),
          },
        })),
      },
      'protobuf+gzip',
    );
    return { headers: { ...headers, authorization: `Bearer ${token}` }, body };
  });
  return () => {
    const request = requests.pop();
    return request && { method: 'POST' as const, path: '/v1/traces', ...request };
  };
}

/** Measures COPY of stored records into their table, without mapping, totals and ledger. */
async function measureCopy(client: pg.Client): Promise<ReportRow> {
  const folder = (await client.query<{ data_directory: string }>('show data_directory')).rows[0]?.data_directory;
  const file = `'${folder}/records.copy'`;
  const columns = 'org_id, session_id, digest, at, signal, kind, fields, prompt_hash, entry_id';
  const { rowCount } = await client.query(
    `copy (select ${columns.replace('digest', 'sha256(digest)')} from agent_record limit 200000) to ${file} (format binary)`,
  );
  const started = performance.now();
  await client.query(`copy agent_record (${columns}) from ${file} (format binary)`);
  const elapsed = (performance.now() - started) / 1000;
  return { name: 'ceiling: COPY into the same table', 'spans/s': Math.round((rowCount ?? 0) / elapsed) };
}
