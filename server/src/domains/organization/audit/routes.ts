import { exportAudit, getAuditEntry, getAuditFilters, listAudit } from '@sightline/contract/organization/audit.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { exportAuditLog } from './commands.ts';
import { findAuditEntry, listAuditEntries, listAuditFilters } from './queries.ts';

export function auditRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  route(app, services, listAudit, ({ actor, query }) =>
    database.withOrg(actor.orgId, (tx) => listAuditEntries(tx, actor.orgId, query)),
  );
  route(app, services, getAuditFilters, ({ actor }) =>
    database.withOrg(actor.orgId, (tx) => listAuditFilters(tx, actor.orgId)),
  );
  route(app, services, exportAudit, ({ actor, query }) => exportAuditLog(services, actor, query));
  route(app, services, getAuditEntry, ({ actor, params }) =>
    database.withOrg(actor.orgId, (tx) => findAuditEntry(tx, actor.orgId, params.auditId)),
  );
}
