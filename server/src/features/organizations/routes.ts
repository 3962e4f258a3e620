import {
  createOrganization,
  getOrganization,
  listOrganizations,
  maySetUpOrganization,
} from '@sightline/contract/organizations.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { checkMaySetUp, setUpOrganization } from './commands.ts';
import { findOrganization, listOrganizationsOf } from './queries.ts';

export function organizationRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listOrganizations, ({ actor, query }) =>
    listOrganizationsOf(services, { id: actor.accountId, email: actor.email }, query.include_invitations === 'true'),
  );
  route(app, services, getOrganization, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => findOrganization(tx, actor)),
  );
  route(app, services, createOrganization, ({ actor, body }) => setUpOrganization(services, actor, body.displayName));
  route(app, services, maySetUpOrganization, async ({ actor }) => {
    await checkMaySetUp(services, actor);
    return { allowed: true as const };
  });
}
