import { getContext, getEvent, queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { countEvents } from '@sightline/contract/timeline/explore.ts';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '#core/actor.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { createEventIntake } from './intake.ts';
import { countNewer, exploreEvents, findContext, findEvent } from './queries.ts';
import { recordExtensionEvents } from './record.ts';
import { createRemoteFinder } from './remotes.ts';
import { retentionStartOf } from './retention-start.ts';

declare module '#core/services.ts' {
  interface Services {
    /** Records tools as used if a member visited their sites. */
    recordSiteVisits: (actor: Actor, visits: readonly { host: string; program: string; at: Date }[]) => Promise<void>;
  }
}

export function eventsRoutes(app: FastifyInstance, services: Services): void {
  const intakeServices = {
    kept: () => retentionStartOf(services.config),
    intake: createEventIntake(services),
    findRemotes: createRemoteFinder(services),
    // The events are stored. The next visit can still record the tool.
    noteViews: (...views: Parameters<Parameters<typeof recordExtensionEvents>[0]['noteViews']>) =>
      services
        .recordSiteVisits(...views)
        .catch((error: unknown) => services.log.error({ err: error }, 'site visits were not recorded')),
  };
  route(app, services, queryEvents, ({ actor, body }) => exploreEvents(services, actor, body));
  route(app, services, countEvents, ({ actor, body }) => countNewer(services, actor, body));
  route(app, services, getEvent, ({ actor, params }) => findEvent(services, actor, params.eventId));
  route(app, services, getContext, ({ actor, params }) =>
    findContext(services.database, actor.orgId, params.contextId),
  );
  route(app, services, recordEvents, async ({ actor, body, count }) => {
    await count('eventsOfAccount', actor.accountId, body.length);
    await count('eventsOfOrganization', actor.orgId, body.length);
    return recordExtensionEvents(intakeServices, actor, body);
  });
}
