import {
  addOrganizationDomain,
  getOrganizationSecurity,
  removeOrganizationDomain,
  updateOrganizationSecurity,
  verifyOrganizationDomain,
} from '@sightline/contract/organization/organization-security.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { updateSecurityRules } from './commands.ts';
import { addDomain, removeDomain, verifyDomain } from './domains.ts';
import { findOrganizationSecurity } from './queries.ts';

export function organizationSecurityRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getOrganizationSecurity, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => findOrganizationSecurity(tx, actor)),
  );
  route(app, services, updateOrganizationSecurity, ({ actor, body }) => updateSecurityRules(services, actor, body));
  route(app, services, addOrganizationDomain, ({ actor, body }) => addDomain(services, actor, body.domain));
  route(app, services, verifyOrganizationDomain, ({ actor, params }) => verifyDomain(services, actor, params.domain));
  route(app, services, removeOrganizationDomain, ({ actor, params }) => removeDomain(services, actor, params.domain));
}
