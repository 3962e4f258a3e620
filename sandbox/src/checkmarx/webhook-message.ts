import { createHmac } from 'node:crypto';
import type { WebhookMessage } from '../webhook-queue.ts';

/** The signed message of a webhook. */
export const messageOf = (
  { url, secret }: { url: string; secret: string },
  event: string,
  payload: Record<string, unknown>,
): WebhookMessage => {
  const body = JSON.stringify(payload);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Go-http-client/1.1',
    'x-cx-webhook-event': event,
    'x-cx-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
  };
  return { url, event, headers, body };
};
