import { scannerNames } from '@sightline/contract/core/scan-sources.ts';
import {
  connectScanner,
  disconnectScanner,
  exportScannerProjects,
  getScanner,
  listScannerProjects,
  matchScannerProject,
  syncScanner,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { connectionFrom, testScannerConnection } from './check.ts';
import { matchProject } from './commands.ts';
import { deleteConnection, requestScannerSync, saveConnection } from './connect.ts';
import { scannerProjectCsvColumns } from './csv-columns.ts';
import { listProjectPage, maybeScannerSettings } from './queries.ts';
import { scannerWebhookRoute } from './webhook.ts';

export async function scannerRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { database } = services;
  route(app, services, getScanner, ({ actor: { orgId }, params }) =>
    database.withOrg(orgId, async (tx) => (await maybeScannerSettings(services, tx, { orgId, ...params })) ?? null),
  );
  route(app, services, connectScanner, ({ actor, params: { scanner }, body }) =>
    saveConnection(services, actor, scanner, connectionFrom(services, scanner, body)),
  );
  route(app, services, testScanner, ({ actor: { orgId }, params, body }) =>
    testScannerConnection(services, { orgId, ...params }, body),
  );
  route(app, services, syncScanner, ({ actor, params }) => requestScannerSync(services, actor, params.scanner));
  route(app, services, disconnectScanner, ({ actor, params }) => deleteConnection(services, actor, params.scanner));
  route(app, services, listScannerProjects, ({ actor: { orgId }, params, query }) =>
    database.withOrg(orgId, (tx) => listProjectPage(tx, { orgId, ...params }, query)),
  );
  exportRoute(app, services, [listScannerProjects, exportScannerProjects], {
    name: 'Scanner projects',
    columns: scannerProjectCsvColumns,
  });
  route(app, services, matchScannerProject, ({ actor, params, body }) =>
    matchProject(services, actor, params, body.repositoryId),
  );
  for (const scanner of scannerNames) await scannerWebhookRoute(app, services, scanner);
}
