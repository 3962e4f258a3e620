import { createHmac, randomUUID } from 'node:crypto';
import type { WebhookMessage } from '../webhook-queue.ts';
import type { Hook } from './hook.ts';

/** The message of a webhook. `signs`: also with its signing token, as recent versions do. */
export const messageOf = (
  hook: Hook,
  event: string,
  payload: Record<string, unknown>,
  signs: boolean,
): WebhookMessage => {
  const body = JSON.stringify(payload);
  return { url: hook.url, event, headers: headersOf(hook, event, body, signs), body };
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
