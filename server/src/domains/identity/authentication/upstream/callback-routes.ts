import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Upstream, type UpstreamPerson, UpstreamRefused } from '#providers/upstream/upstream.ts';
import { finish } from '../finish.ts';
import { maybeOwner } from '../linking/identities.ts';
import { arriveToLink, backFromLink } from '../linking/link-routes.ts';
import { noteRefusal } from '../linking/refusals.ts';
import { upstreamLogin } from '../login-methods.ts';
import type { SignInSite } from '../site.ts';
import { expired, maybeVisit, type SignInVisit, strangerOf } from '../visits.ts';
import { recognize } from './identify.ts';
import { endJourney, isFresh, type Journey, rememberArrival } from './states.ts';

const query = z.object({ state: z.string().min(1).max(200) });

/** The callbacks of all identity providers. */
export function callbackRoutes(app: FastifyInstance, site: SignInSite): void {
  app.get('/oidc/upstream/:connection/callback', async (request, reply) => {
    const { connection } = request.params as { connection: string };
    const upstream = site.services.upstreams.get(connection);
    const parsed = query.safeParse(request.query);
    if (!upstream || !parsed.success) return expired(site, reply);
    const { state } = parsed.data;
    const browser = site.csrf.browserOf(request, reply);
    const arrival = await site.services.database.global((tx) => endJourney(tx, state, connection, browser));
    if ('refused' in arrival) {
      if (arrival.refused === 'unknown') return expired(site, reply);
      const reason = arrival.refused === 'replayed' ? 'answer used twice' : 'another browser';
      await noteRefusal(site.services, {
        accountIds: [arrival.accountId],
        doer: strangerOf(request),
        reason,
        connection,
      });
      return expired(site, reply);
    }
    const { journey, checks } = arrival;
    const callback = new URL(request.raw.url ?? '', site.services.config.PUBLIC_URL);
    try {
      const person = await upstream.personOf(callback, checks, { fresh: isFresh(journey.purpose) });
      return await handleCallback(site, request, reply, { journey, upstream, person, state });
    } catch (error) {
      return refusedPage(site, request, reply, { journey, error });
    }
  });
}

interface Arrived {
  journey: Journey;
  upstream: Upstream;
  person: UpstreamPerson;
  state: string;
}

async function handleCallback(site: SignInSite, request: FastifyRequest, reply: FastifyReply, arrived: Arrived) {
  const { journey, person } = arrived;
  const { purpose } = journey;
  if (purpose.kind === 'link') return arriveToLink(site, { request, reply, ...purpose, person });
  const visit = await maybeVisit(site, request, reply, purpose.uid);
  if (!visit) return expired(site, reply);
  return visit.link ? arriveToMerge(visit, arrived) : arriveToSignIn(visit, arrived);
}

async function arriveToSignIn(visit: SignInVisit, { person, state }: Arrived): Promise<FastifyReply> {
  const { services } = visit.site;
  const found = await recognize(services, visit.interaction.uid, person, strangerOf(visit.request));
  if ('confirm' in found) return redirectToScreen(visit, { screen: 'address' });
  if ('notAdmitted' in found) {
    return redirectToScreen(visit, { screen: 'sign-in', problem: 'not-admitted', from: person.connection });
  }
  if ('prove' in found) return redirectToScreen(visit, { screen: 'prove' });
  await services.database.global((tx) => rememberArrival(tx, state, found.account.id));
  return finish(visit, found.account, upstreamLogin(person));
}

// Linking signs in to existing accounts and creates none.
async function arriveToMerge(visit: SignInVisit, { upstream, person }: Arrived): Promise<FastifyReply> {
  const owner = await visit.site.services.database.global((tx) => maybeOwner(tx, person));
  if (owner) return finish(visit, owner, upstreamLogin(person));
  return redirectToScreen(visit, { screen: 'sign-in', problem: 'nobody', from: upstream.connection });
}

/** Redirects to a page without the code in its URL, so that it can be reloaded. */
const redirectToScreen = ({ reply, interaction }: SignInVisit, query: Record<string, string>): FastifyReply =>
  reply.redirect(`/oidc/interaction/${interaction.uid}?${new URLSearchParams(query)}`, 303);

async function refusedPage(
  site: SignInSite,
  request: FastifyRequest,
  reply: FastifyReply,
  { journey, error }: { journey: Journey; error: unknown },
): Promise<FastifyReply> {
  const { purpose, connection } = journey;
  const isRefusal = error instanceof UpstreamRefused;
  const problem = isRefusal && error.message === 'access_denied' ? 'cancelled' : isRefusal ? 'refused' : 'unreachable';
  if (problem !== 'cancelled')
    site.services.log.warn({ err: error, connection }, 'a sign-in with an identity provider failed');
  if (purpose.kind === 'link') return backFromLink(site, reply, purpose.path, problem);
  const visit = await maybeVisit(site, request, reply, purpose.uid);
  return visit ? redirectToScreen(visit, { screen: 'sign-in', problem, from: connection }) : expired(site, reply);
}
