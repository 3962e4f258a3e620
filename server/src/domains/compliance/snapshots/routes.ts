import {
  createSnapshot,
  diffSnapshots as diffCall,
  exportSnapshots,
  getSnapshot,
  getSnapshotBundle,
  createDisclosureKey as keyCall,
  listSnapshots as listCall,
} from '@sightline/contract/compliance/snapshots.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { openBundle } from './bundle.ts';
import { createDisclosureKey, requestSnapshot } from './commands.ts';
import { snapshotCsvColumns } from './csv-columns.ts';
import { diffSnapshots, findSnapshot, listSnapshots } from './queries.ts';

export function snapshotRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listSnapshots(tx, actor.orgId, query)),
  );
  exportRoute(app, services, [listCall, exportSnapshots], { name: 'Snapshots', columns: snapshotCsvColumns });
  route(app, services, createSnapshot, ({ actor, body }) => requestSnapshot(services, actor, body));
  route(app, services, getSnapshot, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findSnapshot(tx, actor.orgId, params.snapshotId)),
  );
  route(app, services, getSnapshotBundle, ({ actor, params }) => openBundle(services, actor.orgId, params.snapshotId));
  route(app, services, keyCall, ({ actor, params }) => createDisclosureKey(services, actor, params.snapshotId));
  route(app, services, diffCall, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => diffSnapshots(tx, actor.orgId, params.snapshotId, query.with)),
  );
}
