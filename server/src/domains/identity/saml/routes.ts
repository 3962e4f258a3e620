import { connectSaml, disconnectSaml, getSamlLogin } from '@sightline/contract/identity/saml.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { connectSamlOf, disconnectSamlOf } from './commands.ts';
import { maybeSamlLogin, samlServiceOf } from './queries.ts';

export function samlRoutes(app: FastifyInstance, services: Services): void {
  const { database, config } = services;
  route(app, services, getSamlLogin, ({ actor: { orgId } }) =>
    database.withOrg(orgId, async (tx) => ({
      login: (await maybeSamlLogin(config, tx, orgId)) ?? null,
      service: samlServiceOf(config, orgId),
    })),
  );
  route(app, services, connectSaml, ({ actor, body }) => connectSamlOf(services, actor, body));
  route(app, services, disconnectSaml, ({ actor }) => disconnectSamlOf(services, actor));
}
