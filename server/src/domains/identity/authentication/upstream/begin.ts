import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderNoticePage } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { beginUpstreamRedirect, requiresFreshSignIn, type UpstreamPurpose } from './states.ts';

const callbackPath = (connection: string): string => `/oidc/upstream/${connection}/callback`;

/** Redirects the browser to an identity provider. `back` is offered if the provider is unavailable. */
export async function redirectToUpstream(
  site: SignInContext,
  {
    request,
    reply,
    upstream,
    purpose,
    back,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    upstream: IdentityProvider;
    purpose: UpstreamPurpose;
    back: string;
  },
): Promise<FastifyReply> {
  const { services, csrf } = site;
  const { connection, label } = upstream;
  const browser = csrf.browserOf(request, reply);
  const checks = await services.database.global((tx) => beginUpstreamRedirect(tx, { connection, purpose, browser }));
  const redirectUri = `${services.config.PUBLIC_URL}${callbackPath(connection)}`;
  try {
    const url = await upstream.authorizationUrl(checks, { redirectUri, fresh: requiresFreshSignIn(purpose) });
    return reply.redirect(url, 303);
  } catch (error) {
    services.log.warn({ err: error, connection }, 'an identity provider is not available');
    return sendPage(
      services.config,
      reply.status(502),
      renderNoticePage(`${label} is not available`, ['Try again in a moment, or use another sign-in method.'], {
        href: back,
        label: 'Back',
      }),
    );
  }
}
