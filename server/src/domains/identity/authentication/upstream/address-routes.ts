import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { countAttempts, limits, networkOf } from '#core/attempts.ts';
import { normalEmail } from '#core/email-address.ts';
import type { Upstream } from '#providers/upstream/upstream.ts';
import { ticketOf } from '../../invitation-tickets/queries.ts';
import { browserProof, userIdOf } from '../confirmations.ts';
import { noteRefusal } from '../linking/refusals.ts';
import { addressPage, provePage } from '../pages/prove.ts';
import { rememberSignUp, type SignInSite, tooMany } from '../site.ts';
import { expired, formOf, type SignInVisit, send, strangerOf, visiting } from '../visits.ts';
import { pendingOf } from './pending.ts';
import { requestAddress } from './request-address.ts';

const posted = z.object({ email: z.string().max(1000) }).catch({ email: '' });

/** Requests an email address if an identity provider confirms none. */
export function addressRoutes(app: FastifyInstance, site: SignInSite): void {
  app.post(
    '/oidc/interaction/:uid/address',
    visiting(site, (visit) => postAddress(visit)),
  );
}

/** Shows the pending external login of this sign-in: requests an address, or a sign-in to the account that has it. */
export async function showPending(visit: SignInVisit, screen: 'address' | 'prove'): Promise<FastifyReply> {
  const { services } = visit.site;
  const pending = await services.database.global((tx) => pendingOf(tx, visit.interaction.uid));
  const upstream = services.upstreams.get(pending?.person.connection ?? '');
  if (!pending || !upstream || visit.link) return expired(visit.site, visit.reply);
  const { email } = pending.person;
  if (screen === 'address' || email === undefined) return showAddress(visit, upstream, { email });
  const { uid, csrf } = formOf(visit);
  const others = [...services.upstreams.values()].filter((one) => one.connection !== upstream.connection);
  return send(visit, provePage({ uid, csrf, email, label: upstream.label, others }));
}

const showAddress = (
  visit: SignInVisit,
  { label }: Pick<Upstream, 'label'>,
  { email, error }: { email?: string | undefined; error?: string },
): FastifyReply => {
  const { uid, csrf } = formOf(visit);
  return send(visit, addressPage({ uid, csrf, label, email, error }), error === undefined ? 200 : 400);
};

async function postAddress(visit: SignInVisit): Promise<FastifyReply> {
  const { site, request, reply, interaction, link } = visit;
  const { services } = site;
  const pending = await services.database.global((tx) => pendingOf(tx, interaction.uid));
  const upstream = services.upstreams.get(pending?.person.connection ?? '');
  if (!pending || !upstream || link) return expired(site, reply);
  const given = posted.parse(request.body).email;
  const email = normalEmail(given);
  if (email === undefined) {
    return showAddress(visit, upstream, { email: given, error: 'Enter an email address, such as ada@example.org.' });
  }
  const wait = await services.database.global((tx) =>
    countAttempts(tx, [
      [limits.signUpByNetwork, networkOf(request.ip)],
      [limits.mailByMinute, email],
      [limits.mailByDay, email],
    ]),
  );
  if (wait > 0) return tooMany(site, reply, wait);
  const ticket = visit.invitation && ticketOf(services.secrets, visit.invitation.orgId, visit.invitation.id);
  const { accountId, verified } = await requestAddress(services, pending, email, ticket);
  if (verified) {
    const { connection } = pending.person;
    await noteRefusal(services, {
      accountIds: [accountId],
      doer: strangerOf(request),
      reason: 'address not confirmed here',
      connection,
    });
  }
  rememberSignUp(site, reply, browserProof(services.secrets, accountId, pending.id));
  const userId = encodeURIComponent(userIdOf(services.secrets, accountId));
  return reply.redirect(`${services.config.PUBLIC_URL}/auth/verify?user_id=${userId}`, 303);
}
