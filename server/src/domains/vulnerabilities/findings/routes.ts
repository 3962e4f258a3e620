import {
  exportFindings as exportFindingsCall,
  getFinding,
  getFindingNeighbors,
  getFindingSnippet,
  getFindingStats,
  getFindingTrend,
  listFindingFilter,
  listFindingGroups,
  listFindings as listFindingsCall,
  markFindingRead as markFindingCall,
} from '@sightline/contract/vulnerabilities/findings.ts';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '#core/actor.ts';
import { resolveLedgerSize } from '#core/ledger-size.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { getFindingDetail } from './detail.ts';
import { exportFindings } from './exports/commands.ts';
import { exportFindingsAtSize } from './exports/export-at-size.ts';
import { listFilterChoices } from './filters.ts';
import { listFindingsAtSize } from './findings-at-size.ts';
import { findingGroupsOf } from './groups.ts';
import { findFindingNeighbors, getFindingStatistics, listFindings } from './queries.ts';
import { setFindingRead } from './read-marks.ts';
import { type RequestedFilter, resolveFilter } from './scope.ts';
import { createSnippetReader } from './snippet.ts';
import { findingTrendOf } from './trend.ts';

export function findingsRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  const snippetOf = createSnippetReader(services);
  const resolve = <Filter extends RequestedFilter>(tx: Tx, actor: Actor, filter: Filter) =>
    resolveFilter(services, tx, actor, filter);
  route(app, services, listFindingsCall, ({ actor, query: { ledgerSize, ...query } }) =>
    withOrg(actor.orgId, async (tx) => {
      if (ledgerSize === undefined) return listFindings(services, tx, actor, await resolve(tx, actor, query));
      const size = await resolveLedgerSize(tx, actor.orgId, ledgerSize);
      return listFindingsAtSize(services, tx, actor, { ...query, size });
    }),
  );
  route(app, services, listFindingFilter, ({ actor, params, query }) =>
    withOrg(actor.orgId, async (tx) => listFilterChoices(tx, actor, params.name, await resolve(tx, actor, query))),
  );
  route(app, services, listFindingGroups, ({ actor, query: { by, ...filter } }) =>
    withOrg(actor.orgId, async (tx) => findingGroupsOf(tx, actor, by, await resolve(tx, actor, filter))),
  );
  route(app, services, getFindingStats, ({ actor, query }) =>
    withOrg(actor.orgId, async (tx) => getFindingStatistics(tx, actor, await resolve(tx, actor, query))),
  );
  route(app, services, getFindingTrend, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => findingTrendOf(services, tx, actor, query.days)),
  );
  route(app, services, exportFindingsCall, async ({ actor, query: { ledgerSize, ...query } }) => {
    if (ledgerSize === undefined) return exportFindings(services, actor, query);
    const size = await withOrg(actor.orgId, (tx) => resolveLedgerSize(tx, actor.orgId, ledgerSize));
    return exportFindingsAtSize(services, actor, { ...query, size });
  });
  route(app, services, getFinding, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => getFindingDetail(services, tx, actor, params.findingId)),
  );
  route(app, services, getFindingSnippet, ({ actor, params }) => snippetOf(actor, params.findingId));
  route(app, services, getFindingNeighbors, ({ actor, params, query }) =>
    withOrg(actor.orgId, async (tx) =>
      findFindingNeighbors(tx, actor, params.findingId, await resolve(tx, actor, query)),
    ),
  );
  route(app, services, markFindingCall, ({ actor, params, body }) =>
    withOrg(actor.orgId, (tx) => setFindingRead(tx, actor, params.findingId, body.read)),
  );
}
