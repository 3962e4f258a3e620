import {
  changeNotifications,
  countNotifications,
  getNotificationSettings,
  listNotifications as listCall,
  listNotificationDefaults,
  saveNotification,
  searchNotifications as searchCall,
  updateNotificationDefaults,
  updateNotificationSettings,
} from '@sightline/contract/delivery/notifications.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { updateDefaults, updateSettings } from './change-settings.ts';
import { changeStatus, countUnread, setSaved } from './commands.ts';
import { findSettings, listDefaults } from './find-settings.ts';
import { listNotifications, searchNotifications } from './queries.ts';
import { serveSockets } from './sockets.ts';

export function notificationRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  serveSockets(services);
  route(app, services, listCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listNotifications(tx, actor, { ...query, saved: query.saved === 'true' })),
  );
  route(app, services, countNotifications, ({ actor }) =>
    withOrg(actor.orgId, async (tx) => ({ count: await countUnread(tx, actor.orgId, actor.accountId) })),
  );
  route(app, services, changeNotifications, ({ actor, body }) => changeStatus(services, actor, body));
  route(app, services, searchCall, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => searchNotifications(tx, actor, query)),
  );
  route(app, services, saveNotification, ({ actor, params, body }) =>
    setSaved(services, actor, params.notificationId, body.saved),
  );
  route(app, services, getNotificationSettings, ({ actor }) => withOrg(actor.orgId, (tx) => findSettings(tx, actor)));
  route(app, services, updateNotificationSettings, ({ actor, body }) => updateSettings(services, actor, body));
  route(app, services, listNotificationDefaults, ({ actor }) =>
    withOrg(actor.orgId, (tx) => listDefaults(tx, actor.orgId)),
  );
  route(app, services, updateNotificationDefaults, ({ actor, params, body }) =>
    updateDefaults(services, actor, params.role, body),
  );
}
