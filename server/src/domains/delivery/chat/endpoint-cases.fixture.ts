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
import { endpointCase, listCases, outsideUrl } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(addChatChannel, {
    request: () => ({ body: { service: 'teams', name: 'Security', url: outsideUrl, types: ['finding.new'] } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['chat_channel.added'],
  }),
  endpointCase(connectSlack, {
    // An invalid token is refused before any request.
    request: () => ({ body: { token: 'not a token', signingSecret: 'a secret' } }),
    access: { allows: ['owner'], status: 400 },
    recentSignIn: true,
    writesNothing: 'Rejects an invalid token. Connecting is audited: see delivery/chat/slack.test.ts.',
  }),
  endpointCase(disconnectSlack, {
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['integration.disconnected'],
  }),
  endpointCase(disconnectTeams, {
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['integration.disconnected'],
  }),
  endpointCase(getChatChannel, {
    request: ({ channelId }) => ({ params: { channelId } }),
    access: { allows: ['owner'], foreign: 404 },
  }),
  endpointCase(getSlack, { access: { allows: ['owner'] } }),
  endpointCase(linkOwnChat, {
    request: () => ({ params: { service: 'teams' }, body: { url: outsideUrl } }),
    access: { allows: 'members' },
    recentSignIn: true,
    writes: ['chat_person.linked'],
  }),
  ...listCases([listChatChannels, exportChatChannels], {
    request: () => ({ query: { search: 'Channel', sort: 'name-asc' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(listChatMessages, {
    request: ({ channelId }) => ({ params: { channelId }, query: { search: 'Finding', status: 'failed,pending' } }),
    access: { allows: ['owner'], foreign: 404 },
  }),
  endpointCase(listOwnChats, { access: { allows: 'members' } }),
  endpointCase(listSlackChannels, {
    request: () => ({ query: { search: 'security' } }),
    // The token of the seed is no token of Slack.
    access: { allows: ['owner'], status: 502 },
  }),
  endpointCase(removeChatChannel, {
    request: ({ channelId }) => ({ params: { channelId } }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['chat_channel.removed'],
  }),
  endpointCase(testChatChannel, {
    request: ({ channelId }) => ({ params: { channelId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['chat_channel.tested'],
  }),
  endpointCase(testOwnChat, {
    request: () => ({ params: { service: 'slack' } }),
    // Only Slack could answer: see delivery/chat/people.test.ts.
    access: { allows: 'members', status: 404 },
    writesNothing: 'Sends a message to the caller only.',
  }),
  endpointCase(unlinkOwnChat, {
    request: () => ({ params: { service: 'teams' } }),
    access: { allows: 'members' },
    writes: ['chat_person.unlinked'],
  }),
  endpointCase(updateChatChannel, {
    request: ({ channelId }) => ({
      params: { channelId },
      body: { name: 'Another', types: ['repository.enabled'], minSeverity: 'high', enabled: true },
    }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['chat_channel.changed'],
  }),
];
