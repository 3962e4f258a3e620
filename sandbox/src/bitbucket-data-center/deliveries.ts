import { createHmac, randomUUID } from 'node:crypto';
import type { DataCenterHook } from './hook.ts';

/** One delivery of a webhook with its result; status 0 without a response. */
export type DataCenterDelivery = {
  hookId: number;
  event: string;
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
};

/** Sends webhooks sequentially, and keeps the log. */
export type DataCenterDeliveries = {
  log: DataCenterDelivery[];
  send: (hook: DataCenterHook, event: string, payload: Record<string, unknown>) => void;
  settled: () => Promise<unknown>;
};

export const createDeliveries = (): DataCenterDeliveries => {
  const log: DataCenterDelivery[] = [];
  let queue: Promise<void> = Promise.resolve();
  const send: DataCenterDeliveries['send'] = (hook, event, payload) => {
    // Serialized now, since it may be sent later.
    const body = JSON.stringify(payload);
    queue = queue.then(async () => {
      const headers = headersOf(hook, event, body);
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

const headersOf = ({ secret }: DataCenterHook, event: string, body: string): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Atlassian HttpClient 4.2.0 / Bitbucket-9.4.18 (9004018) / Default',
  'x-event-key': event,
  'x-request-id': randomUUID(),
  ...(secret !== '' && { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
});
