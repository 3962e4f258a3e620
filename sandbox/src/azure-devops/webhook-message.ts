import { randomUUID } from 'node:crypto';
import type { WebhookMessage } from '../webhook-queue.ts';
import type { AzureDevopsHook } from './hook.ts';

/** The message of a service hook. Azure DevOps signs nothing. `notificationId`: consecutive. */
export const messageOf = (
  hook: AzureDevopsHook,
  resource: Record<string, unknown>,
  notificationId: number,
): WebhookMessage => ({
  url: hook.url,
  event: hook.eventType,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'VSServices/19.0.0.0',
    authorization: `Basic ${Buffer.from(`${hook.user}:${hook.password}`).toString('base64')}`,
  },
  body: JSON.stringify({
    subscriptionId: hook.id,
    notificationId,
    id: randomUUID(),
    eventType: hook.eventType,
    publisherId: 'tfs',
    message: null,
    detailedMessage: null,
    resource,
    resourceVersion: '1.0',
    resourceContainers: { project: { id: hook.projectId } },
    createdDate: new Date().toISOString(),
  }),
});
