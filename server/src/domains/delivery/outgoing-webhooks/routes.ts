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
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { createWebhook, deleteWebhook, redeliverNow, rotateSecret, testWebhook, updateWebhook } from './commands.ts';
import { webhookCsvColumns } from './csv-columns.ts';
import { findDeliveryDetail, findWebhook, listDeliveries, listWebhooks } from './queries.ts';

export function outgoingWebhookRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listOutgoingWebhooks, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listWebhooks(tx, orgId, query)),
  );
  exportRoute(app, services, [listOutgoingWebhooks, exportOutgoingWebhooks], {
    name: 'Webhooks',
    columns: webhookCsvColumns,
  });
  route(app, services, createOutgoingWebhook, ({ actor, body }) => createWebhook(services, actor, body));
  route(app, services, getOutgoingWebhook, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findWebhook(tx, orgId, params.webhookId)),
  );
  route(app, services, updateOutgoingWebhook, ({ actor, params, body }) =>
    updateWebhook(services, actor, params.webhookId, body),
  );
  route(app, services, deleteOutgoingWebhook, ({ actor, params }) => deleteWebhook(services, actor, params.webhookId));
  route(app, services, rotateOutgoingSecret, ({ actor, params }) => rotateSecret(services, actor, params.webhookId));
  route(app, services, testOutgoingWebhook, ({ actor, params }) => testWebhook(services, actor, params.webhookId));
  route(app, services, listOutgoingDeliveries, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => listDeliveries(tx, orgId, params.webhookId, query)),
  );
  route(app, services, getOutgoingDelivery, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findDeliveryDetail(tx, orgId, params.webhookId, params.deliveryId)),
  );
  route(app, services, redeliverOutgoingWebhook, ({ actor, params }) =>
    redeliverNow(services, actor, params.webhookId, params.deliveryId),
  );
}
