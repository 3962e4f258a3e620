import { createHmac, randomUUID } from 'node:crypto';
import type { WebhookMessage } from '../webhook-queue.ts';
import type { DataCenterHook } from './hook.ts';

/** The message of a webhook. */
export const messageOf = (hook: DataCenterHook, event: string, payload: Record<string, unknown>): WebhookMessage => {
  const body = JSON.stringify(payload);
  return { url: hook.url, event, headers: headersOf(hook, event, body), body };
};

const headersOf = ({ secret }: DataCenterHook, event: string, body: string): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Atlassian HttpClient 4.2.0 / Bitbucket-9.4.18 (9004018) / Default',
  'x-event-key': event,
  'x-request-id': randomUUID(),
  ...(secret !== '' && { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
});
