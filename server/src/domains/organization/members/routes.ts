import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  findHandle,
  getMembersSummary,
  listMembers,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { changeRole, deactivate, reinstate, remove } from './commands.ts';
import { findSeenHandle, findSummary, listMembers as membersOf } from './queries.ts';

export function membersRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listMembers, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => membersOf(tx, actor, query)),
  );
  route(app, services, getMembersSummary, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => findSummary(tx, actor)),
  );
  route(app, services, findHandle, ({ actor, params }) =>
    services.database.withOrg(actor.orgId, (tx) => findSeenHandle(tx, actor.orgId, params.handle)),
  );
  route(app, services, changeMemberRole, ({ actor, params, body }) => changeRole(services, actor, params.userId, body));
  route(app, services, deactivateMember, ({ actor, params }) => deactivate(services, actor, params.userId));
  route(app, services, reinstateMember, ({ actor, params }) => reinstate(services, actor, params.userId));
  route(app, services, deleteMember, async ({ actor, params }) => {
    await remove(services, actor, params.userId);
    return { deleted: true as const };
  });
}
