import {
  authorizeHost,
  connectHost,
  disconnectHost,
  finishHost,
  getHostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
  testHost,
} from '@sightline/contract/sources/host-connections.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { testHostConnection } from './check.ts';
import { connectByToken, disconnectCodeHost } from './connect.ts';
import { loadHostState } from './queries.ts';
import { listHostScopes, selectHostScopes } from './scopes.ts';
import { finishHostSignIn, startHostSignIn } from './sign-in.ts';

export function hostConnectionRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getHostConnection, ({ actor, params }) =>
    services.database.withOrg(actor.orgId, (tx) => loadHostState(services, tx, actor.orgId, params.provider)),
  );
  route(app, services, connectHost, ({ actor, params, body }) =>
    connectByToken(services, actor, params.provider, body),
  );
  route(app, services, testHost, ({ actor, params }) => testHostConnection(services, actor.orgId, params.provider));
  route(app, services, authorizeHost, ({ actor, params, query }) =>
    startHostSignIn(services, actor, params.provider, query.redirectURL),
  );
  route(app, services, finishHost, ({ actor, params, body }) =>
    finishHostSignIn(services, actor, params.provider, body),
  );
  route(app, services, listHostWorkspaces, ({ actor, params }) => listHostScopes(services, actor, params.provider));
  route(app, services, selectHostWorkspaces, ({ actor, params, body }) =>
    selectHostScopes(services, actor, params.provider, body.ids),
  );
  route(app, services, disconnectHost, ({ actor, params }) => disconnectCodeHost(services, actor, params.provider));
}
