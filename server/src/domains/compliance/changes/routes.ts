import {
  getApprovalTrend,
  getChange,
  getChangeProvenance,
  getChangeSourceLevel,
  getChangeVsa,
  listChanges,
  sourcePolicyPath,
} from '@sightline/contract/compliance/changes.ts';
import { sourcePolicyText } from '@sightline/evidence/slsa/policy.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { approvalTrendOf } from './approval-trend.ts';
import { findChange } from './find.ts';
import { listBranchChanges } from './list.ts';
import { findSourceLevel, signSourceProvenance, signVerificationSummary } from './source-statements.ts';

export function changeRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listChanges, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listBranchChanges(tx, actor, query)),
  );
  route(app, services, getApprovalTrend, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => approvalTrendOf(tx, actor, query)),
  );
  route(app, services, getChange, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => findChange(tx, actor, params.id, query.version)),
  );
  route(app, services, getChangeSourceLevel, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findSourceLevel(tx, actor, params.id)),
  );
  route(app, services, getChangeVsa, ({ actor, params }) => signVerificationSummary(services, actor, params.id));
  route(app, services, getChangeProvenance, ({ actor, params }) => signSourceProvenance(services, actor, params.id));
  // Verifiers without an account compare it with the digest in a statement.
  app.get(sourcePolicyPath, async (_, reply) =>
    reply.type('application/json').header('cache-control', 'no-cache').send(sourcePolicyText),
  );
}
