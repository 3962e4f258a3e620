import { allowMissingClasses, exportScans, getScan, listScans } from '@sightline/contract/vulnerabilities/scans.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findEnabledRepository } from '../../sources/repositories/queries.ts';
import { setMissingClasses } from './commands.ts';
import { scanCsvColumns } from './csv-columns.ts';
import { findScan, listRepositoryScans } from './queries.ts';

export function scanRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listScans, ({ actor, params, query }) =>
    withOrg(actor.orgId, async (tx) =>
      listRepositoryScans(tx, actor.orgId, await findEnabledRepository(tx, actor, params), query),
    ),
  );
  exportRoute(app, services, [listScans, exportScans], { name: 'Scans', columns: scanCsvColumns });
  route(app, services, allowMissingClasses, ({ actor, params, body }) =>
    setMissingClasses(services, actor, params, body),
  );
  route(app, services, getScan, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findScan(tx, actor, params.scanId)),
  );
}
