import {
  addChatChannel,
  connectSlack,
  disconnectSlack,
  disconnectTeams,
  exportChatChannels,
  getChatChannel,
  getSlack,
  linkOwnChat,
  listChatChannels,
  listChatMessages,
  listOwnChats,
  listSlackChannels,
  removeChatChannel,
  testChatChannel,
  testOwnChat,
  unlinkOwnChat,
  updateChatChannel,
} from '@sightline/contract/delivery/chat.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { addChannel, removeChannel, updateChannel } from './channels.ts';
import { chatChannelCsvColumns } from './csv-columns.ts';
import { slackWebhookRoute } from './hook.ts';
import { linkOwn, listOwn, testOwn, unlinkOwn } from './people.ts';
import { findChannel, listChannels, listMessages } from './queries.ts';
import { testChannel } from './test-message.ts';
import { deleteService, findSlackSetup, saveWorkspace, searchChannels } from './workspace.ts';

export async function chatRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { withOrg } = services.database;
  route(app, services, getSlack, ({ actor: { orgId } }) => withOrg(orgId, (tx) => findSlackSetup(services, tx, orgId)));
  route(app, services, connectSlack, ({ actor, body }) => saveWorkspace(services, actor, body));
  route(app, services, disconnectSlack, ({ actor }) => deleteService(services, actor, 'slack'));
  route(app, services, listSlackChannels, ({ actor, query }) => searchChannels(services, actor.orgId, query));
  route(app, services, disconnectTeams, ({ actor }) => deleteService(services, actor, 'teams'));
  route(app, services, listChatChannels, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listChannels(tx, orgId, query)),
  );
  exportRoute(app, services, [listChatChannels, exportChatChannels], {
    name: 'Chat channels',
    columns: chatChannelCsvColumns,
  });
  route(app, services, addChatChannel, ({ actor, body }) => addChannel(services, actor, body));
  route(app, services, getChatChannel, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findChannel(tx, orgId, params.channelId)),
  );
  route(app, services, updateChatChannel, ({ actor, params, body }) =>
    updateChannel(services, actor, params.channelId, body),
  );
  route(app, services, removeChatChannel, ({ actor, params }) => removeChannel(services, actor, params.channelId));
  route(app, services, testChatChannel, ({ actor, params }) => testChannel(services, actor, params.channelId));
  route(app, services, listChatMessages, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => listMessages(tx, orgId, params.channelId, query)),
  );
  route(app, services, listOwnChats, ({ actor }) => withOrg(actor.orgId, (tx) => listOwn(tx, actor)));
  route(app, services, linkOwnChat, ({ actor, params, body }) => linkOwn(services, actor, params.service, body.url));
  route(app, services, unlinkOwnChat, ({ actor, params }) => unlinkOwn(services, actor, params.service));
  route(app, services, testOwnChat, ({ actor, params }) => testOwn(services, actor, params.service));
  await slackWebhookRoute(app, services);
}
