import { getOrganizationSecurity, updateOrganizationSecurity } from '@sightline/contract/organization-security.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { updateSecurity } from './commands.ts';
import { findOrganizationSecurity } from './queries.ts';

export function organizationSecurityRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getOrganizationSecurity, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => findOrganizationSecurity(tx, actor)),
  );
  route(app, services, updateOrganizationSecurity, ({ actor, body }) => updateSecurity(services, actor, body));
}
