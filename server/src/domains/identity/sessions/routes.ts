import {
  beginPasskeyProof,
  endOtherSessions,
  endSession,
  getReauthentication,
  listSessions,
  reauthenticate,
} from '@sightline/contract/identity/sessions.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { beginPasskeyCheck } from '../second-factors/commands.ts';
import { endOneSession, endOtherSessionsOf, reauthenticateSession } from './commands.ts';
import { findReauthentication, findSessions } from './queries.ts';

export function sessionRoutes(app: FastifyInstance, services: Services): void {
  const { global } = services.database;
  route(app, services, listSessions, ({ actor }) => global((tx) => findSessions(tx, actor)));
  route(app, services, endSession, ({ actor, params }) => endOneSession(services, actor, params.sessionId));
  route(app, services, endOtherSessions, ({ actor }) => endOtherSessionsOf(services, actor));
  route(app, services, getReauthentication, ({ actor }) => global((tx) => findReauthentication(tx, actor)));
  route(app, services, beginPasskeyProof, ({ actor }) => beginPasskeyCheck(services, actor.accountId));
  route(app, services, reauthenticate, ({ actor, body }) => reauthenticateSession(services, actor, body));
}
