import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { refusalBody } from './refusal.ts';

/**
 * Something that goes wrong for the next `times` requests whose address matches. `status` and `message` answer instead of the host,
 * `delayMs` waits first, `truncate` breaks the connection in the middle of the real answer. `every`: only every so many requests.
 */
export type Fault = {
  match: string;
  status?: number;
  message?: string;
  retryAfter?: number;
  delayMs?: number;
  truncate?: boolean;
  every?: number;
  times: number;
};

/** An answer that refused a request for its rate, and until when; both are epoch milliseconds. */
export type LimitAnswer = { at: number; until: number };

/** Lets requests fail as `faults` says; the sandbox's own addresses never do. `limits` records each refusal for the rate. */
export const injectFaults = (server: FastifyInstance, faults: Fault[], limits: LimitAnswer[]): void => {
  const truncated = new WeakSet<object>();
  const matches = new WeakMap<Fault, number>();

  const applies = (fault: Fault, url: string): boolean => {
    if (!new RegExp(fault.match).test(url)) return false;
    const count = (matches.get(fault) ?? 0) + 1;
    matches.set(fault, count);
    return count % (fault.every ?? 1) === 0;
  };

  /** The fault for a request, which is used up once it applied as often as planned. */
  const takeFault = (url: string): Fault | undefined => {
    const fault = url.startsWith('/_sandbox') ? undefined : faults.find((one) => applies(one, url));
    if (fault === undefined) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
    return fault;
  };

  server.addHook('onRequest', async (request, reply) => {
    const fault = takeFault(request.url);
    if (fault === undefined) return;
    if (fault.delayMs !== undefined) await waitUnlessClosed(reply.raw, fault.delayMs);
    if (fault.truncate) truncated.add(request.raw);
    if (fault.status === undefined) return;
    if (fault.retryAfter !== undefined) reply.header('retry-after', String(fault.retryAfter));
    const now = Date.now();
    const isLimit = fault.status === 429 || (fault.status === 403 && fault.retryAfter !== undefined);
    if (isLimit) limits.push({ at: now, until: now + (fault.retryAfter ?? 60) * 1000 });
    return reply
      .code(fault.status)
      .send(refusalBody(fault.status, isLimit ? secondaryLimit : (fault.message ?? 'Sandbox fault')));
  });
  server.addHook('onSend', async (request, reply, payload) => {
    if (!truncated.has(request.raw) || typeof payload !== 'string') return payload;
    const whole = Buffer.from(payload);
    reply.header('content-length', whole.length);
    return Readable.from(half(whole));
  });
};

const secondaryLimit = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';

const half = async function* (whole: Buffer): AsyncGenerator<Buffer> {
  yield whole.subarray(0, Math.ceil(whole.length / 2));
  throw new Error('The connection is broken on purpose.');
};

/** Waits before an answer; the wait ends with a connection that the client closes. */
const waitUnlessClosed = async (response: ServerResponse, milliseconds: number): Promise<void> => {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  await wait(milliseconds, undefined, { signal: closed.signal }).catch(() => undefined);
};
