import {
  exportChanges,
  getApprovalTrend,
  getChange,
  getChangeVsa,
  listChanges,
} from '@sightline/contract/compliance/changes.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { approvalTrendOf } from './approval-trend.ts';
import { exportChangeList } from './export.ts';
import { findChange } from './find.ts';
import { listBranchChanges } from './list.ts';
import { findVerificationSummary } from './vsa.ts';

export function changeRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listChanges, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listBranchChanges(tx, actor, query)),
  );
  route(app, services, exportChanges, ({ actor, query }) => exportChangeList(services, actor, query));
  route(app, services, getApprovalTrend, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => approvalTrendOf(tx, actor, query)),
  );
  route(app, services, getChange, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => findChange(tx, actor, params.id, query.version)),
  );
  route(app, services, getChangeVsa, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findVerificationSummary(tx, actor, params.id, services.config.PUBLIC_URL)),
  );
}
