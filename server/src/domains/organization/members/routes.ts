import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  exportMembers,
  findHandle,
  getMembersSummary,
  listMembers,
  recordHomeVisit,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import { findPictures } from '@sightline/contract/organization/people.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { findPicturesOf } from '#core/person-displays.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { changeRoleOfMember, deactivateMembership, endMembership, reinstateMembership } from './commands.ts';
import { memberCsvColumns } from './csv-columns.ts';
import { continueHomeVisit } from './home-visits.ts';
import { findMembersSummary, findReportedHandle, listMemberItems as membersOf } from './queries.ts';

export function membersRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listMembers, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => membersOf(tx, actor, query)),
  );
  exportRoute(app, services, [listMembers, exportMembers], { name: 'Members', columns: memberCsvColumns });
  route(app, services, getMembersSummary, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => findMembersSummary(tx, actor)),
  );
  route(app, services, findHandle, ({ actor, params }) =>
    services.database.withOrg(actor.orgId, (tx) => findReportedHandle(tx, actor.orgId, params.handle)),
  );
  route(app, services, findPictures, async ({ actor, query }) => ({
    pictures: await services.database.withOrg(actor.orgId, (tx) => findPicturesOf(tx, actor.orgId, query.ids)),
  }));
  route(app, services, recordHomeVisit, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => continueHomeVisit(tx, actor)),
  );
  route(app, services, changeMemberRole, ({ actor, params, body }) =>
    changeRoleOfMember(services, actor, params.userId, body),
  );
  route(app, services, deactivateMember, ({ actor, params }) => deactivateMembership(services, actor, params.userId));
  route(app, services, reinstateMember, ({ actor, params }) => reinstateMembership(services, actor, params.userId));
  route(app, services, deleteMember, async ({ actor, params }) => {
    await endMembership(services, actor, params.userId);
    return { deleted: true as const };
  });
}
