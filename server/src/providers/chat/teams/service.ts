import type { ChatService } from '../chat.ts';
import { failureOf, sendRequest } from '../send.ts';
import { cardOf } from './card.ts';

export const service: ChatService = {
  name: 'teams',
  title: 'Microsoft Teams',
  permissions: [
    { name: 'Workflow URL', reason: 'Posts cards in the channel or chat of the workflow. It cannot read anything.' },
  ],
  async post(outbound, _api, { to }, post) {
    const answer = await sendRequest(outbound, 'Microsoft Teams', to, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({
        type: 'message',
        attachments: [
          { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: cardOf(post) },
        ],
      }),
    });
    if ('failure' in answer) return answer;
    const { status } = answer;
    if (status >= 200 && status < 300) return { thread: null };
    if (status === 404 || status === 410) {
      return failureOf('gone', 'The workflow was deleted. Create another one in Teams and enter its URL here.');
    }
    if (status === 401 || status === 403) {
      return failureOf('target', 'The workflow rejects the URL. Copy it again in Teams and replace it here.');
    }
    if (status === 400) {
      return failureOf(
        'target',
        'The workflow rejects the message. It may be turned off in Teams, or its owner may have left.',
      );
    }
    if (status === 413) return failureOf('post', 'The workflow rejects the message as too large.');
    return failureOf('target', `Microsoft Teams responded with status ${status}.`);
  },
};
