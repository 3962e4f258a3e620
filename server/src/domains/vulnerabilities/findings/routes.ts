import {
  exportFindings as exportFindingsCall,
  getFinding,
  getFindingNeighbors,
  getFindingSnippet,
  getFindingStats,
  listFindingFilter,
  listFindings as listFindingsCall,
  markFindingRead as markFindingCall,
  mergeScannerFilters,
} from '@sightline/contract/vulnerabilities/findings.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { getFindingDetail } from './detail.ts';
import { exportFindings } from './exports/commands.ts';
import { listFilterChoices } from './filters.ts';
import { findFindingNeighbors, getFindingStatistics, listFindings } from './queries.ts';
import { setFindingRead } from './read-marks.ts';
import { createSnippetReader } from './snippet.ts';

export function findingsRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  const snippetOf = createSnippetReader(services);
  route(app, services, listFindingsCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listFindings(tx, actor, mergeScannerFilters(query))),
  );
  route(app, services, listFindingFilter, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listFilterChoices(tx, actor, params.name, mergeScannerFilters(query))),
  );
  route(app, services, getFindingStats, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => getFindingStatistics(tx, actor, mergeScannerFilters(query))),
  );
  route(app, services, exportFindingsCall, ({ actor, query }) =>
    exportFindings(services, actor, mergeScannerFilters(query)),
  );
  route(app, services, getFinding, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => getFindingDetail(tx, actor, params.findingId)),
  );
  route(app, services, getFindingSnippet, ({ actor, params }) => snippetOf(actor, params.findingId));
  route(app, services, getFindingNeighbors, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => findFindingNeighbors(tx, actor, params.findingId, mergeScannerFilters(query))),
  );
  route(app, services, markFindingCall, ({ actor, params, body }) =>
    withOrg(actor.orgId, (tx) => setFindingRead(tx, actor, params.findingId, body.read)),
  );
}
