import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { severity } from '../core/severities.ts';
import { boundedText, commaList, outboundUrl, timestamp } from '../core/text.ts';
import { notificationTypeNames } from './notification-types.ts';

/** The chat services, as in URLs, settings and stored rows. */
export const chatServices = ['slack', 'teams'] as const;
export const chatService = z.enum(chatServices);
export type ChatServiceName = z.infer<typeof chatService>;

export const chatServiceTitles: Record<ChatServiceName, string> = { slack: 'Slack', teams: 'Microsoft Teams' };

/** Channels of one organization, of all services together. */
export const MAX_CHAT_CHANNELS = 50;

/** Posts per minute to one channel or person. Further messages of that minute become one digest. */
export const CHAT_POSTS_PER_MINUTE = 10;

/**
 * Seconds to wait after each failed attempt, before jitter. The last delay repeats until the channel works, is disabled,
 * or was failing for `AUTO_DISABLE_DAYS`.
 */
export const CHAT_RETRY_DELAYS_SECONDS = [5, 30, 120, 600, 1_800, 3_600] as const;

/** Retention of messages in days, also of undelivered ones. */
export const CHAT_RETENTION_DAYS = 30;

/** `limited`: the service delays messages. `waiting`: Slack is not connected. Others as of webhooks. */
export const chatStates = ['active', 'limited', 'failing', 'waiting', 'off', 'auto_disabled'] as const;

const chatHealth = {
  state: z.enum(chatStates),
  /** Why the last attempt failed, and the remedy; null after a success. */
  problem: z.string().nullable(),
  failingSince: timestamp.nullable(),
  /** Time of the next attempt, if messages are delayed. */
  resumesAt: timestamp.nullable(),
  lastDeliveredAt: timestamp.nullable(),
  /** Messages that are not delivered yet. */
  pending: z.number().int(),
};

export const chatChannel = z.object({
  id: z.string(),
  service: chatService,
  /** As in the service: `#security`. Of Teams, as an owner entered it. */
  name: z.string(),
  /** The host of a Teams workflow; null for Slack. The rest of its URL is a secret. */
  host: z.string().nullable(),
  /** Null: all types, including future ones. */
  types: z.array(z.string()).nullable(),
  /** Notifications of lower severity are not sent. */
  minSeverity: severity,
  /** Null: notifications of all repositories, and those without a repository. */
  repositories: z.array(z.string()).nullable(),
  ...chatHealth,
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: timestamp,
});
export type ChatChannel = z.infer<typeof chatChannel>;

export const chatMessageStatuses = ['pending', 'delivered', 'failed'] as const;

export const chatMessage = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  status: z.enum(chatMessageStatuses),
  /** Whether it was sent as part of a digest. */
  digest: z.boolean(),
  failure: z.string().nullable(),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;
const named = z.strictObject({ channelId: z.uuid() });

const isKnown = (name: string) => notificationTypeNames.some((known) => known === name);
const types = z
  .array(boundedText(80).refine(isKnown, { error: 'must be the name of an event, such as finding.new' }))
  .min(1, { error: 'must contain at least one type' })
  .max(100)
  .nullable();
const repositories = z.array(z.uuid()).min(1, { error: 'must contain at least one repository' }).max(1000).nullable();
const name = boundedText(80).trim().min(1, { error: 'is needed' });

/** What a chat service is used for: each permission, with its reason. */
const permissions = z.array(z.object({ name: z.string(), reason: z.string() }));

export const slackWorkspace = z.object({
  team: z.string(),
  /** The name of the bot in the workspace. */
  bot: z.string(),
  /** The last four characters of the token, for identification. */
  tokenEnd: z.string(),
  status: z.enum(['active', 'error']),
  problem: z.string().nullable(),
  connectedAt: timestamp,
});
export type SlackWorkspace = z.infer<typeof slackWorkspace>;

const slackSetup = z.object({
  workspace: slackWorkspace.nullable(),
  /** The app manifest for https://api.slack.com/apps, as JSON. */
  manifest: z.string(),
  permissions,
  /** Page of the sandbox that shows a token; null outside of it. */
  sandboxPage: z.string().nullable(),
});
export type SlackSetup = z.infer<typeof slackSetup>;

export const getSlack = endpoint({
  method: 'GET',
  path: '/v2/integrations/slack',
  summary: 'Returns the connection to Slack without its token, or null, and the manifest for the Slack app.',
  ...owner,
  reads: true,
  topics: ['orgIntegrations'],
  response: slackSetup,
});

export const connectSlack = endpoint({
  method: 'POST',
  path: '/v2/integrations/slack',
  summary: 'Connects a Slack workspace, or replaces the token and signing secret, after testing the token.',
  ...owner,
  body: z.strictObject({
    token: boundedText(500).trim().min(1, { error: 'is needed' }),
    signingSecret: boundedText(200).trim().min(1, { error: 'is needed' }),
  }),
  changes: ['orgIntegrations'],
  response: slackSetup,
  errors: ['upstream_failed'],
  stepUp: true,
});

export const disconnectSlack = endpoint({
  method: 'DELETE',
  path: '/v2/integrations/slack',
  summary: 'Disconnects Slack: deletes its token, channels, links of members and undelivered messages.',
  ...owner,
  status: 204,
  changes: ['orgIntegrations'],
  response: z.null(),
  stepUp: true,
});

export const listSlackChannels = endpoint({
  method: 'GET',
  path: '/v2/integrations/slack/channels',
  summary: 'Lists channels of the connected Slack workspace that the app can see, by name.',
  ...owner,
  reads: true,
  query: z.strictObject({ search: boundedText(80).trim().default('') }),
  response: z.object({
    channels: z.array(z.object({ id: z.string(), name: z.string(), private: z.boolean(), member: z.boolean() })),
    /** Whether further channels match. */
    more: z.boolean(),
  }),
  errors: ['upstream_failed', 'conflict'],
});

export const disconnectTeams = endpoint({
  method: 'DELETE',
  path: '/v2/integrations/teams',
  summary: 'Disconnects Microsoft Teams: deletes all workflow URLs, also those of members, and undelivered messages.',
  ...owner,
  status: 204,
  changes: ['orgIntegrations'],
  response: z.null(),
  stepUp: true,
});

export const listChatChannels = endpoint({
  method: 'GET',
  path: '/v2/chat/channels',
  summary: 'Lists the chat channels that receive notifications, without secrets.',
  ...owner,
  reads: true,
  query: pagedQuery(['name-asc', 'name-desc', 'date-desc', 'date-asc'], { service: commaList(chatService) }),
  topics: ['orgIntegrations'],
  response: z.array(chatChannel),
  paged: true,
});
export const exportChatChannels = csvExportOf(listChatChannels);

const settings = {
  types: types.default(null),
  minSeverity: severity.default('info'),
  repositories: repositories.default(null),
};

export const addChatChannel = endpoint({
  method: 'POST',
  path: '/v2/chat/channels',
  summary: 'Adds a Slack channel, or a Teams channel by the URL of its workflow.',
  ...owner,
  body: z.discriminatedUnion('service', [
    z.strictObject({
      service: z.literal('slack'),
      channel: boundedText(30).regex(/^[CG][A-Z0-9]{2,20}$/, {
        error: 'must be the ID of a channel, such as C024BE91L',
      }),
      ...settings,
    }),
    z.strictObject({ service: z.literal('teams'), name, url: outboundUrl, ...settings }),
  ]),
  status: 201,
  changes: ['orgIntegrations'],
  response: chatChannel,
  errors: ['conflict', 'upstream_failed'],
  stepUp: true,
});

export const getChatChannel = endpoint({
  method: 'GET',
  path: '/v2/chat/channels/:channelId',
  summary: 'Returns a chat channel.',
  ...owner,
  reads: true,
  params: named,
  topics: ['orgIntegrations'],
  response: chatChannel,
});

export const updateChatChannel = endpoint({
  method: 'PATCH',
  path: '/v2/chat/channels/:channelId',
  summary: 'Updates, enables or disables a chat channel. Queued messages are sent after it is enabled.',
  ...owner,
  params: named,
  body: z.strictObject({
    /** Of Teams only. */
    name: name.optional(),
    /** Of Teams only: replaces the workflow URL. */
    url: outboundUrl.optional(),
    types: types.optional(),
    minSeverity: severity.optional(),
    repositories: repositories.optional(),
    enabled: z.boolean().optional(),
  }),
  changes: ['orgIntegrations'],
  response: chatChannel,
  stepUp: true,
});

export const removeChatChannel = endpoint({
  method: 'DELETE',
  path: '/v2/chat/channels/:channelId',
  summary: 'Removes a chat channel with its undelivered messages.',
  ...owner,
  params: named,
  status: 204,
  changes: ['orgIntegrations'],
  response: z.null(),
  stepUp: true,
});

/** The result of a test message. */
const testResult = z.object({ ok: z.boolean(), problem: z.string().nullable() });

export const testChatChannel = endpoint({
  method: 'POST',
  path: '/v2/chat/channels/:channelId/test',
  summary: 'Sends a test message now. After a success, delayed messages are sent immediately.',
  ...owner,
  params: named,
  changes: ['orgIntegrations'],
  response: testResult,
  errors: ['conflict'],
});

export const listChatMessages = endpoint({
  method: 'GET',
  path: '/v2/chat/channels/:channelId/messages',
  summary: 'Lists the messages of the last 30 days to a chat channel. Search matches the title.',
  ...owner,
  reads: true,
  params: named,
  query: pagedQuery(['date-desc', 'date-asc'], { status: commaList(z.enum(chatMessageStatuses)) }),
  topics: ['orgIntegrations'],
  response: z.array(chatMessage),
  paged: true,
});

const member = { scope: 'organization', permission: 'read:org', flag: 'notificationSystem' } as const;

export const ownChat = z.object({
  service: chatService,
  /** Whether members can link it: Slack only while it is connected. */
  available: z.boolean(),
  /** Where messages to the caller go: a Slack user, or the host of a workflow; null if not linked. */
  linked: z.object({ name: z.string(), ...chatHealth }).nullable(),
});
export type OwnChat = z.infer<typeof ownChat>;

const ofService = z.strictObject({ service: chatService });

export const listOwnChats = endpoint({
  method: 'GET',
  path: '/v2/chat/own',
  summary: 'Lists where the caller receives chat messages.',
  ...member,
  topics: ['orgIntegrations', 'notificationSettings'],
  response: z.array(ownChat),
});

export const linkOwnChat = endpoint({
  method: 'PUT',
  path: '/v2/chat/own/:service',
  summary:
    'Sends the notifications that the caller selects to their Slack user, found by their confirmed address, or to a Teams workflow.',
  ...member,
  params: ofService,
  /** `url`: of Teams only. */
  body: z.strictObject({ url: outboundUrl.optional() }),
  changes: ['notificationSettings'],
  response: ownChat,
  errors: ['conflict', 'upstream_failed'],
  stepUp: true,
});

export const unlinkOwnChat = endpoint({
  method: 'DELETE',
  path: '/v2/chat/own/:service',
  summary: 'Ends chat messages to the caller, and deletes undelivered ones.',
  ...member,
  params: ofService,
  status: 204,
  changes: ['notificationSettings'],
  response: z.null(),
});

export const testOwnChat = endpoint({
  method: 'POST',
  path: '/v2/chat/own/:service/test',
  summary: 'Sends a test message to the caller.',
  ...member,
  params: ofService,
  changes: ['notificationSettings'],
  response: testResult,
});
