import {
  answerPortalRequest,
  enterPortal,
  getEnteredPortal,
  getPortal,
  getPortalBundle,
  getPortalChange,
  getPortalControl,
  getPortalSample,
  getPortalSnapshot,
  getPortalStatus,
  listPortals as listCall,
  listOwnPortalRequests,
  listPortalRows,
  createPortal as openCall,
  requestEvidence,
  revokePortal as revokeCall,
} from '@sightline/contract/compliance/auditor-portals.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { answerRequest, openPortal, revokePortal } from './commands.ts';
import { findPortal, listPortals, listRequests } from './queries.ts';
import {
  readPortalStatus,
  seeChange,
  seeControl,
  seePortal,
  seeRows,
  seeSample,
  seeSnapshot,
  takeBundle,
} from './views.ts';
import { ask, enter, noteView } from './visits.ts';

/** For members of the organization. */
export function portalRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listPortals(tx, actor.orgId, query)),
  );
  route(app, services, openCall, ({ actor, body }) => openPortal(services, actor, body));
  route(app, services, getPortal, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findPortal(tx, actor.orgId, params.portalId)),
  );
  route(app, services, revokeCall, ({ actor, params }) => revokePortal(services, actor, params.portalId));
  route(app, services, answerPortalRequest, ({ actor, params, body }) =>
    answerRequest(services, actor, { ...params, ...body }),
  );
  auditorRoutes(app, services);
}

/** For auditors, who open a portal with its link. */
function auditorRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, enterPortal, ({ caller, body }) => enter(services, caller, body.token));
  route(app, services, getEnteredPortal, ({ actor }) => seePortal(services, actor));
  route(app, services, getPortalStatus, ({ actor }) => readPortalStatus(services, actor));
  route(app, services, getPortalSnapshot, ({ actor, params }) => seeSnapshot(services, actor, params.snapshotId));
  route(app, services, getPortalControl, ({ actor, params }) => seeControl(services, actor, params));
  route(app, services, listPortalRows, ({ actor, params, query }) => seeRows(services, actor, params, query));
  route(app, services, getPortalSample, ({ actor, params, query }) => seeSample(services, actor, params, query));
  route(app, services, getPortalChange, ({ actor, params }) => seeChange(services, actor, params));
  route(app, services, getPortalBundle, ({ actor, params }) => takeBundle(services, actor, params.snapshotId));
  route(app, services, listOwnPortalRequests, ({ actor }) =>
    withOrg(actor.orgId, async (tx) => {
      await noteView(services, tx, {
        actor,
        action: 'portal.viewed',
        seen: { view: 'requests and answers' },
      });
      return listRequests(tx, actor.orgId, actor.portal.id);
    }),
  );
  route(app, services, requestEvidence, ({ actor, body }) => ask(services, actor, body));
}
