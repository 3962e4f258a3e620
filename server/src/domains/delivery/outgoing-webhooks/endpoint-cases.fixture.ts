import {
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  exportOutgoingWebhooks,
  getOutgoingDelivery,
  getOutgoingWebhook,
  listOutgoingDeliveries,
  listOutgoingWebhooks,
  redeliverOutgoingWebhook,
  rotateOutgoingSecret,
  testOutgoingWebhook,
  updateOutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { endpointCase, listCases, outsideUrl } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(createOutgoingWebhook, {
    request: () => ({ body: { url: outsideUrl, description: 'House', types: ['finding.new'] } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['webhook.created'],
  }),
  endpointCase(deleteOutgoingWebhook, {
    request: ({ webhookId }) => ({ params: { webhookId } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['webhook.deleted'],
  }),
  endpointCase(getOutgoingDelivery, {
    request: ({ webhookId, deliveryId }) => ({
      params: { webhookId, deliveryId },
    }),
    access: { allows: ['owner'], foreign: 404 },
  }),
  endpointCase(getOutgoingWebhook, {
    request: ({ webhookId }) => ({ params: { webhookId } }),
    access: { allows: ['owner'], foreign: 404 },
  }),
  endpointCase(listOutgoingDeliveries, {
    request: ({ webhookId }) => ({
      params: { webhookId },
      query: { search: 'finding', status: 'failed,pending' },
    }),
    access: { allows: ['owner'], foreign: 404 },
  }),
  ...listCases([listOutgoingWebhooks, exportOutgoingWebhooks], {
    request: () => ({ query: { search: 'hooks', sort: 'url-asc' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(redeliverOutgoingWebhook, {
    request: ({ webhookId, deliveryId }) => ({
      params: { webhookId, deliveryId },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['webhook.redelivered'],
  }),
  endpointCase(rotateOutgoingSecret, {
    request: ({ webhookId }) => ({ params: { webhookId } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['webhook.secret_rotated'],
  }),
  endpointCase(testOutgoingWebhook, {
    request: ({ webhookId }) => ({ params: { webhookId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['webhook.tested'],
  }),
  endpointCase(updateOutgoingWebhook, {
    request: ({ webhookId }) => ({
      params: { webhookId },
      body: { description: 'Another', types: ['repository.enabled'], enabled: true },
    }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['webhook.updated'],
  }),
];
