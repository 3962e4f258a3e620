import {
  createWeekDigests,
  exportDigests,
  getDigest,
  listDigests,
  reviewDigest,
} from '@sightline/contract/compliance/digests.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { requestDigests, signOffDigest } from './commands.ts';
import { digestCsvColumns } from './csv-columns.ts';
import { findDigest, listDigestsOf } from './queries.ts';

export function digestRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listDigests, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listDigestsOf(tx, actor, query)),
  );
  exportRoute(app, services, [listDigests, exportDigests], { name: 'Commit digests', columns: digestCsvColumns });
  route(app, services, createWeekDigests, ({ actor, body }) => requestDigests(services, actor, body.week));
  route(app, services, getDigest, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findDigest(tx, actor, params.digestId)),
  );
  route(app, services, reviewDigest, ({ actor, params, body }) =>
    signOffDigest(services, actor, params.digestId, body),
  );
}
