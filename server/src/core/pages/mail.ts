import type { MailMessage } from '#providers/mail.ts';
import { type Html, html } from './html.ts';

export interface MailContent {
  /** The sender above the text; the product name by default. */
  head?: Html;
  before: readonly string[];
  /** List items below the text, each with its own link. */
  list?: readonly { title: string; note: string; link: string }[];
  /** Lines that must not be reformatted, such as signed content. */
  exact?: string;
  /** The label of the button. */
  action: string;
  link: string;
  after: readonly string[];
}

/** An email in the product design, as text and as HTML: paragraphs, a list, a button, paragraphs. */
export function renderMail(
  to: string,
  subject: string,
  { head, before, list = [], exact, action, link, after }: MailContent,
): MailMessage {
  const paragraph = (text: string): Html => html`<p style="margin:0 0 16px">${text}</p>`;
  const item = (entry: (typeof list)[number]): Html =>
    html`<p style="margin:0 0 12px;padding:0 0 12px;border-bottom:1px solid #e4e7ec"><a style="color:#1f52c4;font-weight:600;text-decoration:none" href="${entry.link}" target="_blank">${entry.title}</a>${entry.note !== '' && html`<br><span style="color:#5a6472">${entry.note}</span>`}</p>`;
  const button =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#1f52c4;color:#ffffff;font-weight:600;text-decoration:none';
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:15px/22px system-ui,sans-serif;color:#1c2024">
<div style="max-width:480px;margin:0 auto">
${head ?? html`<p style="margin:0 0 24px;font-size:18px;font-weight:600">Sightline</p>`}
${before.map(paragraph)}
${list.map(item)}
${exact !== undefined && html`<pre style="margin:0 0 16px;padding:12px;border:1px solid #e4e7ec;border-radius:6px;font:12px/18px ui-monospace,monospace;white-space:pre-wrap;word-break:break-all">${exact}</pre>`}
<p style="margin:0 0 24px"><a style="${button}" href="${link}" target="_blank">${action}</a></p>
${after.map(paragraph)}
</div></body></html>`;
  const items = list.map((entry) => [entry.title, entry.note, entry.link].filter((line) => line !== '').join('\n'));
  const text = [...before, ...items, ...(exact === undefined ? [] : [exact]), `${action}: ${link}`, ...after].join(
    '\n\n',
  );
  return { to, subject, text: `${text}\n`, html: body.markup };
}
