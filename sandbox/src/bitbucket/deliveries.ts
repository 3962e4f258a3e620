import { createHmac, randomUUID } from 'node:crypto';
import type { Hook } from './hook.ts';

/** One delivery attempt of a webhook, as in Bitbucket's request log. `status` is 0 without a response. */
export type Delivery = {
  hook: string;
  event: string;
  requestId: string;
  attempt: number;
  at: string;
  url: string;
  body: string;
  status: number;
};

/** Delivers webhooks sequentially, retries failures, and keeps the log. */
export type Deliveries = {
  log: Delivery[];
  /** Milliseconds before the second and third attempts. */
  pauses: number[];
  send: (hook: Hook, event: string, payload: Record<string, unknown>) => void;
  /** Sends the payload of a delivery again, with the same ID. */
  resend: (hook: Hook, delivery: Delivery) => void;
  settled: () => Promise<unknown>;
};

export const createDeliveries = (): Deliveries => {
  const [log, pauses]: [Delivery[], number[]] = [[], [500, 2000]];
  let queue: Promise<unknown> = Promise.resolve();

  const deliver = async (hook: Hook, event: string, body: string, requestId: string): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const headers = headersOf(hook, { event, body, requestId, attempt });
      const at = new Date().toISOString();
      const status = await post(hook.url, headers, body);
      log.push({ hook: hook.uuid, event, requestId, attempt, at, url: hook.url, body, status });
      const pause = pauses[attempt - 1];
      if ((status >= 200 && status < 500) || pause === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  const enqueue = (work: () => Promise<void>): void => {
    queue = queue.then(work);
  };
  return {
    log,
    pauses,
    send(hook, event, payload) {
      const body = JSON.stringify(payload); // serialized now, since it may be sent later
      enqueue(() => deliver(hook, event, body, randomUUID()));
    },
    resend(hook, { event, body, requestId }) {
      enqueue(() => deliver(hook, event, body, requestId));
    },
    settled: () => queue,
  };
};

const timeoutMs = 10_000;

const headersOf = (
  { uuid, secret }: Hook,
  { event, body, requestId, attempt }: { event: string; body: string; requestId: string; attempt: number },
) => ({
  'content-type': 'application/json',
  'user-agent': 'Bitbucket-Webhooks/2.0',
  'x-event-key': event,
  'x-hook-uuid': uuid.slice(1, -1),
  'x-request-uuid': requestId,
  'x-attempt-number': String(attempt),
  ...(secret === null
    ? {}
    : { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
});

const post = async (url: string, headers: Record<string, string>, body: string): Promise<number> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status ?? 0;
};
