import {
  exportFindings as exportFindingsCall,
  getFinding,
  getFindingNeighbors,
  getFindingSnippet,
  getFindingStats,
  listFindingFilter,
  listFindings as listFindingsCall,
  markFinding as markFindingCall,
  withDataSources,
} from '@sightline/contract/vulnerabilities/findings.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findFinding } from './detail.ts';
import { exportFindings } from './exports/commands.ts';
import { listFilter } from './filters.ts';
import { markFinding } from './marks.ts';
import { findNeighbors, getStats, listFindings } from './queries.ts';
import { createSnippets } from './snippet.ts';

export function findingsRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  const snippetOf = createSnippets(services);
  route(app, services, listFindingsCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listFindings(tx, actor, withDataSources(query))),
  );
  route(app, services, listFindingFilter, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listFilter(tx, actor, params.name, withDataSources(query))),
  );
  route(app, services, getFindingStats, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => getStats(tx, actor, withDataSources(query))),
  );
  route(app, services, exportFindingsCall, ({ actor, query }) =>
    exportFindings(services, actor, withDataSources(query)),
  );
  route(app, services, getFinding, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findFinding(tx, actor, params.findingId)),
  );
  route(app, services, getFindingSnippet, ({ actor, params }) => snippetOf(actor, params.findingId));
  route(app, services, getFindingNeighbors, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => findNeighbors(tx, actor, params.findingId, withDataSources(query))),
  );
  route(app, services, markFindingCall, ({ actor, params, body }) =>
    withOrg(actor.orgId, (tx) => markFinding(tx, actor, params.findingId, body.read)),
  );
}
