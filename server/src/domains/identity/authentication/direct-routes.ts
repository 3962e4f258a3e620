import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { importJWK, SignJWT } from 'jose';
import { z } from 'zod';
import { requireAccountActor } from '#core/actor.ts';
import { Forbidden, Invalid } from '#core/errors.ts';
import { sendErrorResponse } from '#core/http.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { audienceOf, issuerOf } from '#core/tokens.ts';
import { acceptInvitation } from '../invitation-tickets/commands.ts';
import { authorizationClaims, findEntryRole } from './grants.ts';

const body = z.strictObject({
  organization: z.uuid().optional(),
  invitation: z.string().min(1).max(400).optional(),
});
const seconds = 600;

/**
 * Direct mode: pages exchange a token of the external issuer for one of Sightline with the requested organization and
 * the permissions of the member. It expires no later than the original token and belongs to the same session. Tokens of
 * Sightline and of extensions cannot be exchanged.
 */
export function directRoutes(app: FastifyInstance, services: Services, keys: SigningKeys): void {
  app.post('/oidc/direct/token', async (request, reply) => {
    try {
      return await exchange(services, keys, request, reply);
    } catch (error) {
      return sendErrorResponse(error, request, reply);
    }
  });
}

async function exchange(services: Services, keys: SigningKeys, request: FastifyRequest, reply: FastifyReply) {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const claims = bearer === undefined ? undefined : await services.verifyOutsideToken?.(bearer);
  const actor = requireAccountActor(claims, request);
  const { data } = body.safeParse(request.body ?? {});
  if (!data) throw Invalid('organization', 'must be the id of an organization');
  if (data.invitation !== undefined) await acceptInvitation(services, actor, data.invitation);
  const role =
    data.organization === undefined
      ? undefined
      : await findEntryRole(services.database, data.organization, actor.accountId);
  if (data.organization !== undefined && !role) throw Forbidden('you are not a member of this organization');
  const [signer] = keys.private.keys;
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({
    email: actor.email,
    ...(actor.sessionId !== undefined && { sid: actor.sessionId }),
    ...(role && { orgID: data.organization, authorization: authorizationClaims(role) }),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: signer?.kid ?? '' })
    .setSubject(actor.accountId)
    .setIssuer(issuerOf(services.config.PUBLIC_URL))
    .setAudience(audienceOf(services.config.PUBLIC_URL))
    .setIssuedAt(now)
    .setExpirationTime(Math.min(now + seconds, claims?.expiresAt ?? 0))
    .sign(await importJWK(signer ?? {}, 'RS256'));
  return reply.header('cache-control', 'no-store').send({ access_token: token, token_type: 'Bearer' });
}
