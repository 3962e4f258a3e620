import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { normalizeEmail } from '#core/email-address.ts';
import { renderNoticePage } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import { newPasswordProblem } from './common-passwords.ts';
import { maybeLink } from './links.ts';
import { requestOriginOf } from './login-audit.ts';
import { forgotPage, resetPage } from './pages/reset.ts';
import { requestPasswordReset, resetPassword } from './password-resets.ts';
import { startSession } from './sessions.ts';
import { type SignInContext, sendTooManyAttempts } from './sign-in-context.ts';

const short = z.string().max(1000).catch('');
const answer = z.object({ email: short, token: short, password: short }).catch({ email: '', token: '', password: '' });

export function resetRoutes(app: FastifyInstance, site: SignInContext): void {
  const { services, provider, csrf } = site;
  const { config, database } = services;
  const find = (token: string) => database.global((tx) => maybeLink(tx, 'PasswordReset', token));

  app.get('/oidc/forgot', (request, reply) =>
    sendPage(config, reply, forgotPage({ csrf: csrf.issue(request, reply) })),
  );

  app.post('/oidc/forgot', async (request, reply) => {
    if (!csrf.check(request)) return sendPage(config, reply.status(400), site.expiredPage);
    const email = normalizeEmail(answer.parse(request.body).email);
    if (email === undefined) {
      const error = 'Enter an email address, such as ada@example.org.';
      return sendPage(config, reply.status(400), forgotPage({ csrf: csrf.issue(request, reply), error }));
    }
    const waitSeconds = await requestPasswordReset(services, email, request.ip, site.devices.finderFor(request));
    return waitSeconds > 0 ? sendTooManyAttempts(site, reply, waitSeconds) : sendPage(config, reply, sentPage);
  });

  app.get('/oidc/reset', async (request, reply) => {
    const { token } = answer.parse(request.query);
    const link = await find(token);
    if (!link) return sendExpired(site, reply);
    return sendPage(config, reply, resetPage({ csrf: csrf.issue(request, reply), token, email: link.email }));
  });

  app.post('/oidc/reset', async (request, reply) => {
    if (!csrf.check(request)) return sendPage(config, reply.status(400), site.expiredPage);
    const { token, password } = answer.parse(request.body);
    const link = await find(token);
    if (!link) return sendExpired(site, reply);
    const error = await newPasswordProblem(password, link.email);
    if (error !== undefined) {
      const page = { csrf: csrf.issue(request, reply), token, email: link.email, error };
      return sendPage(config, reply.status(400), resetPage(page));
    }
    if (!(await resetPassword(services, token, password, requestOriginOf(request)))) return sendExpired(site, reply);
    await startSession(provider, { request, reply, publicUrl: config.PUBLIC_URL, accountId: link.accountId });
    await site.devices.remember(request, reply, link.accountId);
    return reply.redirect(`${config.PUBLIC_URL}/`, 303);
  });
}

// The page is the same for every address.
const sentPage = renderNoticePage('Check your inbox', [
  'If an account with this address exists, a link to choose a new password was sent. It is valid for one hour.',
]);

const sendExpired = ({ services }: SignInContext, reply: FastifyReply) =>
  sendPage(
    services.config,
    reply.status(410),
    renderNoticePage('Invalid or expired link', ['Password links are valid once, for one hour. Request another one.'], {
      href: '/oidc/forgot',
      label: 'Request a new link',
    }),
  );
