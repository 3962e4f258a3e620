import { createHmac, randomUUID } from 'node:crypto';
import type { GiteaHook } from './instance.ts';

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
  send: (hook: GiteaHook, event: HookEvent, payload: Record<string, unknown>, isForgejo: boolean) => void;
  settled: () => Promise<unknown>;
};

/** `type` is more specific than the name: `pull_request` and `pull_request_sync`. */
export type HookEvent = { name: string; type: string };

export const createDeliveries = (): Deliveries => {
  const log: HookDelivery[] = [];
  let queue: Promise<void> = Promise.resolve();
  const send: Deliveries['send'] = (hook, event, payload, isForgejo) => {
    // Serialized now, since it may be sent later; both products indent it.
    const body = JSON.stringify(payload, null, 2);
    queue = queue.then(async () => {
      const headers = headersOf(hook, event, body, isForgejo);
      const status = await fetch(hook.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        .then(async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch(() => 0);
      log.push({ hookId: hook.id, event: event.type, url: hook.url, status, headers, body });
    });
  };
  return { log, send, settled: () => queue };
};

const headersOf = ({ secret }: GiteaHook, { name, type }: HookEvent, body: string, isForgejo: boolean) => {
  const id = randomUUID();
  const signature = secret === '' ? '' : createHmac('sha256', secret).update(body).digest('hex');
  const brands = ['Gitea', 'Gogs', ...(isForgejo ? ['Forgejo'] : [])];
  return {
    'content-type': 'application/json',
    'user-agent': 'Go-http-client/1.1',
    ...Object.fromEntries(
      brands.flatMap((brand) => [
        [`x-${brand.toLowerCase()}-delivery`, id],
        [`x-${brand.toLowerCase()}-event`, name],
        [`x-${brand.toLowerCase()}-event-type`, type],
        [`x-${brand.toLowerCase()}-signature`, signature],
      ]),
    ),
    'x-hub-signature-256': `sha256=${signature}`,
    'x-github-delivery': id,
    'x-github-event': name,
    'x-github-event-type': type,
  };
};
