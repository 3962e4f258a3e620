import type { FastifyInstance, FastifyRequest } from 'fastify';
import { peopleOf } from '../github/host.ts';
import { bot, type SlackChannel, type SlackMessage, type SlackWorkspace, team, tokenErrorOf } from './workspace.ts';

type PostBody = {
  channel?: string;
  text?: string;
  blocks?: unknown[];
  thread_ts?: string;
  client_msg_id?: string;
};

const scopes: Record<string, string[]> = {
  'conversations.list': ['channels:read', 'groups:read'],
  'conversations.info': ['channels:read', 'groups:read'],
  'users.lookupByEmail': ['users:read.email'],
  'chat.postMessage': ['chat:write'],
};

/** The methods of Slack's Web API that the product calls. Errors have status 200, as in Slack. */
export const slackApi = (server: FastifyInstance, workspace: SlackWorkspace): void => {
  const { kept } = workspace;
  server.addHook('preHandler', async (request, reply) => {
    const error = tokenErrorOf(workspace, bearerOf(request));
    if (error !== undefined) return reply.send({ ok: false, error });
    const needed = scopes[methodOf(request)]?.find((scope) => kept.missing.includes(scope));
    if (needed !== undefined) return reply.send({ ok: false, error: 'missing_scope', needed });
  });
  server.get('/auth.test', async () => ({
    ok: true,
    url: `${workspace.host.url}/slack`,
    team: team.name,
    team_id: team.id,
    user: bot.name,
    user_id: bot.id,
    bot_id: 'B0SIGHTLINE',
  }));
  server.get<{ Querystring: Record<string, string | undefined> }>('/conversations.list', async ({ query }) => {
    const types = (query.types ?? 'public_channel').split(',');
    const visible = kept.channels.filter(
      (channel) =>
        types.includes(channel.isPrivate ? 'private_channel' : 'public_channel') &&
        (!channel.isPrivate || channel.isMember) &&
        (query.exclude_archived !== 'true' || !channel.isArchived),
    );
    const from = Number(query.cursor ?? 0);
    const until = from + Math.min(Number(query.limit ?? 100), 1000);
    return {
      ok: true,
      channels: visible.slice(from, until).map(channelOf),
      response_metadata: { next_cursor: until < visible.length ? String(until) : '' },
    };
  });
  server.get<{ Querystring: { channel?: string } }>('/conversations.info', async ({ query }) => {
    const channel = kept.channels.find(({ id }) => id === query.channel);
    if (channel === undefined || (channel.isPrivate && !channel.isMember)) return failed('channel_not_found');
    return { ok: true, channel: channelOf(channel) };
  });
  server.get<{ Querystring: { email?: string } }>('/users.lookupByEmail', async ({ query }) => {
    const address = query.email?.toLowerCase();
    const user = peopleOf(workspace.host).find(({ emails }) => emails.some((one) => one.toLowerCase() === address));
    if (user === undefined) return failed('users_not_found');
    return {
      ok: true,
      user: { id: userIdOf(user.login), team_id: team.id, name: user.login, deleted: false, is_bot: false },
    };
  });
  server.post<{ Body: PostBody | undefined }>('/chat.postMessage', async ({ body = {} }) =>
    postMessage(workspace, body),
  );
};

const postMessage = (workspace: SlackWorkspace, body: PostBody) => {
  const { kept } = workspace;
  const { text = '', blocks = [], channel: to = '' } = body;
  const error = channelErrorOf(workspace, to) ?? contentErrorOf(text, blocks);
  if (error !== undefined) return failed(error);
  const same = kept.messages.find(
    ({ client_msg_id: id, channel }) => id !== undefined && id === body.client_msg_id && channel === to,
  );
  if (same !== undefined) return { ok: true, channel: to, ts: same.ts, message: same };
  const { thread_ts: thread } = body;
  if (thread !== undefined && !kept.messages.some(({ ts, channel }) => ts === thread && channel === to)) {
    return failed('thread_not_found');
  }
  const message: SlackMessage = {
    channel: to,
    ts: `${Math.floor(Date.now() / 1000)}.${String(kept.messages.length + 1).padStart(6, '0')}`,
    text,
    blocks,
    ...(thread !== undefined && { thread_ts: thread }),
    ...(body.client_msg_id !== undefined && { client_msg_id: body.client_msg_id }),
  };
  kept.messages.push(message);
  workspace.save();
  return { ok: true, channel: to, ts: message.ts, message };
};

const channelErrorOf = ({ kept, host }: SlackWorkspace, to: string): string | undefined => {
  if (peopleOf(host).some(({ login }) => userIdOf(login) === to)) return undefined;
  const channel = kept.channels.find(({ id }) => id === to);
  if (channel === undefined || (channel.isPrivate && !channel.isMember)) return 'channel_not_found';
  if (channel.isArchived) return 'is_archived';
  return channel.isMember ? undefined : 'not_in_channel';
};

/** The rules of Slack that a message could break. */
const contentErrorOf = (text: string, blocks: unknown[]): string | undefined => {
  if (text === '' && blocks.length === 0) return 'no_text';
  if (text.length > 40_000) return 'msg_too_long';
  if (blocks.length > 50 || !blocks.every(isBlock)) return 'invalid_blocks';
  return undefined;
};

const isBlock = (block: unknown): boolean => {
  if (typeof block !== 'object' || block === null || !('type' in block)) return false;
  if (!['rich_text', 'context', 'actions', 'section'].includes(String(block.type))) return false;
  return textsIn(block).every((one) => one.length > 0 && one.length <= 3000);
};

/** All texts of blocks. */
export const textsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
};

export const userIdOf = (login: string): string => `U${login.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`;

const channelOf = ({ id, name, isPrivate, isMember, isArchived }: SlackChannel) => ({
  id,
  name,
  is_channel: !isPrivate,
  is_private: isPrivate,
  is_member: isMember,
  is_archived: isArchived,
});

const failed = (error: string) => ({ ok: false, error });

const bearerOf = ({ headers }: FastifyRequest): string => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';

const methodOf = ({ url }: FastifyRequest): string => url.split('?')[0]?.split('/').at(-1) ?? '';
