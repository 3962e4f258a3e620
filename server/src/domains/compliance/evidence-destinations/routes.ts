import {
  createExporter,
  deleteExporter,
  getExporter,
  getExporterDelivery,
  listExporters as listCall,
  listExporterDeliveries,
  sendToExporter,
  sendToExporterAgain,
  testExporter,
  updateExporter,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { addExporter, changeExporter, removeExporter, sendAgain, sendSnapshot, tryExporter } from './commands.ts';
import { findDeliveryDetails, findExporter, listDeliveries, listExporters } from './queries.ts';

export function exporterRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listCall, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listExporters(tx, orgId, query)),
  );
  route(app, services, createExporter, ({ actor, body }) => addExporter(services, actor, body));
  route(app, services, getExporter, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findExporter(tx, orgId, params.exporterId)),
  );
  route(app, services, updateExporter, ({ actor, params, body }) =>
    changeExporter(services, actor, params.exporterId, body),
  );
  route(app, services, deleteExporter, ({ actor, params }) => removeExporter(services, actor, params.exporterId));
  route(app, services, testExporter, ({ actor, params }) => tryExporter(services, actor, params.exporterId));
  route(app, services, listExporterDeliveries, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => listDeliveries(tx, orgId, params.exporterId, query)),
  );
  route(app, services, sendToExporter, ({ actor, params, body }) =>
    sendSnapshot(services, actor, params.exporterId, body.snapshotId),
  );
  route(app, services, getExporterDelivery, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findDeliveryDetails(tx, orgId, params.exporterId, params.deliveryId)),
  );
  route(app, services, sendToExporterAgain, ({ actor, params }) =>
    sendAgain(services, actor, params.exporterId, params.deliveryId),
  );
}
