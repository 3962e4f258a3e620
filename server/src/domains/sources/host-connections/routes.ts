import {
  authorizeHost,
  connectHost,
  disconnectHost,
  finishHost,
  getHostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
} from '@sightline/contract/sources/host-connections.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { connectByToken, disconnect } from './connect.ts';
import { hostState } from './queries.ts';
import { listPlaces, pickPlaces } from './scopes.ts';
import { finishSignIn, startSignIn } from './sign-in.ts';

export function hostConnectionRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getHostConnection, ({ actor, params }) =>
    services.database.withOrg(actor.orgId, (tx) => hostState(services, tx, actor.orgId, params.provider)),
  );
  route(app, services, connectHost, ({ actor, params, body }) =>
    connectByToken(services, actor, params.provider, body),
  );
  route(app, services, authorizeHost, ({ actor, params, query }) =>
    startSignIn(services, actor, params.provider, query.redirectURL),
  );
  route(app, services, finishHost, ({ actor, params, body }) => finishSignIn(services, actor, params.provider, body));
  route(app, services, listHostWorkspaces, ({ actor, params }) => listPlaces(services, actor, params.provider));
  route(app, services, selectHostWorkspaces, ({ actor, params, body }) =>
    pickPlaces(services, actor, params.provider, body.ids),
  );
  route(app, services, disconnectHost, ({ actor, params }) => disconnect(services, actor, params.provider));
}
