import { createHmac, randomUUID } from 'node:crypto';
import type { WebhookMessage } from '../webhook-queue.ts';
import type { GiteaHook } from './hook.ts';

/** `type` is more specific than the name: `pull_request` and `pull_request_sync`. */
export type HookEvent = { name: string; type: string };

/** The message of a webhook. `isForgejo`: also with the headers of Forgejo. */
export const messageOf = (
  hook: GiteaHook,
  event: HookEvent,
  payload: Record<string, unknown>,
  isForgejo: boolean,
): WebhookMessage => {
  // Both products indent it.
  const body = JSON.stringify(payload, null, 2);
  return { url: hook.url, event: event.type, headers: headersOf(hook, event, body, isForgejo), body };
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
