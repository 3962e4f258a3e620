import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listAgentSessions } from '@sightline/contract/tools/agent-sessions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesIn, rowsAsText } from '#testing/stored-data.ts';
import type { RunningServer } from '../cli/testing/installation.ts';
import { canary, vendorExamples } from '../domains/tools/agent-sessions/testing/examples.ts';
import { encodings, type SentTelemetry, sendTelemetry } from '../domains/tools/agent-sessions/testing/otlp.ts';
import { type CrashScene, createScene } from './testing/scene.ts';

let scene: CrashScene;
let server: RunningServer;
let token: string;
beforeAll(async () => {
  scene = await createScene({ LOG_LEVEL: 'trace' });
  server = scene.server;
  token = await scene.token();
}, 180_000);
afterAll(() => scene?.installation.close(), 180_000);

const spansPerRequest = 20;

/** Spans of one session of a writer, each with its own ID. */
const spansOf = (writer: number, turn: number): SentTelemetry => ({
  signal: 'traces',
  resource: { 'service.name': 'copilot-chat' },
  records: Array.from({ length: spansPerRequest }, (_, index) => ({
    name: 'chat',
    at: new Date(Date.now() - index).toISOString(),
    spanId: (writer * 1_000_000 + turn * spansPerRequest + index + 1).toString(16).padStart(16, '0'),
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': `conversation-${writer}`,
      'gen_ai.request.model': 'gpt-5.2',
      'gen_ai.usage.input_tokens': 1,
    },
  })),
});

test('loses no acknowledged span when the server is killed, and counts none twice when it is sent again', {
  tags: ['full'],
  timeout: 240_000,
}, async () => {
  const acknowledged: SentTelemetry[] = [];
  const unanswered: SentTelemetry[] = [];
  let reached = () => {};
  const enough = new Promise<void>((resolve) => {
    reached = resolve;
  });
  async function write(writer: number): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const spans = spansOf(writer, turn);
      const answer = await sendTelemetry(scene.installation.url, token, spans, 'protobuf+gzip').catch(() => undefined);
      if (answer === undefined || answer.status === 503) {
        unanswered.push(spans);
        return;
      }
      expect(answer.status).toBe(200);
      acknowledged.push(spans);
      if (acknowledged.length >= 60) reached();
    }
  }
  const writers = Array.from({ length: 8 }, (_, writer) => write(writer));
  await enough;
  await server.end('SIGKILL');
  await Promise.all(writers);
  expect(unanswered).toHaveLength(8);

  server = await scene.installation.start();
  const stored = async () => {
    const { rows } = await scene.call(listAgentSessions, { query: { perPage: 100 } });
    return rows.reduce((sum, { totals }) => sum + (totals.inputTokens ?? 0), 0);
  };
  const promised = acknowledged.length * spansPerRequest;
  expect(await stored()).toBeGreaterThanOrEqual(promised);
  // Exporters repeat what was not answered, and here also what was.
  for (const spans of [...unanswered, ...acknowledged.slice(-8), ...unanswered]) {
    expect((await sendTelemetry(scene.installation.url, token, spans, 'protobuf+gzip')).status).toBe(200);
  }
  expect(await stored()).toBe(promised + unanswered.length * spansPerRequest);
});

test('leaves no byte of a prompt in rows, logs or files', { timeout: 240_000 }, async () => {
  for (const { telemetry } of Object.values(vendorExamples)) {
    for (const one of telemetry) {
      for (const encoding of encodings) {
        expect((await sendTelemetry(scene.installation.url, token, one, encoding)).status).toBe(200);
      }
      // Damaged requests are refused, and not logged either.
      const damaged = await fetch(`${scene.installation.url}/v1/${one.signal}?${canary}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: `{"resourceLogs": ${canary}`,
      });
      expect(damaged.status).toBe(400);
      expect(await damaged.text()).not.toContain(canary);
    }
  }
  expect((await scene.call(listAgentSessions, { query: { agent: ['claude-code'] } })).total).toBe(1);

  const rows = await rowsAsText(await scene.installation.databaseUrl());
  expect(rows).toContain('claude-sonnet-5');
  expect(rows).not.toContain(canary);
  expect(server.output()).not.toContain(canary);
  const backup = join(scene.installation.dataDir, 'telemetry.backup');
  await scene.installation.ask('backup', backup);
  await server.end('SIGTERM');
  expect(await filesWith(scene.installation.dataDir)).toEqual([]);
});

/** The files of the data directory with the canary: the write-ahead log of the database, and the compressed backup. */
async function filesWith(folder: string): Promise<string[]> {
  const holding: string[] = [];
  for (const file of await filesIn(folder)) {
    const bytes = await readFile(file);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if ((isGzip ? gunzipSync(bytes) : bytes).includes(canary)) holding.push(file);
  }
  return holding;
}
