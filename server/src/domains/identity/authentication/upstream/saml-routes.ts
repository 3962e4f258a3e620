import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { MAX_RESPONSE_LENGTH } from '#providers/upstream/saml/checks.ts';
import { generateServiceProviderMetadata } from '#providers/upstream/saml/libraries.ts';
import { storeSamlResponse } from '../../saml/commands.ts';
import { findSamlKey, organizationOfConnection, samlServiceOf } from '../../saml/queries.ts';
import { sendExpiredPage } from '../sign-in-attempts.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { isPendingState } from './states.ts';

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
    const { entityId, callbackUrl } = samlServiceOf(services.config, orgId);
    const key = await findSamlKey(services, orgId);
    const xml = generateServiceProviderMetadata({
      issuer: entityId,
      callbackUrl,
      wantAssertionsSigned: true,
      publicCerts: key?.certificate ?? null,
      ...(key && { privateKey: key.privateKey }),
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
