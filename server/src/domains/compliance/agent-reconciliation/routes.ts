import {
  exportReconciledAgents,
  exportReconciliationGroups,
  getChangeAgents,
  getReconciliationFilters,
  getReconciliationTrend,
  listReconciledAgents,
  listReconciliationGroups,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { reconciliationGroupCsvColumns } from './csv-columns.ts';
import { exportAgentsOfChanges } from './export.ts';
import { findChangeAgents, findFilters, listAgentsOfChanges } from './queries.ts';
import { findTrend, listGroups } from './totals.ts';

export function agentReconciliationRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listReconciledAgents, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listAgentsOfChanges(tx, actor, query)),
  );
  route(app, services, exportReconciledAgents, ({ actor, query }) => exportAgentsOfChanges(services, actor, query));
  route(app, services, getReconciliationFilters, ({ actor }) => withOrg(actor.orgId, (tx) => findFilters(tx, actor)));
  route(app, services, listReconciliationGroups, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listGroups(tx, actor, query)),
  );
  exportRoute(app, services, [listReconciliationGroups, exportReconciliationGroups], {
    name: 'Agents by group',
    columns: reconciliationGroupCsvColumns,
  });
  route(app, services, getReconciliationTrend, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => findTrend(tx, actor, query)),
  );
  route(app, services, getChangeAgents, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findChangeAgents(tx, actor, params.id)),
  );
}
