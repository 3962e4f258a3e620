import {
  createAuditStream,
  deleteAuditStream,
  exportAuditStreams,
  getAuditStream,
  listAuditStreams,
  rotateAuditStreamSecret,
  testAuditStream,
  updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { createStream, deleteStream, rotateSecret, testStream, updateStream } from './commands.ts';
import { auditStreamCsvColumns } from './csv-columns.ts';
import { findStream, listStreams } from './queries.ts';

export function auditStreamRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listAuditStreams, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listStreams(tx, orgId, query)),
  );
  exportRoute(app, services, [listAuditStreams, exportAuditStreams], {
    name: 'Audit log destinations',
    columns: auditStreamCsvColumns,
  });
  route(app, services, createAuditStream, ({ actor, body }) => createStream(services, actor, body));
  route(app, services, getAuditStream, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findStream(tx, orgId, params.streamId)),
  );
  route(app, services, updateAuditStream, ({ actor, params, body }) =>
    updateStream(services, actor, params.streamId, body),
  );
  route(app, services, deleteAuditStream, ({ actor, params }) => deleteStream(services, actor, params.streamId));
  route(app, services, rotateAuditStreamSecret, ({ actor, params }) => rotateSecret(services, actor, params.streamId));
  route(app, services, testAuditStream, ({ actor, params }) => testStream(services, actor, params.streamId));
}
