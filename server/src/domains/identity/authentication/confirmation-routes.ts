import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { renderNoticePage } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import { findInvitation } from '../invitation-tickets/queries.ts';
import { confirmEmail } from './commands.ts';
import { type Confirmation, findConfirmation, isSameBrowser } from './confirmations.ts';
import { confirmEmailPage } from './pages/confirm-email.ts';
import { startSession } from './sessions.ts';
import { type SignInContext, sendTooManyAttempts, signUpCookie } from './sign-in-context.ts';

const link = z.object({ token: z.string().max(200) }).catch({ token: '' });
const answer = z
  .object({ token: z.string().max(200), password: z.string().max(1000).default('') })
  .catch({ token: '', password: '' });

export function confirmationRoutes(app: FastifyInstance, site: SignInContext): void {
  const { services, provider, csrf } = site;
  const { PUBLIC_URL } = services.config;

  const sendOtherBrowser = (reply: FastifyReply) =>
    sendPage(
      services.config,
      reply,
      renderNoticePage(
        'Open this link in the browser of your sign-up',
        [
          'You started in another browser with another sign-in service. Open the link there, or sign in with that service again here.',
        ],
        { href: '/login', label: 'Sign in' },
      ),
    );
  const isUpstreamInOtherBrowser = (request: FastifyRequest, found: Confirmation) =>
    found.identity !== undefined && !isSameBrowser(services.secrets, request.cookies[signUpCookie(site)], found);
  const ask = (
    request: FastifyRequest,
    {
      reply,
      token,
      found,
      error,
    }: { reply: FastifyReply; token: string; found: Confirmation; error?: string | undefined },
  ) =>
    sendPage(
      services.config,
      reply,
      confirmEmailPage({
        token,
        csrf: csrf.issue(request, reply),
        email: found.email,
        askPassword: !isSameBrowser(services.secrets, request.cookies[signUpCookie(site)], found),
        error,
      }),
    );

  app.get('/oidc/verify', async (request, reply) => {
    const { token } = link.parse(request.query);
    const found = await services.database.global((tx) => findConfirmation(tx, token));
    if (!found) return sendExpired(site, reply);
    return isUpstreamInOtherBrowser(request, found) ? sendOtherBrowser(reply) : ask(request, { reply, token, found });
  });

  app.post('/oidc/verify', async (request, reply) => {
    if (!csrf.check(request)) return sendPage(site.services.config, reply.status(400), site.expiredPage);
    const { token, password } = answer.parse(request.body);
    const result = await confirmEmail(services, {
      token,
      proof: request.cookies[signUpCookie(site)],
      password,
      request,
    });
    if ('gone' in result) return sendExpired(site, reply);
    if ('tooMany' in result) return sendTooManyAttempts(site, reply, result.tooMany);
    if ('elsewhere' in result) return sendOtherBrowser(reply);
    const { confirmation } = result;
    if ('wrong' in result) {
      return ask(request, {
        reply: reply.status(400),
        token,
        found: confirmation,
        error: 'The password does not match the last sign-up.',
      });
    }
    await startSession(provider, {
      request,
      reply,
      publicUrl: PUBLIC_URL,
      accountId: confirmation.accountId,
      amr: result.amr,
    });
    await site.devices.remember(request, reply, confirmation.accountId);
    return reply.redirect(await nextAddress(site, confirmation), 303);
  });
}

// After a sign-up by invitation, the next sign-in accepts the invitation.
async function nextAddress({ services }: SignInContext, { ticket }: Confirmation): Promise<string> {
  const { PUBLIC_URL } = services.config;
  const invitation = ticket === undefined ? undefined : await findInvitation(services, ticket);
  if (ticket === undefined || invitation?.state !== 'open') return `${PUBLIC_URL}/`;
  return `${PUBLIC_URL}/login?${new URLSearchParams({ invitation: ticket, organization: invitation.orgId })}`;
}

const sendExpired = ({ services }: SignInContext, reply: FastifyReply) =>
  sendPage(
    services.config,
    reply.status(410),
    renderNoticePage(
      'Invalid or expired link',
      [
        'Confirmation links are valid once, for 24 hours, and only the latest one works. If you already confirmed, sign in.',
      ],
      { href: '/login', label: 'Sign in' },
    ),
  );
