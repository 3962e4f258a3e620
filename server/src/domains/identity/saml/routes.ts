import { connectSaml, disconnectSaml, getSamlLogin } from '@sightline/contract/identity/saml.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { MAX_RESPONSE_LENGTH } from '#providers/upstream/saml/checks.ts';
import { generateServiceProviderMetadata } from '#providers/upstream/saml/libraries.ts';
import { sendExpiredPage } from '../authentication/sign-in-attempts.ts';
import type { SignInContext } from '../authentication/sign-in-context.ts';
import { isPendingState } from '../authentication/upstream/states.ts';
import { connectSamlOf, disconnectSamlOf } from './commands.ts';
import { findSamlRow, maybeSamlLogin, organizationOfConnection, samlServiceOf } from './queries.ts';
import { storeSamlResponse } from './responses.ts';

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

const posted = z.object({
  SAMLResponse: z.string().min(1).max(MAX_RESPONSE_LENGTH),
  RelayState: z.string().min(1).max(200),
});

/** The addresses that an identity provider uses: the metadata of this service, and where it posts responses. */
export function samlBrowserRoutes(app: FastifyInstance, site: SignInContext): void {
  const { services } = site;
  app.get('/oidc/upstream/:connection/metadata', async (request, reply) => {
    const { connection } = request.params as { connection: string };
    const orgId = organizationOfConnection(connection);
    if (orgId === undefined) return sendExpiredPage(site, reply);
    const row = await services.database.withOrg(orgId, (tx) => findSamlRow(tx, orgId));
    const { entityId, callbackUrl } = samlServiceOf(services.config, orgId);
    const xml = generateServiceProviderMetadata({
      issuer: entityId,
      callbackUrl,
      wantAssertionsSigned: true,
      publicCerts: row?.certificate ?? null,
      identifierFormat: null,
    });
    return reply.type('application/samlmetadata+xml; charset=utf-8').send(xml);
  });
  app.post('/oidc/upstream/:connection/acs', { bodyLimit: MAX_RESPONSE_LENGTH * 2 }, async (request, reply) => {
    const { connection } = request.params as { connection: string };
    const parsed = posted.safeParse(request.body);
    if (organizationOfConnection(connection) === undefined || !parsed.success) return sendExpiredPage(site, reply);
    const { SAMLResponse: encoded, RelayState: state } = parsed.data;
    // A response without a sign-in that began here is refused: identity providers cannot initiate one.
    const secret = await services.database.global(async (tx) =>
      (await isPendingState(tx, state, connection)) ? storeSamlResponse(tx, connection, encoded) : undefined,
    );
    if (secret === undefined) return sendExpiredPage(site, reply);
    const query = new URLSearchParams({ state, response: secret });
    return reply.redirect(`/oidc/upstream/${connection}/callback?${query}`, 303);
  });
}
