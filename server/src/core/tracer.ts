import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';

/** One request, statement or job. Times are milliseconds since 1970, with fractions. */
export interface TraceSpan {
  /** 32 and 16 hexadecimal digits, as in W3C Trace Context. */
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  /** Method and route, statement, or job: an address may contain the name of a person. */
  name: string;
  kind: 'server' | 'client' | 'internal';
  start: number;
  end: number;
  attributes: Readonly<Record<string, string | number>>;
  failed: boolean;
}

export type SendSpans = (spans: readonly TraceSpan[]) => Promise<void>;
/** The place of a span in its trace. */
export type SpanContext = Pick<TraceSpan, 'traceId' | 'spanId' | 'parentId'>;

const active = new AsyncLocalStorage<SpanContext>();

/** The trace that the work under way belongs to; undefined for what is not traced. */
export const activeTraceId = (): string | undefined => active.getStore()?.traceId;

export interface Tracer {
  /** A new trace for some, chosen by chance; `parent` is where it goes on from. */
  begin: (parent?: Pick<TraceSpan, 'traceId' | 'parentId'>) => SpanContext | undefined;
  /** What `work` starts belongs to the span. */
  within: <Result>(context: SpanContext, work: () => Result) => Result;
  record: (span: TraceSpan) => void;
  /** Traces a job, as a trace of its own. */
  traceJob: (name: string, work: () => Promise<void>) => Promise<void>;
  /** Measures a statement in the trace under way; the answer is called when it ended. Undefined where nothing is traced. */
  startStatement: (name: string) => ((failed: boolean) => void) | undefined;
  /** Sends what is left. */
  close: () => Promise<void>;
}

interface TracerOptions {
  /** How many of all requests and jobs are traced, from 0 to 1 (spec 9: 0.1). */
  rate: number;
  send: SendSpans;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

const MOST_WAITING = 512;
const SEND_EVERY_MS = 5_000;

/** Gathers spans and sends them. A collector that is away costs spans and nothing else. */
export function createTracer({ rate, send, log }: TracerOptions): Tracer {
  let waiting: TraceSpan[] = [];
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
  const timer = setInterval(() => void flush(), SEND_EVERY_MS);
  timer.unref();
  const record = (span: TraceSpan) => {
    waiting.push(span);
    if (waiting.length >= MOST_WAITING) void flush();
  };
  const begin: Tracer['begin'] = (parent) =>
    Math.random() < rate
      ? { traceId: parent?.traceId ?? hex(16), spanId: hex(8), parentId: parent?.parentId }
      : undefined;
  return {
    begin,
    within: (context, work) => active.run(context, work),
    record,
    async traceJob(name, work) {
      const context = begin();
      if (!context) return active.exit(work);
      const start = now();
      const end = (failed: boolean) =>
        record({ ...context, name, kind: 'internal', start, end: now(), attributes: {}, failed });
      try {
        await active.run(context, work);
        end(false);
      } catch (error) {
        end(true);
        throw error;
      }
    },
    startStatement(name) {
      const parent = active.getStore();
      if (!parent) return undefined;
      const start = now();
      return (failed) =>
        record({
          traceId: parent.traceId,
          spanId: hex(8),
          parentId: parent.spanId,
          name,
          kind: 'client',
          start,
          end: now(),
          attributes: { 'db.system.name': 'postgresql' },
          failed,
        });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Milliseconds since 1970, with fractions. */
export const now = () => performance.timeOrigin + performance.now();

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
