import type { TelemetrySignal } from '@sightline/contract/tools/agent-sessions.ts';
import { z } from 'zod';
import { parseJson } from '#core/json.ts';
import { decodeRequest } from './messages.ts';

type AttributeValue = string | number | boolean;
export type Attributes = ReadonlyMap<string, AttributeValue>;

/** A log record, a span, or a point of a sum, with the attributes of its resource. */
export interface TelemetryRecord {
  signal: TelemetrySignal;
  /** The possible names, the preferred first. */
  names: readonly string[];
  /** Nanoseconds since 1970, as the sender wrote them; `0`: none. */
  time: string;
  attributes: Attributes;
  resource: Attributes;
  /** Of a span: its ID, duration and whether it failed. */
  span?: { id: string; durationMs: number; hasFailed: boolean };
  /** Of a point. `start` is the start of a cumulative series. */
  point?: { value: number; isCumulative: boolean; start: string };
}

// An attribute that is longer is no name, and a prompt of this length is hashed in full.
const maxText = 1_000_000;
const nanoseconds = z.union([z.string().regex(/^\d{1,20}$/), z.int().min(0).transform(String)]).default('0');
const integer = z.union([
  z
    .string()
    .regex(/^-?\d{1,20}$/)
    .transform(Number),
  z.number(),
]);
const scalar = z
  .object({
    stringValue: z.string().max(maxText).optional(),
    boolValue: z.boolean().optional(),
    intValue: integer.optional(),
    doubleValue: z.union([z.number(), z.string().max(30).transform(Number)]).optional(),
  })
  .transform(
    ({ stringValue, boolValue, intValue, doubleValue }) => stringValue ?? boolValue ?? intValue ?? doubleValue,
  );
const attributes = z
  .array(z.object({ key: z.string().max(maxText), value: scalar.nullish() }))
  .default([])
  .transform(
    (pairs): Attributes =>
      new Map(pairs.flatMap(({ key, value }) => (value === undefined || value === null ? [] : [[key, value]]))),
  );
const identifier = z
  .union([z.string().max(64), z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString('hex'))])
  .default('');
const resource = z.object({ attributes }).default({ attributes: new Map() });
const list = <T extends z.ZodType>(item: T) => z.array(item).default([] as never);

const requests = {
  logs: z.object({
    resourceLogs: list(
      z.object({
        resource,
        scopeLogs: list(
          z.object({
            logRecords: list(
              z.object({
                timeUnixNano: nanoseconds,
                observedTimeUnixNano: nanoseconds,
                body: scalar.nullish(),
                attributes,
                eventName: z.string().max(200).default(''),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
  traces: z.object({
    resourceSpans: list(
      z.object({
        resource,
        scopeSpans: list(
          z.object({
            spans: list(
              z.object({
                traceId: identifier,
                spanId: identifier,
                name: z.string().max(maxText).default(''),
                startTimeUnixNano: nanoseconds,
                endTimeUnixNano: nanoseconds,
                attributes,
                status: z.object({ code: z.int().default(0) }).default({ code: 0 }),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
  metrics: z.object({
    resourceMetrics: list(
      z.object({
        resource,
        scopeMetrics: list(
          z.object({
            metrics: list(
              z.object({
                name: z.string().max(maxText).default(''),
                sum: z
                  .object({
                    aggregationTemporality: z.int().default(0),
                    dataPoints: list(
                      z.object({
                        attributes,
                        startTimeUnixNano: nanoseconds,
                        timeUnixNano: nanoseconds,
                        asDouble: z.union([z.number(), z.string().max(30).transform(Number)]).optional(),
                        asInt: integer.optional(),
                      }),
                    ),
                  })
                  .optional(),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
} as const satisfies Record<TelemetrySignal, z.ZodType>;

/** Reads a request in protobuf or JSON into its records, which are equal for both. Undefined if it is not valid OTLP. */
export function readRequest(
  signal: TelemetrySignal,
  body: Buffer,
  encoding: 'protobuf' | 'json',
): TelemetryRecord[] | undefined {
  const decoded = encoding === 'json' ? parseJson(body.toString()) : maybeDecoded(signal, body);
  const parsed = requests[signal].safeParse(decoded);
  if (!parsed.success) return undefined;
  return readers[signal](parsed.data as never);
}

function maybeDecoded(signal: TelemetrySignal, body: Buffer): unknown {
  try {
    return decodeRequest(signal, body);
  } catch {
    return undefined;
  }
}

type Readers = { [Signal in TelemetrySignal]: (request: z.output<(typeof requests)[Signal]>) => TelemetryRecord[] };

const readers: Readers = {
  logs: ({ resourceLogs }) =>
    resourceLogs.flatMap(({ resource: { attributes: ofResource }, scopeLogs }) =>
      scopeLogs.flatMap(({ logRecords }) =>
        logRecords.map(({ eventName, body, attributes: own, timeUnixNano, observedTimeUnixNano }) => ({
          signal: 'logs' as const,
          names: [eventName, own.get('event.name'), body].filter(
            (name) => typeof name === 'string' && name !== '',
          ) as string[],
          time: timeUnixNano === '0' ? observedTimeUnixNano : timeUnixNano,
          attributes: own,
          resource: ofResource,
        })),
      ),
    ),
  traces: ({ resourceSpans }) =>
    resourceSpans.flatMap(({ resource: { attributes: ofResource }, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map(({ traceId, spanId, name, attributes: own, status, startTimeUnixNano, endTimeUnixNano }) => ({
          signal: 'traces' as const,
          names: [String(own.get('gen_ai.operation.name') ?? ''), name],
          time: startTimeUnixNano,
          attributes: own,
          resource: ofResource,
          span: {
            id: `${traceId}${spanId}`.toLowerCase(),
            durationMs: Math.max(0, (Number(endTimeUnixNano) - Number(startTimeUnixNano)) / 1e6),
            hasFailed: status.code === FAILED_STATUS,
          },
        })),
      ),
    ),
  metrics: ({ resourceMetrics }) =>
    resourceMetrics.flatMap(({ resource: { attributes: ofResource }, scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) =>
        metrics.flatMap(({ name, sum }) =>
          (sum?.dataPoints ?? []).map((point) => ({
            signal: 'metrics' as const,
            names: [name],
            time: point.timeUnixNano,
            attributes: point.attributes,
            resource: ofResource,
            point: {
              value: point.asInt ?? point.asDouble ?? 0,
              isCumulative: sum?.aggregationTemporality === CUMULATIVE,
              start: point.startTimeUnixNano,
            },
          })),
        ),
      ),
    ),
};

/** STATUS_CODE_ERROR and AGGREGATION_TEMPORALITY_CUMULATIVE of OTLP. */
const FAILED_STATUS = 2;
const CUMULATIVE = 2;
