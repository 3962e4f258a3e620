import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

/** One answered request. Times are milliseconds since 1970, with fractions. */
export interface Span {
  /** 32 and 16 hexadecimal digits, as in W3C Trace Context. */
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  /** Method and route: an address itself may name somebody. */
  name: string;
  start: number;
  end: number;
  attributes: Readonly<Record<string, string | number>>;
  failed: boolean;
}

export type SendSpans = (spans: readonly Span[]) => Promise<void>;

interface Options {
  /** How many of all requests are traced, from 0 to 1 (spec 9: 0.1). */
  rate: number;
  send: SendSpans;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Whether a proxy in front says which trace a request belongs to; nobody else is asked. */
  trustsParent: boolean;
}

const most = 512;
const pause = 5_000;

/** Traces some of the requests, chosen by chance. A collector that is away costs spans and nothing else. */
export function traceRequests(app: FastifyInstance, options: Options): void {
  const { rate, send, log, trustsParent } = options;
  const started = new WeakMap<FastifyRequest, number>();
  let waiting: Span[] = [];
  let lost = 0;

  const flush = async () => {
    const spans = waiting;
    if (spans.length === 0) return;
    waiting = [];
    try {
      await send(spans);
      if (lost > 0) log.warn({ lost }, 'the collector of traces is back, spans were lost');
      lost = 0;
    } catch (err) {
      if (lost === 0) log.warn({ err }, 'the collector of traces takes none');
      lost += spans.length;
    }
  };
  const timer = setInterval(() => void flush(), pause);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });

  app.addHook('onRequest', async (request) => {
    if (Math.random() < rate) started.set(request, performance.timeOrigin + performance.now());
  });
  app.addHook('onResponse', async (request, reply) => {
    const start = started.get(request);
    if (start === undefined) return;
    const route = request.routeOptions.url ?? 'unknown';
    const { traceId, parentId } = (trustsParent && parentOf(request)) || { traceId: hex(16), parentId: undefined };
    waiting.push({
      ...{ traceId, parentId, spanId: hex(8), name: `${request.method} ${route}` },
      ...{ start, end: performance.timeOrigin + performance.now(), failed: reply.statusCode >= 500 },
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'sightline.request_id': request.id,
      },
    });
    if (waiting.length >= most) void flush();
  });
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

function parentOf({ headers: { traceparent } }: FastifyRequest): Pick<Span, 'traceId' | 'parentId'> | undefined {
  const [, traceId, parentId] = /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(String(traceparent)) ?? [];
  return traceId === undefined || /^0+$/.test(traceId) ? undefined : { traceId, parentId };
}
