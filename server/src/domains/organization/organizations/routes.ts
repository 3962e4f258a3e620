import {
  archiveOrganization,
  checkMayCreateOrganization,
  createOrganization,
  declineInvitation,
  getOrganization,
  leaveOrganization,
  listOrganizations,
  restoreOrganization,
  updateOrganization,
} from '@sightline/contract/organization/organizations.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { declineInvitation as decline } from '../invitations/commands.ts';
import { archiveOwnOrganization, restoreOwnOrganization } from './archive.ts';
import {
  createOwnedOrganization,
  endOwnMembership,
  requireMayCreateOrganization,
  updateOrganizationProfile,
} from './commands.ts';
import { findOrganization, listOrganizationsOf } from './queries.ts';

export function organizationRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listOrganizations, ({ actor, query }) =>
    listOrganizationsOf(services, { id: actor.accountId, email: actor.email }, query.include_invitations === 'true'),
  );
  route(app, services, getOrganization, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => findOrganization(tx, actor)),
  );
  route(app, services, createOrganization, async ({ actor, body }) => {
    await requireMayCreateOrganization(services, actor);
    return logFailure(services, actor, createOwnedOrganization(services, actor, body.displayName));
  });
  route(app, services, checkMayCreateOrganization, async ({ actor }) => {
    await requireMayCreateOrganization(services, actor);
    return { allowed: true as const };
  });
  route(app, services, updateOrganization, ({ actor, body }) =>
    logFailure(services, actor, updateOrganizationProfile(services, actor, body)),
  );
  route(app, services, leaveOrganization, async ({ actor }) => {
    await endOwnMembership(services, actor);
    return { left: true as const };
  });
  route(app, services, declineInvitation, async ({ actor, params }) => {
    await decline(services, actor, params);
    return { declined: true as const };
  });
  route(app, services, archiveOrganization, ({ actor }) =>
    logFailure(services, actor, archiveOwnOrganization(services, actor)),
  );
  route(app, services, restoreOrganization, ({ actor }) =>
    logFailure(services, actor, restoreOwnOrganization(services, actor)),
  );
}

/** Logs a failed change with the code of section 8 of the specification. */
async function logFailure<Result>(
  { log }: Services,
  { orgId, requestId }: { orgId: string | undefined; requestId: string },
  change: Promise<Result>,
): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    log.warn({ code: 'UPDATE_ORG_ERROR', orgId, requestId, err: error }, 'the organization was not changed');
    throw error;
  }
}
