import {
  getExtensionStatus,
  getUserStatus,
  listMembersExtensionStatus,
  openContext,
  sendHeartbeat,
} from '@sightline/contract/tools/presence.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { noteProgram } from '../tools/commands.ts';
import { openedContext } from './editor.ts';
import { createPresence } from './live.ts';
import { listMembersStatus } from './queries.ts';
import { serveSockets } from './sockets.ts';

export function presenceRoutes(app: FastifyInstance, services: Services): void {
  const presence = createPresence(services);
  serveSockets(services, presence);
  app.addHook('preClose', async () => presence.stop());
  route(app, services, sendHeartbeat, async ({ actor, body: { leaving, paused, ...session } }) => {
    const { orgId, accountId, grantId } = actor;
    const sessionKey = { orgId, accountId, grantId, session };
    if (paused) {
      await presence.pause(sessionKey, paused.until === null ? null : new Date(paused.until));
      return null;
    }
    await presence.heartbeat(sessionKey, leaving);
    if (!leaving && !actor.archived) await noteProgram(services, actor, session);
    return null;
  });
  route(app, services, getUserStatus, ({ actor }) => presence.statuses.of(actor.orgId, actor.accountId));
  route(app, services, getExtensionStatus, ({ actor }) => presence.statuses.of(actor.orgId, actor.accountId));
  route(app, services, listMembersExtensionStatus, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => listMembersStatus(tx, actor.orgId)),
  );
  route(app, services, openContext, ({ actor, body }) => openedContext(services, actor, body));
}
