import { createHash, randomBytes } from 'node:crypto';
import { passwordConnection } from '@sightline/contract/identity/identities.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { IdentityProviderUser } from '#providers/upstream/upstream.ts';
import { webClientId } from '../provider.ts';
import { sessionAccount } from '../sessions.ts';
import { signInRoute } from '../sign-in-attempts.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { redirectToUpstream } from '../upstream/begin.ts';
import { backUrl, type LinkFailure } from './back-url.ts';
import { connectIdentity } from './identities.ts';
import { postMerge } from './merge-pages.ts';
import { recordRefusal } from './refusals.ts';
import { findTicket, useTicket } from './tickets.ts';

const query = z.object({ ticket: z.string().min(1).max(200) }).catch({ ticket: '' });

export function linkRoutes(app: FastifyInstance, site: SignInContext): void {
  const { services } = site;
  app.get('/oidc/link', async (request, reply) => {
    const { ticket: token } = query.parse(request.query);
    const ticket = await services.database.global((tx) => findTicket(tx, token));
    if (!ticket) return redirectFromLink(site, reply, undefined, 'expired');
    const session = await sessionAccount(site.provider, request, reply, services.config.PUBLIC_URL);
    if (session !== ticket.accountId) {
      // An attacker may have sent their own ticket to this browser, to connect the login of its owner to the account of
      // the attacker.
      const actor = { accountId: session, requestId: request.id, address: request.ip };
      await recordRefusal(services, {
        accountIds: [ticket.accountId, session],
        actor,
        reason: 'another browser',
        connection: ticket.connection,
      });
      return redirectFromLink(site, reply, undefined, 'other-account');
    }
    const { accountId, path } = ticket;
    if (ticket.connection === passwordConnection) return reply.redirect(otherAccountUrl(site, token), 303);
    const upstream = services.upstreams.get(ticket.connection);
    if (!upstream || !(await services.database.global((tx) => useTicket(tx, token)))) {
      return redirectFromLink(site, reply, path, 'expired');
    }
    const purpose = { kind: 'link', accountId, path } as const;
    return redirectToUpstream(site, {
      request,
      reply,
      upstream,
      purpose,
      back: backUrl('', path, { error: 'unreachable' }),
    });
  });
  app.post('/oidc/interaction/:uid/merge', signInRoute(site, postMerge));
}

export const redirectFromLink = (
  { services }: SignInContext,
  reply: FastifyReply,
  path: string | undefined,
  error?: LinkFailure,
): FastifyReply => reply.redirect(backUrl(services.config.PUBLIC_URL, path, error === undefined ? {} : { error }), 303);

/**
 * Handles the return from an identity provider: connects an unconnected identity, or continues with a full sign-in to
 * its account.
 */
export async function handleLinkCallback(
  site: SignInContext,
  {
    request,
    reply,
    accountId,
    path,
    person,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    accountId: string;
    path: string;
    person: IdentityProviderUser;
  },
): Promise<FastifyReply> {
  const { services } = site;
  const session = await sessionAccount(site.provider, request, reply, services.config.PUBLIC_URL);
  const actor = { accountId, requestId: request.id, address: request.ip };
  if (session !== accountId) {
    await recordRefusal(services, {
      accountIds: [accountId],
      actor: { ...actor, accountId: session },
      reason: 'another browser',
      connection: person.connection,
    });
    return redirectFromLink(site, reply, undefined, 'other-account');
  }
  const outcome = await connectIdentity(services, actor, person, path);
  if (outcome === 'connected') return redirectFromLink(site, reply, path);
  if (outcome === 'taken') return redirectFromLink(site, reply, path, 'taken');
  return reply.redirect(otherAccountUrl(site, outcome, person.connection), 303);
}

/**
 * The URL of a sign-in to the other account. That sign-in ends before it changes the session of the browser, so its
 * code is never redeemed.
 */
function otherAccountUrl({ services }: SignInContext, ticket: string, connection?: string): string {
  const { PUBLIC_URL } = services.config;
  const search = new URLSearchParams({
    client_id: webClientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${PUBLIC_URL}/auth`,
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
    link: ticket,
    ...(connection !== undefined && { connection }),
  });
  return `${PUBLIC_URL}/oidc/authorize?${search}`;
}
