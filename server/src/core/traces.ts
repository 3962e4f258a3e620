import type { FastifyInstance, FastifyRequest } from 'fastify';
import { nowMs, type SpanContext, type Tracer, type TraceSpan } from './tracer.ts';

/** Traces a sample of the requests. `trustsParent` continues the trace in the `traceparent` of a trusted proxy. */
export function traceRequests(app: FastifyInstance, tracer: Tracer, trustsParent: boolean): void {
  const started = new WeakMap<FastifyRequest, { context: SpanContext; start: number }>();
  app.addHook('onRequest', (request, _reply, done) => {
    const context = tracer.begin(trustsParent ? parentOf(request) : undefined);
    if (!context) return done();
    started.set(request, { context, start: nowMs() });
    tracer.within(context, done);
  });
  // Reading a body loses the async context of the request, since body events come from the socket.
  app.addHook('preValidation', (request, _reply, done) => {
    const { context } = started.get(request) ?? {};
    if (!context) return done();
    tracer.within(context, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { context, start } = started.get(request) ?? {};
    if (!context || start === undefined) return;
    const route = request.routeOptions.url ?? 'unknown';
    tracer.record({
      ...context,
      name: `${request.method} ${route}`,
      kind: 'server',
      start,
      end: nowMs(),
      failed: reply.statusCode >= 500,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'sightline.request_id': request.id,
      },
    });
  });
}

function parentOf({ headers: { traceparent } }: FastifyRequest): Pick<TraceSpan, 'traceId' | 'parentId'> | undefined {
  const [, traceId, parentId] = /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(String(traceparent)) ?? [];
  return traceId === undefined || /^0+$/.test(traceId) ? undefined : { traceId, parentId };
}
