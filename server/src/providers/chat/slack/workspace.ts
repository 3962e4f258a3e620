import type { Outbound } from '#core/outbound.ts';
import type { ChatFailure } from '../chat.ts';
import { failureOf } from '../send.ts';
import { callSlack, type SlackAnswer } from './call.ts';

export interface SlackIdentity {
  teamId: string;
  team: string;
  /** The user ID of the bot. */
  botId: string;
  bot: string;
}

export interface SlackChannel {
  id: string;
  name: string;
  private: boolean;
  /** Whether the app is in the channel. */
  member: boolean;
}

type Failed = { failure: ChatFailure };

/** A client of a workspace for reading. Failures are results. */
export function createSlackWorkspace(outbound: Outbound, api: string, token: string) {
  const ask = (method: string, query: Record<string, string> = {}) =>
    callSlack(outbound, api, token, { method, query });
  return {
    /** Tests the token. */
    async identify(): Promise<SlackIdentity | Failed> {
      const result = await ask('auth.test');
      if ('failure' in result) return result;
      const { answer } = result;
      if (!answer.ok) return rejected(answer);
      const { team_id: teamId, team, user_id: botId, user: bot } = answer;
      if (![teamId, team, botId, bot].every((one) => typeof one === 'string')) return rejected(answer);
      return { teamId, team, botId, bot } as SlackIdentity;
    },
    /** Reads channels page by page until `isEnough`. `more`: whether further pages were left out. */
    async listChannels(
      isEnough: (channels: readonly SlackChannel[]) => boolean,
    ): Promise<{ channels: SlackChannel[]; more: boolean } | Failed> {
      const channels: SlackChannel[] = [];
      let cursor = '';
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const result = await ask('conversations.list', {
          types: 'public_channel,private_channel',
          exclude_archived: 'true',
          limit: '200',
          ...(cursor !== '' && { cursor }),
        });
        if ('failure' in result) return result;
        const { answer } = result;
        if (!answer.ok || !Array.isArray(answer.channels)) return rejected(answer);
        channels.push(...answer.channels.flatMap(channelOf));
        cursor = cursorOf(answer);
        if (cursor === '') return { channels, more: false };
        if (isEnough(channels)) break;
      }
      return { channels, more: true };
    },
    /** The channel of an ID; undefined for one that the app cannot see. */
    async findChannel(id: string): Promise<SlackChannel | undefined | Failed> {
      const result = await ask('conversations.info', { channel: id });
      if ('failure' in result) return result;
      const { answer } = result;
      if (!answer.ok) return answer.error === 'channel_not_found' ? undefined : rejected(answer);
      return channelOf(answer.channel)[0];
    },
    /** The user with an address; undefined if there is none. */
    async findUser(email: string): Promise<{ id: string; name: string } | undefined | Failed> {
      const result = await ask('users.lookupByEmail', { email });
      if ('failure' in result) return result;
      const { answer } = result;
      if (!answer.ok) return answer.error === 'users_not_found' ? undefined : rejected(answer);
      const { id, name, deleted, is_bot: isBot } = (answer.user ?? {}) as Record<string, unknown>;
      if (typeof id !== 'string' || deleted === true || isBot === true) return undefined;
      return { id, name: typeof name === 'string' ? name : id };
    },
  };
}

// 4,000 channels: later ones are found by their ID.
const MAX_PAGES = 20;

const rejected = ({ error }: SlackAnswer): Failed =>
  failureOf('target', `Slack rejected the request (${/^[a-z_]{1,60}$/.exec(error ?? '')?.[0] ?? 'no reason'}).`);

function channelOf(value: unknown): SlackChannel[] {
  const { id, name, is_private: isPrivate, is_member: isMember } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  return [{ id, name, private: isPrivate === true, member: isMember === true }];
}

function cursorOf({ response_metadata: metadata }: SlackAnswer): string {
  const { next_cursor: cursor } = (metadata ?? {}) as Record<string, unknown>;
  return typeof cursor === 'string' ? cursor : '';
}
