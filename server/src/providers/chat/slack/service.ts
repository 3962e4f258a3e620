import type { ChatFailure, ChatService } from '../chat.ts';
import { failureOf } from '../send.ts';
import { callSlack } from './call.ts';
import { slackPermissions } from './manifest.ts';
import { slackMessageOf } from './text.ts';

export const service: ChatService = {
  name: 'slack',
  title: 'Slack',
  permissions: slackPermissions,
  async post(outbound, api, { to, token }, post) {
    const result = await callSlack(outbound, api, token, {
      method: 'chat.postMessage',
      body: {
        channel: to,
        ...slackMessageOf(post),
        // Slack drops a second message with the same ID: an attempt whose response was lost can be repeated.
        client_msg_id: post.id,
        unfurl_links: false,
        unfurl_media: false,
        ...(post.thread !== null && { thread_ts: post.thread }),
      },
    });
    if ('failure' in result) return result;
    const { ok, error, ts } = result.answer;
    if (ok) return { thread: post.thread ?? (typeof ts === 'string' ? ts : null) };
    return postFailureOf(error ?? 'unknown_error', post.thread !== null);
  },
};

/** What an error of `chat.postMessage` concerns, and its remedy. */
function postFailureOf(error: string, isReply: boolean): { failure: ChatFailure } {
  if (
    isReply &&
    (error === 'thread_not_found' || error === 'cannot_reply_to_message' || error === 'message_not_found')
  ) {
    return failureOf('thread', 'The thread was deleted.');
  }
  const known = targetErrors[error];
  if (known !== undefined) return failureOf('target', known);
  if (postErrors.includes(error)) return failureOf('post', `Slack rejected the message (${error}).`);
  return failureOf('target', `Slack rejected the message (${error}).`, {
    isUnclear: error === 'internal_error' || error === 'fatal_error' || error === 'service_unavailable',
  });
}

const targetErrors: Readonly<Record<string, string>> = {
  channel_not_found:
    'The channel does not exist, or is private and the app was removed from it. Invite the app to the channel.',
  not_in_channel: 'The app is not in the channel. Invite it there with: /invite @Sightline',
  is_archived: 'The channel is archived. Restore it in Slack, or remove it here.',
  restricted_action: 'A setting of the Slack workspace prevents the app from posting in this channel.',
  restricted_action_read_only_channel: 'The channel is read-only. Allow the app to post in it.',
  user_not_found: 'This person does not exist in the Slack workspace.',
  cannot_dm_bot: 'This person does not exist in the Slack workspace.',
  messages_tab_disabled: 'The app does not show its messages tab. Update it from the manifest.',
};

const postErrors = ['msg_too_long', 'no_text', 'invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'];
