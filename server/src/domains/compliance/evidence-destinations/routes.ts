import {
  createEvidenceDestination,
  deleteEvidenceDestination,
  deliverEvidence,
  exportEvidenceDestinations,
  getEvidenceDelivery,
  getEvidenceDestination,
  listEvidenceDestinations as listCall,
  listEvidenceDeliveries,
  redeliverEvidence,
  testEvidenceDestination,
  updateEvidenceDestination,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import {
  addEvidenceDestination,
  changeEvidenceDestination,
  removeEvidenceDestination,
  sendAgain,
  sendSnapshot,
  testAccess,
} from './commands.ts';
import { evidenceDestinationCsvColumns } from './csv-columns.ts';
import { findDeliveryDetails, findEvidenceDestination, listDeliveries, listEvidenceDestinations } from './queries.ts';

export function evidenceDestinationRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listCall, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listEvidenceDestinations(tx, orgId, query)),
  );
  exportRoute(app, services, [listCall, exportEvidenceDestinations], {
    name: 'Evidence destinations',
    columns: evidenceDestinationCsvColumns,
  });
  route(app, services, createEvidenceDestination, ({ actor, body }) => addEvidenceDestination(services, actor, body));
  route(app, services, getEvidenceDestination, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findEvidenceDestination(tx, orgId, params.destinationId)),
  );
  route(app, services, updateEvidenceDestination, ({ actor, params, body }) =>
    changeEvidenceDestination(services, actor, params.destinationId, body),
  );
  route(app, services, deleteEvidenceDestination, ({ actor, params }) =>
    removeEvidenceDestination(services, actor, params.destinationId),
  );
  route(app, services, testEvidenceDestination, ({ actor, params }) =>
    testAccess(services, actor, params.destinationId),
  );
  route(app, services, listEvidenceDeliveries, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => listDeliveries(tx, orgId, params.destinationId, query)),
  );
  route(app, services, deliverEvidence, ({ actor, params, body }) =>
    sendSnapshot(services, actor, params.destinationId, body.snapshotId),
  );
  route(app, services, getEvidenceDelivery, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findDeliveryDetails(tx, orgId, params.destinationId, params.deliveryId)),
  );
  route(app, services, redeliverEvidence, ({ actor, params }) =>
    sendAgain(services, actor, params.destinationId, params.deliveryId),
  );
}
