import { createHmac, randomUUID } from 'node:crypto';
import type { Hook } from './hook.ts';

/** One delivery of a webhook with its result; status 0 without a response. */
export type HookDelivery = {
  hookId: number;
  event: string;
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
};

/** Sends webhooks sequentially, and keeps the log. */
export type Deliveries = {
  log: HookDelivery[];
  send: (hook: Hook, event: string, payload: Record<string, unknown>, signs: boolean) => void;
  settled: () => Promise<unknown>;
};

export const createDeliveries = (): Deliveries => {
  const log: HookDelivery[] = [];
  let queue: Promise<void> = Promise.resolve();
  const send: Deliveries['send'] = (hook, event, payload, signs) => {
    const body = JSON.stringify(payload); // serialized now, since it may be sent later
    queue = queue.then(async () => {
      const headers = headersOf(hook, event, body, signs);
      const status = await fetch(hook.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch(() => 0);
      log.push({ hookId: hook.id, event, url: hook.url, status, headers, body });
    });
  };
  return { log, send, settled: () => queue };
};

const headersOf = ({ token, signingToken }: Hook, event: string, body: string, signs: boolean) => {
  const id = randomUUID();
  return {
    'content-type': 'application/json',
    'user-agent': 'GitLab/18.0-sandbox',
    'x-gitlab-event': event,
    'x-gitlab-webhook-uuid': randomUUID(),
    'x-gitlab-event-uuid': id,
    'idempotency-key': id,
    ...(token === null ? {} : { 'x-gitlab-token': token }),
    ...(signs && signingToken !== null ? signatureOf(signingToken, id, body) : {}),
  };
};

// The signature of Standard Webhooks, which GitLab uses.
const signatureOf = (signingToken: string, id: string, body: string) => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(signingToken.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};
