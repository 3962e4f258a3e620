import { exportAgentConfiguration, listAgentConfiguration } from '@sightline/contract/tools/agent-configuration.ts';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import {
  exportTools,
  getTool,
  listToolDetections,
  listToolFilters,
  listToolPeople,
  listToolProjects,
  listTools,
  normalizeToolsQuery,
} from '@sightline/contract/tools/tools.ts';
import type { FastifyInstance } from 'fastify';
import { resolveLedgerSize } from '#core/ledger-size.ts';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { listConfiguration } from './agent-configuration.ts';
import { recordEditorReport } from './commands.ts';
import { agentConfigurationCsvColumns } from './csv-columns.ts';
import { findTool } from './detail.ts';
import { listDetectionsOfTool } from './detections.ts';
import { exportInventory } from './export.ts';
import { exportInventoryAtSize } from './export-at-size.ts';
import { listInventoryFilters } from './filters.ts';
import { listInventory } from './queries.ts';
import { listPeopleOfTool, listRepositoriesOfTool } from './usage-lists.ts';

export function toolsRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listTools, ({ actor, body: { ledgerSize, ...body } }) =>
    withOrg(actor.orgId, async (tx) => {
      const size = ledgerSize === undefined ? undefined : await resolveLedgerSize(tx, actor.orgId, ledgerSize);
      const now = size ? new Date(size.at) : new Date();
      return listInventory(tx, actor, normalizeToolsQuery(body, now), size);
    }),
  );
  route(app, services, exportTools, async ({ actor, body: { ledgerSize, ...body } }) => {
    if (ledgerSize === undefined) return exportInventory(services, actor, normalizeToolsQuery(body, new Date()));
    const size = await withOrg(actor.orgId, (tx) => resolveLedgerSize(tx, actor.orgId, ledgerSize));
    return exportInventoryAtSize(services, actor, normalizeToolsQuery(body, new Date(size.at)), size);
  });
  route(app, services, listToolFilters, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listInventoryFilters(tx, actor, query)),
  );
  route(app, services, listAgentConfiguration, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listConfiguration(tx, actor, query)),
  );
  exportRoute(app, services, [listAgentConfiguration, exportAgentConfiguration], {
    name: 'Agent configuration',
    columns: agentConfigurationCsvColumns,
  });
  route(app, services, getTool, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findTool(tx, actor, params.toolId)),
  );
  route(app, services, listToolDetections, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listDetectionsOfTool(tx, actor, params.toolId, query)),
  );
  route(app, services, listToolPeople, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listPeopleOfTool(tx, actor, params.toolId, query)),
  );
  route(app, services, listToolProjects, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listRepositoriesOfTool(tx, actor, params.toolId, query)),
  );
  route(app, services, reportTools, ({ actor, body }) => recordEditorReport(services, actor, body));
}
