import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { normalizeEmail } from '#core/email-address.ts';
import type { IdentityProvider } from '#providers/upstream/upstream.ts';
import { invitationTicketOf } from '../../invitation-tickets/queries.ts';
import { findUpstream } from '../../saml/queries.ts';
import { browserProof, sealUserId } from '../confirmations.ts';
import { recordRefusal } from '../linking/refusals.ts';
import { addressPage, provePage } from '../pages/prove.ts';
import {
  type SignInAttempt,
  sendExpiredPage,
  sendSignInPage,
  signInFormFields,
  signInRoute,
  unauthenticatedActor,
} from '../sign-in-attempts.ts';
import { rememberSignUp, type SignInContext, sendTooManyAttempts } from '../sign-in-context.ts';
import { findPendingLogin } from './pending-logins.ts';
import { requestAddress } from './request-address.ts';

const posted = z.object({ email: z.string().max(1000) }).catch({ email: '' });

/** Requests an email address if an identity provider confirms none. */
export function addressRoutes(app: FastifyInstance, site: SignInContext): void {
  app.post(
    '/oidc/interaction/:uid/address',
    signInRoute(site, (visit) => postAddress(visit)),
  );
}

/** Shows the pending external login of this sign-in: requests an address, or a sign-in to the account that has it. */
export async function showPending(visit: SignInAttempt, screen: 'address' | 'prove'): Promise<FastifyReply> {
  const { services } = visit.site;
  const pending = await services.database.global((tx) => findPendingLogin(tx, visit.interaction.uid));
  const upstream = await findUpstream(services, pending?.person.connection ?? '');
  if (!pending || !upstream || visit.linkTicket) return sendExpiredPage(visit.site, visit.reply);
  const { email } = pending.person;
  if (screen === 'address' || email === undefined) return showAddress(visit, upstream, { email });
  const { uid, csrf } = signInFormFields(visit);
  const others = [...services.upstreams.values()].filter((one) => one.connection !== upstream.connection);
  return sendSignInPage(visit, provePage({ uid, csrf, email, label: upstream.label, others }));
}

const showAddress = (
  visit: SignInAttempt,
  { label }: Pick<IdentityProvider, 'label'>,
  { email, error }: { email?: string | undefined; error?: string },
): FastifyReply => {
  const { uid, csrf } = signInFormFields(visit);
  return sendSignInPage(visit, addressPage({ uid, csrf, label, email, error }), error === undefined ? 200 : 400);
};

async function postAddress(visit: SignInAttempt): Promise<FastifyReply> {
  const { site, request, reply, interaction, linkTicket } = visit;
  const { services } = site;
  const pending = await services.database.global((tx) => findPendingLogin(tx, interaction.uid));
  const upstream = await findUpstream(services, pending?.person.connection ?? '');
  if (!pending || !upstream || linkTicket) return sendExpiredPage(site, reply);
  const given = posted.parse(request.body).email;
  const email = normalizeEmail(given);
  if (email === undefined) {
    return showAddress(visit, upstream, { email: given, error: 'Enter an email address, such as ada@example.org.' });
  }
  const wait = await services.database.global((tx) =>
    countAttempts(tx, [
      [ATTEMPT_LIMITS.signUpByNetwork, networkOf(request.ip)],
      [ATTEMPT_LIMITS.mailByMinute, email],
      [ATTEMPT_LIMITS.mailByDay, email],
    ]),
  );
  if (wait > 0) return sendTooManyAttempts(site, reply, wait);
  const ticket = visit.invitation && invitationTicketOf(services.secrets, visit.invitation.orgId, visit.invitation.id);
  const { accountId, verified } = await requestAddress(services, pending, email, ticket);
  if (verified) {
    const { connection } = pending.person;
    await recordRefusal(services, {
      accountIds: [accountId],
      actor: unauthenticatedActor(request),
      reason: 'address not confirmed here',
      connection,
    });
  }
  rememberSignUp(site, reply, browserProof(services.secrets, accountId, pending.id));
  const userId = encodeURIComponent(sealUserId(services.secrets, accountId));
  return reply.redirect(`${services.config.PUBLIC_URL}/auth/verify?user_id=${userId}`, 303);
}
