import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';

/** One request, statement or job. Times are milliseconds since 1970, with fractions. */
export interface TraceSpan {
  /** 32 and 16 hexadecimal digits, as in W3C Trace Context. */
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  /** Method and route, statement, or job. Never a URL, which may contain the name of a person. */
  name: string;
  kind: 'server' | 'client' | 'internal';
  start: number;
  end: number;
  attributes: Readonly<Record<string, string | number>>;
  failed: boolean;
}

export type SendSpans = (spans: readonly TraceSpan[]) => Promise<void>;
/** The position of a span in its trace. */
export type SpanContext = Pick<TraceSpan, 'traceId' | 'spanId' | 'parentId'>;

const active = new AsyncLocalStorage<SpanContext>();

/** The trace of the current operation; undefined if it is not traced. */
export const activeTraceId = (): string | undefined => active.getStore()?.traceId;

export interface Tracer {
  /** Starts a trace for a random sample; `parent` is the trace to continue. */
  begin: (parent?: Pick<TraceSpan, 'traceId' | 'parentId'>) => SpanContext | undefined;
  /** Runs `work` in the context of a span. */
  within: <Result>(context: SpanContext, work: () => Result) => Result;
  record: (span: TraceSpan) => void;
  /** Traces a job as a separate trace. */
  traceJob: (name: string, work: () => Promise<void>) => Promise<void>;
  /** Measures a statement in the current trace. Call the returned function when it ends. Undefined without a trace. */
  startStatement: (name: string) => ((failed: boolean) => void) | undefined;
  /** Sends the remaining spans. */
  close: () => Promise<void>;
}

interface TracerOptions {
  /** The fraction of requests and jobs that are traced, from 0 to 1 (spec 9: 0.1). */
  rate: number;
  send: SendSpans;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

const MAX_QUEUED_SPANS = 512;
const SEND_EVERY_MS = 5_000;

/** Collects spans and sends them. If the collector is unavailable, spans are dropped without other effects. */
export function createTracer({ rate, send, log }: TracerOptions): Tracer {
  let waiting: TraceSpan[] = [];
  let lost = 0;
  const flush = async () => {
    const spans = waiting;
    if (spans.length === 0) return;
    waiting = [];
    try {
      await send(spans);
      if (lost > 0) log.warn({ lost }, 'the trace collector is available again, spans were lost');
      lost = 0;
    } catch (err) {
      if (lost === 0) log.warn({ err }, 'the trace collector is unavailable');
      lost += spans.length;
    }
  };
  const timer = setInterval(() => void flush(), SEND_EVERY_MS);
  timer.unref();
  const record = (span: TraceSpan) => {
    waiting.push(span);
    if (waiting.length >= MAX_QUEUED_SPANS) void flush();
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
      const start = nowMs();
      const end = (failed: boolean) =>
        record({ ...context, name, kind: 'internal', start, end: nowMs(), attributes: {}, failed });
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
      const start = nowMs();
      return (failed) =>
        record({
          traceId: parent.traceId,
          spanId: hex(8),
          parentId: parent.spanId,
          name,
          kind: 'client',
          start,
          end: nowMs(),
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
export const nowMs = () => performance.timeOrigin + performance.now();

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
