import { gzipSync } from 'node:zlib';
import {
  type ISerializer,
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import type { TelemetrySignal } from '@sightline/contract/tools/agent-sessions.ts';

type Values = Record<string, string | number | boolean | string[]>;

/** One record as an agent creates it. `at` is RFC 3339. */
export interface SentRecord {
  name: string;
  at: string;
  attributes: Values;
  /** Of a log record: its body; the name by default. */
  body?: string;
  /** Of a span. */
  spanId?: string;
  endsAt?: string;
  failed?: boolean;
  /** Of a point of a sum. */
  value?: number;
  cumulativeSince?: string;
}

export interface SentTelemetry {
  signal: TelemetrySignal;
  resource: Values;
  records: readonly SentRecord[];
}

export const encodings = ['protobuf', 'protobuf+gzip', 'json', 'json+gzip'] as const;
export type Encoding = (typeof encodings)[number];

const serializers: Record<
  TelemetrySignal,
  { json: ISerializer<never, unknown>; protobuf: ISerializer<never, unknown> }
> = {
  logs: { json: JsonLogsSerializer, protobuf: ProtobufLogsSerializer },
  traces: { json: JsonTraceSerializer, protobuf: ProtobufTraceSerializer },
  metrics: { json: JsonMetricsSerializer, protobuf: ProtobufMetricsSerializer },
};

const timeOf = (at: string): [number, number] => {
  const ms = Date.parse(at);
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
};
const scope = { name: 'test' };

/** Encodes telemetry with the serializers of OpenTelemetry, with which most agents send it. */
export function encodeTelemetry(
  { signal, resource, records }: SentTelemetry,
  encoding: Encoding,
): { headers: Record<string, string>; body: Buffer } {
  const shared = { resource: { attributes: resource, merge: () => undefined }, instrumentationScope: scope };
  const shapes = {
    logs: () =>
      records.map(({ name, at, attributes, body = name }) => ({
        ...shared,
        hrTime: timeOf(at),
        hrTimeObserved: timeOf(at),
        body,
        attributes,
        droppedAttributesCount: 0,
      })),
    traces: () =>
      records.map(({ name, at, endsAt = at, attributes, spanId = '00000000000000aa', failed = false }) => ({
        ...shared,
        name,
        kind: 0,
        spanContext: () => ({ traceId: '5b8efff798038103d269b633813fc60c', spanId, traceFlags: 1 }),
        startTime: timeOf(at),
        endTime: timeOf(endsAt),
        status: { code: failed ? 2 : 0 },
        attributes,
        links: [],
        events: [],
        duration: [0, 0],
        ended: true,
        droppedAttributesCount: 0,
        droppedEventsCount: 0,
        droppedLinksCount: 0,
      })),
    metrics: () => ({
      resource: shared.resource,
      scopeMetrics: [
        {
          scope,
          metrics: records.map(({ name, at, attributes, value = 1, cumulativeSince }) => ({
            descriptor: { name, description: '', unit: '', valueType: Number.isInteger(value) ? 0 : 1 },
            aggregationTemporality: cumulativeSince === undefined ? 0 : 1,
            dataPointType: 3,
            isMonotonic: true,
            dataPoints: [{ startTime: timeOf(cumulativeSince ?? at), endTime: timeOf(at), attributes, value }],
          })),
        },
      ],
    }),
  };
  const [format, compression] = encoding.split('+') as ['json' | 'protobuf', 'gzip' | undefined];
  const bytes = Buffer.from(serializers[signal][format].serializeRequest(shapes[signal]() as never) ?? []);
  return {
    headers: {
      'content-type': format === 'json' ? 'application/json' : 'application/x-protobuf',
      ...(compression && { 'content-encoding': compression }),
    },
    body: compression ? gzipSync(bytes) : bytes,
  };
}

export interface TelemetryAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Sends telemetry to a server with an access key or a token. */
export async function sendTelemetry(
  url: string,
  token: string,
  telemetry: SentTelemetry,
  encoding: Encoding = 'json',
): Promise<TelemetryAnswer> {
  const { headers, body } = encodeTelemetry(telemetry, encoding);
  return postTelemetry(url, telemetry.signal, { headers: { ...headers, authorization: `Bearer ${token}` }, body });
}

export async function postTelemetry(
  url: string,
  signal: TelemetrySignal,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
): Promise<TelemetryAnswer> {
  const response = await fetch(`${url}/v1/${signal}`, { method: 'POST', headers, body: new Uint8Array(body) });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}
