import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notice } from '#core/pages/frame.ts';
import { sendPage } from '#core/pages/security.ts';
import { type Upstream, type UpstreamPerson, UpstreamRefused } from '#providers/upstream/upstream.ts';
import { finish, showSignIn } from '../finish.ts';
import { maybeOwner } from '../linking/identities.ts';
import { arriveToLink, backFromLink } from '../linking/link-routes.ts';
import { noteRefusal } from '../linking/refusals.ts';
import { upstreamLogin } from '../login-methods.ts';
import { provePage } from '../pages/prove.ts';
import type { Site } from '../site.ts';
import { expired, formOf, maybeVisit, send, strangerOf, type Visit } from '../visits.ts';
import { showAddress } from './address-routes.ts';
import { recognise } from './recognise.ts';
import { endJourney, type Journey, rememberArrival } from './states.ts';

const query = z.object({ state: z.string().min(1).max(200) });

/** Where every upstream leads back to. */
export function callbackRoutes(app: FastifyInstance, site: Site): void {
  app.get('/oidc/upstream/:connection/callback', async (request, reply) => {
    const { connection } = request.params as { connection: string };
    const upstream = site.services.upstreams.get(connection);
    const asked = query.safeParse(request.query);
    if (!upstream || !asked.success) return expired(site, reply);
    const { state } = asked.data;
    const browser = site.csrf.browserOf(request, reply);
    const arrival = await site.services.database.global((tx) => endJourney(tx, state, connection, browser));
    if ('refused' in arrival) {
      if (arrival.refused === 'unknown') return expired(site, reply);
      const reason = arrival.refused === 'replayed' ? 'answer used twice' : 'another browser';
      await noteRefusal(site.services, [arrival.accountId], strangerOf(request), reason, connection);
      return expired(site, reply);
    }
    const { journey, checks } = arrival;
    const callback = new URL(request.raw.url ?? '', site.services.config.PUBLIC_URL);
    try {
      const fresh = journey.purpose.kind === 'link';
      const person = await upstream.personOf(callback, checks, { fresh });
      return await arrive(site, request, reply, { journey, upstream, person, state });
    } catch (error) {
      return refused(site, request, reply, { journey, upstream, error });
    }
  });
}

interface Arrived {
  journey: Journey;
  upstream: Upstream;
  person: UpstreamPerson;
  state: string;
}

async function arrive(site: Site, request: FastifyRequest, reply: FastifyReply, arrived: Arrived) {
  const { journey, person } = arrived;
  const { purpose } = journey;
  if (purpose.kind === 'link') return arriveToLink(site, request, reply, purpose, person);
  const visit = await maybeVisit(site, request, reply, purpose.uid);
  if (!visit) return expired(site, reply);
  return visit.link ? arriveAsOther(visit, arrived) : arriveToSignIn(visit, arrived);
}

async function arriveToSignIn(visit: Visit, { upstream, person, state }: Arrived): Promise<FastifyReply> {
  const { services } = visit.site;
  const found = await recognise(services, visit.interaction.uid, person, strangerOf(visit.request));
  if ('confirm' in found) return showAddress(visit, upstream, { email: found.confirm });
  if ('prove' in found) {
    const others = [...services.upstreams.values()].filter((one) => one.connection !== upstream.connection);
    const { uid, csrf } = formOf(visit);
    return send(visit, provePage({ uid, csrf, email: found.prove, label: upstream.label, others }));
  }
  await services.database.global((tx) => rememberArrival(tx, state, found.account.id));
  return finish(visit, found.account, upstreamLogin(person));
}

// Linking takes accounts that are there; it makes none.
async function arriveAsOther(visit: Visit, { upstream, person }: Arrived): Promise<FastifyReply> {
  const owner = await visit.site.services.database.global((tx) => maybeOwner(tx, person));
  if (owner) return finish(visit, owner, upstreamLogin(person));
  return showSignIn(visit, { error: `No Sightline account has this ${upstream.label} login.` }, 400);
}

async function refused(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { journey, upstream, error }: { journey: Journey; upstream: Upstream; error: unknown },
): Promise<FastifyReply> {
  const { log, config } = site.services;
  const { purpose, connection } = journey;
  const isRefusal = error instanceof UpstreamRefused;
  const isCancelled = isRefusal && error.message === 'access_denied';
  if (!isCancelled) log.warn({ error, connection }, 'a login of others failed');
  if (purpose.kind === 'link') {
    return backFromLink(site, reply, isCancelled ? 'cancelled' : isRefusal ? 'refused' : 'unreachable');
  }
  const visit = await maybeVisit(site, request, reply, purpose.uid);
  const words = isCancelled
    ? `You cancelled signing in with ${upstream.label}.`
    : isRefusal
      ? `${upstream.label} did not confirm who you are. Try again.`
      : `${upstream.label} did not answer as expected. Try again in a moment, or sign in another way.`;
  if (visit) return showSignIn(visit, { error: words }, 400);
  return sendPage(config, reply.status(400), notice('Start again', [words], { href: '/login', label: 'Sign in' }));
}
