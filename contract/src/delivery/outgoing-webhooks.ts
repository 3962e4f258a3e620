import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, commaList, outboundUrl, timestamp } from '../core/text.ts';
import { notificationTypeNames } from './notification-types.ts';

/** Prefix of every signing secret (Standard Webhooks). */
export const signingSecretPrefix = 'whsec_';

/** Seconds to wait after each failed attempt, before jitter. The delivery fails after the last one. */
export const WEBHOOK_RETRY_DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000] as const;

/** Hours for which the previous secret also signs after a rotation. */
export const SECRET_OVERLAP_HOURS = 24;

/** Days without a successful delivery after which a webhook is turned off. */
export const AUTO_DISABLE_DAYS = 5;

/** Retention of deliveries in days. */
export const DELIVERY_RETENTION_DAYS = 30;

/** The event of a test delivery. It is sent regardless of the selected types. */
export const testWebhookEvent = 'webhook.test';

const isKnown = (name: string) => notificationTypeNames.some((known) => known === name);
/** An event type to subscribe to: any notification type. */
const eventType = boundedText(80).refine(isKnown, { error: 'must be the name of an event, such as finding.new' });

/** `failing`: still retried. `off`: turned off by a user. `auto_disabled`: turned off after days without a success. */
export const webhookStates = ['active', 'failing', 'off', 'auto_disabled'] as const;

export const outgoingWebhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  /** Null: all types, including future ones. */
  types: z.array(z.string()).nullable(),
  state: z.enum(webhookStates),
  failingSince: timestamp.nullable(),
  /** End of the overlap in which the previous secret also signs; null: no previous secret. */
  previousSecretUntil: timestamp.nullable(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: timestamp,
});
export type OutgoingWebhook = z.infer<typeof outgoingWebhook>;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const outgoingAttempt = z.object({
  number: z.number(),
  at: timestamp,
  /** Status of the response; null without a response, then `failure` contains the reason. */
  responseStatus: z.number().nullable(),
  failure: z.string().nullable(),
  ms: z.number(),
});

export const outgoingDelivery = z.object({
  /** Sent to the receiver as `webhook-id`; the same for each attempt. */
  id: z.string(),
  type: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.number(),
  createdAt: timestamp,
  /** Time of the next attempt; null unless pending. */
  nextAt: timestamp.nullable(),
  lastAttempt: outgoingAttempt.nullable(),
});
export type OutgoingDelivery = z.infer<typeof outgoingDelivery>;

export const outgoingDeliveryDetail = outgoingDelivery.extend({
  /** JSON exactly as sent. */
  body: z.string(),
  /** Newest first; `response` is the beginning of the response. */
  log: z.array(outgoingAttempt.extend({ response: z.string().nullable() })),
});
export type OutgoingDeliveryDetail = z.infer<typeof outgoingDeliveryDetail>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;
const named = z.strictObject({ webhookId: z.uuid() });
const delivery = z.strictObject({ webhookId: z.uuid(), deliveryId: z.uuid() });

const description = boundedText(200).trim();
const types = z.array(eventType).min(1, { error: 'must contain at least one type' }).max(100).nullable();

export const listOutgoingWebhooks = endpoint({
  method: 'GET',
  path: '/v2/outgoing-webhooks',
  summary: 'Lists the webhooks of the organization, without secrets.',
  ...owner,
  reads: true,
  query: pagedQuery(['date-desc', 'date-asc', 'url-asc', 'url-desc'], {}),
  topics: ['orgWebhooks'],
  response: z.array(outgoingWebhook),
  paged: true,
});
export const exportOutgoingWebhooks = csvExportOf(listOutgoingWebhooks);

export const createOutgoingWebhook = endpoint({
  method: 'POST',
  path: '/v2/outgoing-webhooks',
  summary: 'Creates a webhook. Its signing secret is returned once.',
  ...owner,
  body: z.strictObject({ url: outboundUrl, description: description.default(''), types: types.default(null) }),
  status: 201,
  changes: ['orgWebhooks'],
  response: z.object({ secret: z.string(), webhook: outgoingWebhook }),
  errors: ['conflict'],
  stepUp: true,
});

export const getOutgoingWebhook = endpoint({
  method: 'GET',
  path: '/v2/outgoing-webhooks/:webhookId',
  summary: 'Returns a webhook.',
  ...owner,
  reads: true,
  params: named,
  topics: ['orgWebhooks'],
  response: outgoingWebhook,
});

export const updateOutgoingWebhook = endpoint({
  method: 'PATCH',
  path: '/v2/outgoing-webhooks/:webhookId',
  summary: 'Updates, enables or disables a webhook. Queued events are sent after it is enabled.',
  ...owner,
  params: named,
  body: z.strictObject({
    url: outboundUrl.optional(),
    description: description.optional(),
    types: types.optional(),
    enabled: z.boolean().optional(),
  }),
  changes: ['orgWebhooks'],
  response: outgoingWebhook,
  stepUp: true,
});

export const deleteOutgoingWebhook = endpoint({
  method: 'DELETE',
  path: '/v2/outgoing-webhooks/:webhookId',
  summary: 'Deletes a webhook with all its deliveries.',
  ...owner,
  params: named,
  status: 204,
  changes: ['orgWebhooks'],
  response: z.null(),
  stepUp: true,
});

export const rotateOutgoingSecret = endpoint({
  method: 'POST',
  path: '/v2/outgoing-webhooks/:webhookId/secret',
  summary: 'Rotates the signing secret, returned once. The previous secret also signs for 24 hours.',
  ...owner,
  params: named,
  changes: ['orgWebhooks'],
  response: z.object({ secret: z.string(), webhook: outgoingWebhook }),
  stepUp: true,
});

export const testOutgoingWebhook = endpoint({
  method: 'POST',
  path: '/v2/outgoing-webhooks/:webhookId/test',
  summary: 'Sends an event `webhook.test`, regardless of the selected types.',
  ...owner,
  params: named,
  status: 202,
  changes: ['orgWebhooks'],
  response: z.object({ deliveryId: z.string() }),
  errors: ['conflict'],
});

export const listOutgoingDeliveries = endpoint({
  method: 'GET',
  path: '/v2/outgoing-webhooks/:webhookId/deliveries',
  summary: 'Lists the deliveries of the last 30 days and the queued ones. Search matches the event type.',
  ...owner,
  reads: true,
  params: named,
  query: pagedQuery(['date-desc', 'date-asc'], { status: commaList(z.enum(deliveryStatuses)) }),
  topics: ['orgWebhooks'],
  response: z.array(outgoingDelivery),
  paged: true,
});

export const getOutgoingDelivery = endpoint({
  method: 'GET',
  path: '/v2/outgoing-webhooks/:webhookId/deliveries/:deliveryId',
  summary: 'Returns a delivery with its request and the response to each attempt.',
  ...owner,
  reads: true,
  params: delivery,
  topics: ['orgWebhooks'],
  response: outgoingDeliveryDetail,
});

export const redeliverOutgoingWebhook = endpoint({
  method: 'POST',
  path: '/v2/outgoing-webhooks/:webhookId/deliveries/:deliveryId/redeliver',
  summary: 'Redelivers an event under the same ID.',
  ...owner,
  params: delivery,
  status: 202,
  changes: ['orgWebhooks'],
  response: outgoingDelivery,
  errors: ['conflict'],
});
