import { renderPage } from '#core/pages/frame.ts';
import { type Html, html } from '#core/pages/html.ts';
import type { OutboxMail } from './queries.ts';

/** The page of emails as text with clickable links; each also links to its HTML version. */
export const outboxPage = (mails: readonly OutboxMail[]): string =>
  renderPage({
    title: 'Local outbox',
    wide: true,
    body: html`<h1>Local outbox</h1>
<p class="lead">No mail server is configured, so emails are stored here instead of being sent. This page is not available in production and updates every two seconds.</p>
${mails.length === 0 && html`<p class="lead">No emails.</p>`}
${mails.map(mailOf)}`,
  });

/** The page of one email, as its recipient sees it. */
export const mailPage = ({ recipient, subject, html: body, sentAt }: OutboxMail): string =>
  renderPage({
    title: subject,
    wide: true,
    body: html`<h1>${subject}</h1>
<article class="mail">
<p class="meta">To ${recipient}, ${timeOf(sentAt)}. <a href="/outbox">All emails</a></p>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${body}" title="${subject}"></iframe>
</article>`,
  });

const timeOf = (sentAt: Date): Html =>
  html`<time datetime="${sentAt.toISOString()}">${sentAt.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;

const mailOf = ({ id, recipient, subject, text, sentAt }: OutboxMail): Html => html`<article class="mail">
<h2>${subject}</h2>
<p class="meta">To ${recipient}, ${timeOf(sentAt)}</p>
<pre>${linked(text)}</pre>
<p><a href="/outbox/${id}">View as recipient</a></p>
</article>`;

const linked = (text: string): Html[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (/^https?:/.test(part) ? html`<a href="${part}">${part}</a>` : html`${part}`));
