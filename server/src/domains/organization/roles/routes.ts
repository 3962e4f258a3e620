import { listRoles } from '@sightline/contract/organization/roles.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { listRolesWithPermissions as rolesOf } from './queries.ts';

export function rolesRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listRoles, ({ actor }) => rolesOf(services, actor));
}
