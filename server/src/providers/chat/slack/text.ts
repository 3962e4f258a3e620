import type { ChatContent, ChatNotification, ChatPost } from '../chat.ts';
import { oneLine, shortened } from '../send.ts';

// Slack allows 3,000 characters in a text.
const TITLE_CHARACTERS = 300;
const BODY_CHARACTERS = 500;

/** Escapes a text for the markup of Slack, in which `<!channel>` is a mention and `<https://…|…>` a link. */
const slackText = (text: string, max: number): string =>
  shortened(oneLine(text), max).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * The `text` for notices, with markup, and the `blocks` for the channel: elements of rich text are literal, so that no
 * text becomes a mention, a link or formatting. Buttons are links: what they lead to needs a sign-in.
 */
export function slackMessageOf({ content, organization }: ChatPost): { text: string; blocks: object[] } {
  if ('test' in content) {
    const text = `This is a test: messages of ${oneLine(organization)} arrive here.`;
    return {
      text: slackText(text, TITLE_CHARACTERS),
      blocks: [rich(line(text)), button('Open Sightline', content.test.link)],
    };
  }
  if ('digest' in content) return digestOf(content, organization);
  const { notification } = content;
  return {
    text: slackText(notification.title, TITLE_CHARACTERS),
    blocks: [
      rich(...linesOf(notification)),
      context(notification, organization),
      button('Open in Sightline', notification.link),
    ],
  };
}

function digestOf({ digest }: Extract<ChatContent, { digest: unknown }>, organization: string) {
  const { total, counts, worst, link } = digest;
  const title = `${total} notifications from ${oneLine(organization)}`;
  return {
    text: slackText(title, TITLE_CHARACTERS),
    blocks: [
      rich(
        line(title, { bold: true }),
        list(counts.map(({ label, count }) => [literal(`${count} × ${label}`, 150)])),
        line('Most severe:'),
        list(worst.map((one) => [literal(`${one.severity}: `, 20), linkTo(one)])),
      ),
      button('Open notifications', link),
    ],
  };
}

const linesOf = ({ title, body }: ChatNotification) => [
  {
    type: 'rich_text_section',
    elements: [
      literal(title, TITLE_CHARACTERS, { bold: true }),
      ...(body === '' ? [] : [{ type: 'text', text: '\n' }, literal(body, BODY_CHARACTERS)]),
    ],
  },
];

const literal = (text: string, max: number, style?: { bold: true }) => ({
  type: 'text',
  // An empty element is an error.
  text: shortened(oneLine(text), max) || ' ',
  ...(style && { style }),
});
const linkTo = ({ title, link }: ChatNotification) => ({
  type: 'link',
  url: new URL(link).href,
  text: shortened(oneLine(title), 150) || 'Notification',
});
const line = (text: string, style?: { bold: true }) => ({
  type: 'rich_text_section',
  elements: [literal(text, TITLE_CHARACTERS, style)],
});
const list = (items: readonly object[][]) => ({
  type: 'rich_text_list',
  style: 'bullet',
  elements: items.map((elements) => ({ type: 'rich_text_section', elements })),
});
const rich = (...elements: object[]) => ({ type: 'rich_text', elements });
const context = ({ label, severity }: ChatNotification, organization: string) => ({
  type: 'context',
  elements: [
    { type: 'plain_text', emoji: false, text: shortened(oneLine(`${label} · ${severity} · ${organization}`), 300) },
  ],
});
const button = (label: string, url: string) => ({
  type: 'actions',
  elements: [{ type: 'button', text: { type: 'plain_text', text: label }, url: new URL(url).href, action_id: 'open' }],
});
