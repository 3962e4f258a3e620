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
import { recordProgramUse } from '../tools/commands.ts';
import { openEditorContext } from './editor.ts';
import { createPresence } from './live.ts';
import { listExtensionStatusesOfMembers } from './queries.ts';
import { serveExtensionSockets } from './sockets.ts';

export function presenceRoutes(app: FastifyInstance, services: Services): void {
  const presence = createPresence(services);
  serveExtensionSockets(services, presence);
  app.addHook('preClose', async () => presence.stop());
  route(app, services, sendHeartbeat, async ({ actor, body: { leaving, paused, ...session } }) => {
    const { orgId, accountId, grantId } = actor;
    const sessionKey = { orgId, accountId, grantId, session };
    if (paused) {
      await presence.pause(sessionKey, paused.until === null ? null : new Date(paused.until));
      return null;
    }
    await presence.heartbeat(sessionKey, leaving);
    if (!leaving && !actor.archived) await recordProgramUse(services, actor, session);
    return null;
  });
  route(app, services, getUserStatus, ({ actor }) => presence.statuses.of(actor.orgId, actor.accountId));
  route(app, services, getExtensionStatus, ({ actor }) => presence.statuses.of(actor.orgId, actor.accountId));
  route(app, services, listMembersExtensionStatus, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => listExtensionStatusesOfMembers(tx, actor.orgId)),
  );
  route(app, services, openContext, ({ actor, body }) => openEditorContext(services, actor, body));
}
