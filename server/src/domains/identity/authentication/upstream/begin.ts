import type { FastifyReply, FastifyRequest } from 'fastify';
import { notice } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import type { Upstream } from '#providers/upstream/upstream.ts';
import type { SignInSite } from '../site.ts';
import { beginJourney, isFresh, type Purpose } from './states.ts';

const callbackPath = (connection: string): string => `/oidc/upstream/${connection}/callback`;

/** Redirects the browser to an identity provider. `back` is offered if the provider is unavailable. */
export async function leaveFor(
  site: SignInSite,
  {
    request,
    reply,
    upstream,
    purpose,
    back,
  }: { request: FastifyRequest; reply: FastifyReply; upstream: Upstream; purpose: Purpose; back: string },
): Promise<FastifyReply> {
  const { services, csrf } = site;
  const { connection, label } = upstream;
  const browser = csrf.browserOf(request, reply);
  const checks = await services.database.global((tx) => beginJourney(tx, { connection, purpose, browser }));
  const redirectUri = `${services.config.PUBLIC_URL}${callbackPath(connection)}`;
  try {
    const url = await upstream.authorizationUrl(checks, { redirectUri, fresh: isFresh(purpose) });
    return reply.redirect(url, 303);
  } catch (error) {
    services.log.warn({ err: error, connection }, 'an identity provider is not available');
    return sendPage(
      services.config,
      reply.status(502),
      notice(`${label} is not available`, ['Try again in a moment, or use another sign-in method.'], {
        href: back,
        label: 'Back',
      }),
    );
  }
}
