import type { Message } from '#providers/mail.ts';
import { type Html, html } from './html.ts';

export interface MailContent {
  /** Above the text: whom it comes from. The product's own name unless given. */
  head?: Html;
  before: readonly string[];
  /** Words on the button. */
  action: string;
  link: string;
  after: readonly string[];
}

/** A mail in the product's design, as text and as HTML: paragraphs, a button, paragraphs. */
export function mailOf(to: string, subject: string, { head, before, action, link, after }: MailContent): Message {
  const paragraph = (text: string): Html => html`<p style="margin:0 0 16px">${text}</p>`;
  const button =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#1f52c4;color:#ffffff;font-weight:600;text-decoration:none';
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:15px/22px system-ui,sans-serif;color:#1c2024">
<div style="max-width:480px;margin:0 auto">
${head ?? html`<p style="margin:0 0 24px;font-size:18px;font-weight:600">Sightline</p>`}
${before.map(paragraph)}
<p style="margin:0 0 24px"><a style="${button}" href="${link}" target="_blank">${action}</a></p>
${after.map(paragraph)}
</div></body></html>`;
  const text = [...before, `${action}: ${link}`, ...after].join('\n\n');
  return { to, subject, text: `${text}\n`, html: body.markup };
}
