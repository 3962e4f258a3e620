import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SamlRefused } from '#providers/upstream/saml/refusal.ts';
import { type IdentityProvider, type IdentityProviderUser, UpstreamRefused } from '#providers/upstream/upstream.ts';
import { findUpstream } from '../../saml/queries.ts';
import { completeSignIn } from '../complete-sign-in.ts';
import { findIdentityOwner } from '../linking/identities.ts';
import { handleLinkCallback, redirectFromLink } from '../linking/link-routes.ts';
import { recordRefusal } from '../linking/refusals.ts';
import { upstreamLogin } from '../login-methods.ts';
import { findSignInAttempt, type SignInAttempt, sendExpiredPage, unauthenticatedActor } from '../sign-in-attempts.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { publishGroups } from './groups.ts';
import { recognizePerson } from './identify.ts';
import { recordSamlOutcome, sendFailedTestPage, sendTestPage } from './saml-routes.ts';
import { endUpstreamRedirect, recordCallbackAccount, requiresFreshSignIn, type UpstreamRedirect } from './states.ts';

const query = z.object({ state: z.string().min(1).max(200) });

/** The callbacks of all identity providers. */
export function callbackRoutes(app: FastifyInstance, site: SignInContext): void {
  app.get('/oidc/upstream/:connection/callback', async (request, reply) => {
    const { connection } = request.params as { connection: string };
    const upstream = await findUpstream(site.services, connection);
    const parsed = query.safeParse(request.query);
    if (!upstream || !parsed.success) return sendExpiredPage(site, reply);
    const { state } = parsed.data;
    const browser = site.csrf.browserOf(request, reply);
    const arrival = await site.services.database.global((tx) => endUpstreamRedirect(tx, state, connection, browser));
    if ('refused' in arrival) {
      if (arrival.refused === 'unknown') return sendExpiredPage(site, reply);
      const reason = arrival.refused === 'replayed' ? 'answer used twice' : 'another browser';
      await recordRefusal(site.services, {
        accountIds: [arrival.accountId],
        actor: unauthenticatedActor(request),
        reason,
        connection,
      });
      return sendExpiredPage(site, reply);
    }
    const { journey, checks } = arrival;
    const callback = new URL(request.raw.url ?? '', site.services.config.PUBLIC_URL);
    try {
      const person = await upstream.personOf(callback, checks, { fresh: requiresFreshSignIn(journey.purpose) });
      await recordSamlOutcome(site, connection);
      return await handleCallback(site, request, reply, { journey, upstream, person, state });
    } catch (error) {
      return refusedPage(site, request, reply, { journey, error });
    }
  });
}

interface Arrived {
  journey: UpstreamRedirect;
  upstream: IdentityProvider;
  person: IdentityProviderUser;
  state: string;
}

async function handleCallback(site: SignInContext, request: FastifyRequest, reply: FastifyReply, arrived: Arrived) {
  const { journey, person } = arrived;
  const { purpose } = journey;
  if (purpose.kind === 'test') return sendTestPage(site, reply, person);
  if (purpose.kind === 'link') return handleLinkCallback(site, { request, reply, ...purpose, person });
  const visit = await findSignInAttempt(site, request, reply, purpose.uid);
  if (!visit) return sendExpiredPage(site, reply);
  return visit.linkTicket ? arriveToMerge(visit, arrived) : arriveToSignIn(visit, arrived);
}

async function arriveToSignIn(visit: SignInAttempt, { person, state }: Arrived): Promise<FastifyReply> {
  const { services } = visit.site;
  const found = await recognizePerson(services, visit.interaction.uid, person, unauthenticatedActor(visit.request));
  if ('confirm' in found) return redirectToScreen(visit, { screen: 'address' });
  if ('notAdmitted' in found) {
    return redirectToScreen(visit, { screen: 'sign-in', problem: 'not-admitted', from: person.connection });
  }
  if ('prove' in found) return redirectToScreen(visit, { screen: 'prove' });
  await services.database.global((tx) => recordCallbackAccount(tx, state, found.account.id));
  await publishGroups(services, found.account.id, person);
  return completeSignIn(visit, found.account, upstreamLogin(person));
}

// Linking signs in to existing accounts and creates none.
async function arriveToMerge(visit: SignInAttempt, { upstream, person }: Arrived): Promise<FastifyReply> {
  // The provider of an organization cannot prove that two accounts belong to one person.
  const owner =
    upstream.kind === 'saml'
      ? undefined
      : await visit.site.services.database.global((tx) => findIdentityOwner(tx, person));
  if (owner) return completeSignIn(visit, owner, upstreamLogin(person));
  return redirectToScreen(visit, { screen: 'sign-in', problem: 'unknown-login', from: upstream.connection });
}

/** Redirects to a page without the code in its URL, so that it can be reloaded. */
const redirectToScreen = ({ reply, interaction }: SignInAttempt, query: Record<string, string>): FastifyReply =>
  reply.redirect(`/oidc/interaction/${interaction.uid}?${new URLSearchParams(query)}`, 303);

async function refusedPage(
  site: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { journey, error }: { journey: UpstreamRedirect; error: unknown },
): Promise<FastifyReply> {
  const { purpose, connection } = journey;
  const isRefusal = error instanceof UpstreamRefused;
  const isNotAccepted = error instanceof SamlRefused;
  if (isNotAccepted) await recordSamlOutcome(site, connection, error.reason);
  const problem = isRefusal && error.message === 'access_denied' ? 'cancelled' : isRefusal ? 'refused' : 'unreachable';
  if (problem !== 'cancelled')
    site.services.log.warn({ err: error, connection }, 'a sign-in with an identity provider failed');
  if (purpose.kind === 'test') return sendFailedTestPage(site, reply, error);
  if (purpose.kind === 'link') return redirectFromLink(site, reply, purpose.path, problem);
  const visit = await findSignInAttempt(site, request, reply, purpose.uid);
  return visit
    ? redirectToScreen(visit, {
        screen: 'sign-in',
        problem: isNotAccepted ? 'not-accepted' : problem,
        from: connection,
      })
    : sendExpiredPage(site, reply);
}
