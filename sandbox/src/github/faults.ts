import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { refusalBody } from './refusal.ts';

/**
 * A fault for the next `times` requests with a matching URL. `status` and `message` replace the response, `delayMs`
 * delays it, `truncate` closes the connection in the middle of it. `every`: only every n-th request.
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

/** A rate limit refusal: its time and the end of the limit, in epoch milliseconds. */
export type LimitAnswer = { at: number; until: number };

/**
 * Applies `faults` to requests, except to the control endpoints of the sandbox. `limits` records each rate limit
 * refusal.
 */
export const injectFaults = (server: FastifyInstance, faults: Fault[], limits: LimitAnswer[]): void => {
  const truncated = new WeakSet<object>();
  const matches = new WeakMap<Fault, number>();

  const applies = (fault: Fault, url: string): boolean => {
    if (!new RegExp(fault.match).test(url)) return false;
    const count = (matches.get(fault) ?? 0) + 1;
    matches.set(fault, count);
    return count % (fault.every ?? 1) === 0;
  };

  /** Returns the fault for a request and counts its use. */
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
    const body = Buffer.from(payload);
    reply.header('content-length', body.length);
    return Readable.from(half(body));
  });
};

const secondaryLimit = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';

const half = async function* (body: Buffer): AsyncGenerator<Buffer> {
  yield body.subarray(0, Math.ceil(body.length / 2));
  throw new Error('The connection is broken on purpose.');
};

/** Delays a response, unless the client closes the connection. */
const waitUnlessClosed = async (response: ServerResponse, milliseconds: number): Promise<void> => {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  await wait(milliseconds, undefined, { signal: closed.signal }).catch(() => undefined);
};
