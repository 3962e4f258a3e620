import { gunzipSync } from 'node:zlib';
import { type TelemetrySignal, telemetrySignals } from '@sightline/contract/tools/agent-sessions.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateAccessKey, isAccessKey, markKeyUsed } from '#core/access-keys.ts';
import { requireMemberActor } from '#core/actor.ts';
import { bearerTokenOf } from '#core/bearer-token.ts';
import { Archived, Invalid, Refusal } from '#core/errors.ts';
import { countRequest } from '#core/request-limits.ts';
import type { Services } from '#core/services.ts';
import { createTelemetryIntake, type TelemetryIntake } from './intake.ts';
import { type MappedRecord, mapRecord } from './map.ts';
import { encodeRefusal, encodeResponse } from './otlp/messages.ts';
import { readRequest } from './otlp/records.ts';
import { telemetryStart } from './retention.ts';
import type { Reporter } from './save.ts';

const MEBIBYTE = 1024 * 1024;
const MAX_BODY_BYTES = 4 * MEBIBYTE;
/** After decompression. */
const MAX_REQUEST_BYTES = 8 * MEBIBYTE;
const MAX_RECORDS = 10_000;
/** Requests of an organization that one process handles at a time, which bounds the memory of waiting records. */
const MAX_RUNNING_REQUESTS = 64;
/** Clocks of machines may be ahead. */
const FUTURE_TOLERANCE_MS = 24 * 60 * 60_000;

const protobufType = 'application/x-protobuf';
const rejectedCounts: Record<TelemetrySignal, string> = {
  logs: 'rejectedLogRecords',
  traces: 'rejectedSpans',
  metrics: 'rejectedDataPoints',
};

interface TelemetrySender {
  orgId: string;
  /** Undefined for a key of the organization. */
  reporter: Reporter | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    telemetrySender: TelemetrySender | undefined;
  }
}

/**
 * Receives telemetry of agents as OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/). Not endpoints of the contract:
 * the protocol defines paths, bodies and responses. A response follows the commit.
 */
export async function otlpRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const intake = createTelemetryIntake(services);
  const running = createRunningCount();
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      [protobufType, 'application/json'],
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.decorateRequest('telemetrySender', undefined);
    scope.addHook('onRequest', async (request, reply) => {
      const sender = await authenticateSender(services, request);
      reply.raw.once('close', running.start(sender.orgId));
      request.telemetrySender = sender;
    });
    // The protocol has its own form of refusals.
    scope.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode < 400 || typeof payload !== 'string') return payload;
      const { message } = JSON.parse(payload) as { message: string };
      if (!isProtobuf(request)) return JSON.stringify({ message });
      reply.type(protobufType);
      return encodeRefusal(message);
    });
    for (const signal of telemetrySignals) {
      scope.post(`/v1/${signal}`, async (request, reply) => {
        const { accepted, problems } = mapRequest(services, signal, request);
        await storeRecords(services, intake, request, accepted);
        const rejected = [...problems.values()].reduce((sum, count) => sum + count, 0);
        const errorMessage = [...problems].map(([problem, count]) => `${count}: ${problem}`).join('; ');
        if (isProtobuf(request)) {
          return reply.type(protobufType).send(encodeResponse(rejected > 0 ? { rejected, errorMessage } : undefined));
        }
        const partialSuccess = { [rejectedCounts[signal]]: String(rejected), errorMessage };
        return reply.type('application/json').send(JSON.stringify(rejected > 0 ? { partialSuccess } : {}));
      });
    }
  });
}

/** Maps the records of a request. Returns those to store, and the number of rejected ones by reason. */
function mapRequest(
  { config }: Services,
  signal: TelemetrySignal,
  request: FastifyRequest,
): { accepted: MappedRecord[]; problems: ReadonlyMap<string, number> } {
  const records = readRequest(signal, bodyOf(request), isProtobuf(request) ? 'protobuf' : 'json');
  if (!records) throw Invalid('', 'is not a valid OTLP request');
  if (records.length > MAX_RECORDS) {
    throw new Refusal('too_large', `A request may contain at most ${MAX_RECORDS} records.`);
  }
  const kept = { from: telemetryStart(config).getTime(), to: Date.now() + FUTURE_TOLERANCE_MS };
  const accepted: MappedRecord[] = [];
  const problems = new Map<string, number>();
  for (const record of records) {
    const mapped = mapRecord(record, kept);
    if (typeof mapped === 'object') accepted.push(mapped);
    else if (mapped !== 'ignored') problems.set(mapped, (problems.get(mapped) ?? 0) + 1);
  }
  return { accepted, problems };
}

async function storeRecords(
  services: Services,
  intake: TelemetryIntake,
  request: FastifyRequest,
  records: readonly MappedRecord[],
): Promise<void> {
  const { telemetrySender: sender } = request;
  if (!sender || records.length === 0) return;
  const { orgId, reporter } = sender;
  const points = records.length;
  if (reporter) {
    await countRequest(services, { request, limit: 'telemetryOfAccount', subject: reporter.accountId, points });
  }
  await countRequest(services, { request, limit: 'telemetryOfOrganization', subject: orgId, points });
  await intake(orgId, { reporter, records });
}

/** An access key for telemetry, or the token of a member. Throws 401 otherwise, 409 for an archived organization. */
async function authenticateSender(services: Services, request: FastifyRequest): Promise<TelemetrySender> {
  const { database, memberships, verifyToken } = services;
  const token = bearerTokenOf(request);
  if (token !== undefined && isAccessKey(token)) {
    const actor = await authenticateAccessKey(database, { key: token, use: 'telemetry' }, request);
    const { orgId, member, archived } = actor;
    if (archived) throw Archived();
    await countRequest(services, { request, limit: 'organization', subject: orgId });
    await database.withOrg(orgId, (tx) => markKeyUsed(tx, actor));
    return { orgId, reporter: member ?? undefined };
  }
  const actor = await requireMemberActor(memberships, {
    claims: token === undefined ? undefined : await verifyToken(token),
    request,
    permission: 'read:events',
    isUse: false,
  });
  const { orgId, accountId, personId, archived } = actor;
  if (archived) throw Archived();
  await countRequest(services, { request, limit: 'account', subject: accountId });
  await countRequest(services, { request, limit: 'organization', subject: orgId });
  return { orgId, reporter: { accountId, personId } };
}

const isProtobuf = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === protobufType;

/** The body after decompression. It is synchronous, so that only one is in memory at a time. */
function bodyOf({ body, headers }: FastifyRequest): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip') {
    throw new Refusal('unsupported_media_type', 'Send the body uncompressed or with the content encoding gzip.');
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_REQUEST_BYTES });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_BUFFER_TOO_LARGE') throw Invalid('', 'is not valid gzip');
    throw new Refusal('too_large', `The body is larger than ${MAX_REQUEST_BYTES / MEBIBYTE} MB after decompression.`);
  }
}

function createRunningCount() {
  const running = new Map<string, number>();
  return {
    /** Counts a request until the returned function is called. Throws 429 over the limit. */
    start(orgId: string): () => void {
      const count = running.get(orgId) ?? 0;
      if (count >= MAX_RUNNING_REQUESTS) {
        throw new Refusal('rate_limited', 'Too many requests of this organization are running.', {}, { retryAfter: 1 });
      }
      running.set(orgId, count + 1);
      return () => {
        const left = (running.get(orgId) ?? 0) - 1;
        if (left > 0) running.set(orgId, left);
        else running.delete(orgId);
      };
    },
  };
}
