import type { SendSpans, TraceSpan } from '#core/tracer.ts';

const timeout = 10_000;

/**
 * Sends spans to a collector as OTLP JSON over HTTP. `endpoint`: its base URL. Throws if the collector rejects them.
 */
export function createOtlp(endpoint: string): SendSpans {
  return async (spans) => {
    const answer = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(spans)),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`The collector of traces answered ${answer.status}`);
  };
}

const bodyOf = (spans: readonly TraceSpan[]) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf({ 'service.name': 'sightline' }) },
      scopeSpans: [{ scope: { name: 'sightline' }, spans: spans.map(spanOf) }],
    },
  ],
});

const kinds = { internal: 1, server: 2, client: 3 } as const;
const failure = 2;

const spanOf = ({ traceId, spanId, parentId, name, kind, start, end, attributes, failed }: TraceSpan) => ({
  traceId,
  spanId,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(end),
  attributes: attributesOf(attributes),
  ...(failed && { status: { code: failure } }),
});

const nanoseconds = (milliseconds: number): string => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);

const attributesOf = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
