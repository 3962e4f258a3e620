import { createHmac } from 'node:crypto';

/** One delivery of a webhook with its result. */
export type HookDelivery = {
  url: string;
  event: string;
  status: number;
  headers: Record<string, string>;
  body: string;
};

/** Signs and sends webhooks sequentially, and keeps the log. */
export type Hooks = {
  log: HookDelivery[];
  send: (hook: { url: string; secret: string }, event: string, payload: Record<string, unknown>) => Promise<void>;
  settled: () => Promise<unknown>;
};

export const createHooks = (): Hooks => {
  const log: HookDelivery[] = [];
  let queue: Promise<void> = Promise.resolve();
  const send: Hooks['send'] = ({ url, secret }, event, payload) => {
    const body = JSON.stringify(payload);
    queue = queue.then(async () => {
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Go-http-client/1.1',
        'x-cx-webhook-event': event,
        'x-cx-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
      };
      const status = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch(() => 0);
      log.push({ url, event, status, headers, body });
    });
    return queue;
  };
  return { log, send, settled: () => queue };
};
