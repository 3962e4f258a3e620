import { organizationOfConnection, type SamlProblem, samlProblemTexts } from '@sightline/contract/identity/saml.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { renderNoticePage } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import { MAX_RESPONSE_LENGTH } from '#providers/upstream/saml/checks.ts';
import { generateServiceProviderMetadata } from '#providers/upstream/saml/libraries.ts';
import { SamlRefused } from '#providers/upstream/saml/refusal.ts';
import type { IdentityProviderUser } from '#providers/upstream/upstream.ts';
import { recordSamlProblem, recordSamlSignIn, storeSamlResponse } from '../../saml/commands.ts';
import { findSamlKey, findUpstream, samlServiceOf, samlStartUrlOf, startsAtProvider } from '../../saml/queries.ts';
import { sendExpiredPage } from '../sign-in-attempts.ts';
import { type SignInContext, sendTooManyAttempts } from '../sign-in-context.ts';
import { redirectToUpstream } from './begin.ts';
import { isPendingState } from './states.ts';

const posted = z.object({
  SAMLResponse: z.string().min(1).max(MAX_RESPONSE_LENGTH),
  RelayState: z.string().max(1000).catch(''),
});

/** The addresses that an identity provider uses, and the test of a login. None requires a session. */
export function samlBrowserRoutes(app: FastifyInstance, site: SignInContext): void {
  const path = '/oidc/upstream/:connection';
  const ofOrganization =
    (work: (request: FastifyRequest, reply: FastifyReply, orgId: string) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const orgId = organizationOfConnection(connectionOf(request));
      if (orgId === undefined) return sendExpiredPage(site, reply);
      const waitSeconds = await site.services.database.global((tx) =>
        countAttempts(tx, [[ATTEMPT_LIMITS.samlByNetwork, networkOf(request.ip)]]),
      );
      return waitSeconds > 0 ? sendTooManyAttempts(site, reply, waitSeconds) : work(request, reply, orgId);
    };
  app.get(
    `${path}/metadata`,
    ofOrganization(async (_, reply, orgId) =>
      reply
        .type('application/samlmetadata+xml; charset=utf-8')
        .header('content-disposition', 'attachment; filename="sightline-saml-metadata.xml"')
        .send(await metadataOf(site, orgId)),
    ),
  );
  app.get(
    `${path}/test`,
    ofOrganization((request, reply) => beginTest(site, request, reply)),
  );
  // The form of a response is larger than those of other pages: its base64 is encoded for the form.
  app.post(
    `${path}/acs`,
    { bodyLimit: MAX_RESPONSE_LENGTH * 2 },
    ofOrganization((request, reply, orgId) => receive(site, request, reply, orgId)),
  );
}

const connectionOf = ({ params }: FastifyRequest): string => (params as { connection: string }).connection;

async function metadataOf({ services }: SignInContext, orgId: string): Promise<string> {
  const { entityId, callbackUrl } = samlServiceOf(services.config, orgId);
  const key = await findSamlKey(services, orgId);
  return generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl,
    wantAssertionsSigned: true,
    publicCerts: key?.certificate ?? null,
    ...(key && { privateKey: key.privateKey }),
    identifierFormat: null,
  });
}

/** Receives a response, which waits for the browser. Without a sign-in that began here it is never used. */
async function receive(
  site: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  orgId: string,
): Promise<FastifyReply> {
  const { services } = site;
  const connection = connectionOf(request);
  const parsed = posted.safeParse(request.body);
  if (!parsed.success) return sendExpiredPage(site, reply);
  const { SAMLResponse: encoded, RelayState: state } = parsed.data;
  const isPending = await services.database.global(async (tx) => {
    if (!(await isPendingState(tx, state, connection))) return false;
    await storeSamlResponse(tx, state, encoded);
    return true;
  });
  if (isPending) return reply.redirect(`/oidc/upstream/${connection}/callback?${new URLSearchParams({ state })}`, 303);
  // The portal of the identity provider: its response proves nothing about this browser, so that a sign-in begins here.
  if (await startsAtProvider(services, orgId)) return reply.redirect(samlStartUrlOf(services.config, orgId), 303);
  return sendExpiredPage(site, reply);
}

async function beginTest(site: SignInContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const upstream = await findUpstream(site.services, connectionOf(request));
  if (!upstream) return sendExpiredPage(site, reply);
  return redirectToUpstream(site, { request, reply, upstream, purpose: { kind: 'test' }, back: settingsPath });
}

const settingsPath = '/organization/settings';
const back = { href: settingsPath, label: 'Back to the settings' };

/** Shows what a test received. Nothing is stored, and no account is signed in. */
export function sendTestPage(
  { services }: SignInContext,
  reply: FastifyReply,
  { name, email, groups }: IdentityProviderUser,
): FastifyReply {
  const groupsText =
    groups === undefined ? 'Groups are not read.' : `Groups: ${groups.length === 0 ? 'none' : groups.join(', ')}.`;
  const lines = [`${name}, ${email}`, groupsText, 'The response was accepted. You were not signed in by this test.'];
  return sendPage(services.config, reply, renderNoticePage('The test sign-in works', lines, back));
}

export const sendFailedTestPage = ({ services }: SignInContext, reply: FastifyReply, error: unknown): FastifyReply => {
  const text = error instanceof SamlRefused ? samlProblemTexts[error.reason] : 'It could not be read.';
  const page = renderNoticePage('The test sign-in failed', ['The response was not accepted.', text], back);
  return sendPage(services.config, reply.status(400), page);
};

/** Records the outcome of a response for the owners of the organization: undefined for an accepted one. */
export async function recordSamlOutcome(
  { services }: SignInContext,
  connection: string,
  problem?: SamlProblem,
): Promise<void> {
  const orgId = organizationOfConnection(connection);
  if (orgId === undefined) return;
  await (problem === undefined ? recordSamlSignIn(services, orgId) : recordSamlProblem(services, orgId, problem));
}
