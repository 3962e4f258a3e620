import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { listOrganizationsToConnect } from '../extensions/queries.ts';
import { builtInMcpClients, isMcpClient, withMcpScope } from './mcp-clients.ts';
import { consentPage } from './pages/consent.ts';
import {
  type SignInAttempt,
  sendExpiredPage,
  sendSignInPage,
  signInFormFields,
  signInRoute,
} from './sign-in-attempts.ts';
import type { SignInContext } from './sign-in-context.ts';

const decision = z.object({ decision: z.enum(['connect', 'cancel']), organization: z.uuid().optional() });

/** The page on which a person connects an MCP client to one of their organizations. */
export function mcpConsentRoutes(app: FastifyInstance, site: SignInContext): void {
  const path = '/oidc/interaction/:uid/consent';
  app.get(path, signInRoute(site, showConsent));
  app.post(path, signInRoute(site, postDecision));
}

async function showConsent(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, interaction, account } = visit;
  const client = await site.provider.Client.find(String(interaction.params.client_id));
  if (!account || !isMcpClient(client)) return sendExpiredPage(site, visit.reply);
  const { clientId = '', clientName = clientId } = client ?? {};
  const organizations = await site.services.database.global((tx) => listOrganizationsToConnect(tx, account.id));
  return sendSignInPage(
    visit,
    consentPage({
      ...signInFormFields(visit),
      email: account.email,
      client: clientName,
      isBuiltIn: builtInMcpClients.some(({ client_id: id }) => id === clientId),
      returnsTo: new URL(String(interaction.params.redirect_uri)).host,
      organizations,
      selected: visit.authorizationParams.organization,
    }),
  );
}

async function postDecision(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, request, reply, interaction, account } = visit;
  const given = decision.safeParse(request.body);
  if (!account || !given.success) return sendExpiredPage(site, reply);
  const { decision: chosen, organization } = given.data;
  const { provider } = site;
  if (chosen === 'cancel') {
    const error = { error: 'access_denied', error_description: 'the person did not connect the client' };
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, error), 303);
  }
  if (organization === undefined) return showConsent(visit);
  // From here the request is one for this organization, with its rules about membership, factors and sign-in.
  Object.assign(interaction.params, { organization, scope: withMcpScope(interaction.params.scope) });
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
  const consent = { accountId: account.id, organization };
  return reply.redirect(await provider.interactionResult(request.raw, reply.raw, { consent }), 303);
}
