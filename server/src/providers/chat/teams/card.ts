import type { ChatContent, ChatPost } from '../chat.ts';
import { oneLine, shortened } from '../send.ts';

/**
 * Escapes a text for the Markdown of Adaptive Cards, in which `[text](url)` is a link, `{{DATE(…)}}` a function and
 * `<at>` a mention.
 */
const cardText = (text: string, max: number): string =>
  shortened(oneLine(text), max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/([\\`*_{}[\]()#+\-.!|~])/g, '\\$1')
    // A workflow replaces expressions such as @{…} and ${…} before Teams reads the Markdown.
    .replaceAll(/([@$])(?=\\?\{)/g, '$1\u2060');

/** An Adaptive Card 1.4, which every client of Teams supports. Buttons are links: what they lead to needs a sign-in. */
export function cardOf({ content, organization }: ChatPost): object {
  const { title, lines, link, label } = partsOf(content, organization);
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: title,
    body: [textBlock(title, { weight: 'Bolder', size: 'Medium' }), ...lines],
    actions: [{ type: 'Action.OpenUrl', title: label, url: new URL(link).href }],
    msteams: { width: 'Full' },
  };
}

const partsOf = (content: ChatContent, organization: string) => {
  const of = cardText(organization, 100);
  if ('test' in content) {
    const { link } = content.test;
    return { title: `This is a test: messages of ${of} arrive here\\.`, lines: [], link, label: 'Open Sightline' };
  }
  if ('digest' in content) {
    const { total, counts, worst, link } = content.digest;
    return {
      title: `${total} notifications from ${of}`,
      lines: [
        ...counts.map(({ label, count }) => textBlock(`${count} × ${cardText(label, 100)}`, { spacing: 'None' })),
        textBlock('Most severe:', { spacing: 'Medium' }),
        ...worst.map((one) =>
          textBlock(`${one.severity}: [${cardText(one.title, 150)}](${linkOf(one.link)})`, { spacing: 'None' }),
        ),
      ],
      link,
      label: 'Open notifications',
    };
  }
  const { title, body, label, severity, link } = content.notification;
  return {
    title: cardText(title, 300),
    lines: [
      ...(body === '' ? [] : [textBlock(cardText(body, 500))]),
      textBlock(`${cardText(label, 100)} · ${severity} · ${of}`, { isSubtle: true, size: 'Small' }),
    ],
    link,
    label: 'Open in Sightline',
  };
};

const linkOf = (link: string): string => new URL(link).href.replaceAll('(', '%28').replaceAll(')', '%29');

const textBlock = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
