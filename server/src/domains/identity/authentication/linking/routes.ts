import {
  listConnections,
  listIdentities,
  listSimilarAccounts,
  startLink,
  unlinkIdentity,
} from '@sightline/contract/identity/identities.ts';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#core/errors.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { startLinkOf, unlinkIdentityOf } from './commands.ts';
import { findIdentities, findSimilarAccounts, listSignInConnections } from './queries.ts';
import { recordRefusal } from './refusals.ts';

/** The API of the login identities of an account. */
export function linkingRoutes(app: FastifyInstance, services: Services): void {
  const { database, upstreams } = services;
  route(app, services, listIdentities, ({ actor }) => database.global((tx) => findIdentities(tx, actor, upstreams)));
  route(app, services, listConnections, async () => listSignInConnections(upstreams));
  route(app, services, startLink, ({ actor, body }) => startLinkOf(services, actor, body));
  route(app, services, unlinkIdentity, ({ actor, params }) => unlinkIdentityOf(services, actor, params.id));
  route(app, services, listSimilarAccounts, async ({ actor }) => {
    try {
      return await database.global((tx) => findSimilarAccounts(tx, actor.accountId));
    } catch (error) {
      if (error instanceof Refusal)
        await recordRefusal(services, { accountIds: [actor.accountId], actor, reason: 'unconfirmed address' });
      throw error;
    }
  });
}
