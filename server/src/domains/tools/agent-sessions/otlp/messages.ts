import type { TelemetrySignal } from '@sightline/contract/tools/agent-sessions.ts';
import protobuf from 'protobufjs/light.js';

type Field = readonly [id: number, type: string, rule?: 'repeated'];

const messageOf = (fields: Readonly<Record<string, Field>>, oneof: Readonly<Record<string, string[]>> = {}) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [id, type, rule]]) => [name, rule ? { id, type, rule } : { id, type }]),
  ),
  oneofs: Object.fromEntries(Object.entries(oneof).map(([name, members]) => [name, { oneof: members }])),
});

/**
 * The fields of OTLP 1.x that are read. The decoder skips all others, among them texts of log bodies beyond a name,
 * nested values, exemplars, links and events of spans.
 * https://github.com/open-telemetry/opentelemetry-proto (Apache-2.0)
 */
const root = protobuf.Root.fromJSON({
  nested: {
    AnyValue: messageOf(
      { stringValue: [1, 'string'], boolValue: [2, 'bool'], intValue: [3, 'int64'], doubleValue: [4, 'double'] },
      { value: ['stringValue', 'boolValue', 'intValue', 'doubleValue'] },
    ),
    KeyValue: messageOf({ key: [1, 'string'], value: [2, 'AnyValue'] }),
    Resource: messageOf({ attributes: [1, 'KeyValue', 'repeated'] }),
    LogRecord: messageOf({
      timeUnixNano: [1, 'fixed64'],
      observedTimeUnixNano: [11, 'fixed64'],
      body: [5, 'AnyValue'],
      attributes: [6, 'KeyValue', 'repeated'],
      eventName: [12, 'string'],
    }),
    ScopeLogs: messageOf({ logRecords: [2, 'LogRecord', 'repeated'] }),
    ResourceLogs: messageOf({ resource: [1, 'Resource'], scopeLogs: [2, 'ScopeLogs', 'repeated'] }),
    ExportLogs: messageOf({ resourceLogs: [1, 'ResourceLogs', 'repeated'] }),
    Status: messageOf({ code: [3, 'int32'] }),
    Span: messageOf({
      traceId: [1, 'bytes'],
      spanId: [2, 'bytes'],
      name: [5, 'string'],
      startTimeUnixNano: [7, 'fixed64'],
      endTimeUnixNano: [8, 'fixed64'],
      attributes: [9, 'KeyValue', 'repeated'],
      status: [15, 'Status'],
    }),
    ScopeSpans: messageOf({ spans: [2, 'Span', 'repeated'] }),
    ResourceSpans: messageOf({ resource: [1, 'Resource'], scopeSpans: [2, 'ScopeSpans', 'repeated'] }),
    ExportTraces: messageOf({ resourceSpans: [1, 'ResourceSpans', 'repeated'] }),
    NumberDataPoint: messageOf(
      {
        attributes: [7, 'KeyValue', 'repeated'],
        startTimeUnixNano: [2, 'fixed64'],
        timeUnixNano: [3, 'fixed64'],
        asDouble: [4, 'double'],
        asInt: [6, 'sfixed64'],
      },
      { value: ['asDouble', 'asInt'] },
    ),
    Sum: messageOf({ dataPoints: [1, 'NumberDataPoint', 'repeated'], aggregationTemporality: [2, 'int32'] }),
    Metric: messageOf({ name: [1, 'string'], sum: [7, 'Sum'] }),
    ScopeMetrics: messageOf({ metrics: [2, 'Metric', 'repeated'] }),
    ResourceMetrics: messageOf({ resource: [1, 'Resource'], scopeMetrics: [2, 'ScopeMetrics', 'repeated'] }),
    ExportMetrics: messageOf({ resourceMetrics: [1, 'ResourceMetrics', 'repeated'] }),
    PartialSuccess: messageOf({ rejected: [1, 'int64'], errorMessage: [2, 'string'] }),
    ExportResponse: messageOf({ partialSuccess: [1, 'PartialSuccess'] }),
    // google.rpc.Status, the body of a refusal.
    Refusal: messageOf({ code: [1, 'int32'], message: [2, 'string'] }),
  },
});
root.resolveAll();

const requestTypes: Record<TelemetrySignal, protobuf.Type> = {
  logs: root.lookupType('ExportLogs'),
  traces: root.lookupType('ExportTraces'),
  metrics: root.lookupType('ExportMetrics'),
};
const responseType = root.lookupType('ExportResponse');
const refusalType = root.lookupType('Refusal');

/** Decodes the protobuf body of a request into the shape of its JSON form; IDs are buffers. Throws if it is invalid. */
export function decodeRequest(signal: TelemetrySignal, body: Buffer): unknown {
  const type = requestTypes[signal];
  return type.toObject(type.decode(body), { longs: String });
}

export const encodeResponse = (partialSuccess: { rejected: number; errorMessage: string } | undefined): Buffer =>
  Buffer.from(responseType.encode(responseType.fromObject(partialSuccess ? { partialSuccess } : {})).finish());

export const encodeRefusal = (message: string): Buffer =>
  Buffer.from(refusalType.encode(refusalType.fromObject({ message })).finish());
