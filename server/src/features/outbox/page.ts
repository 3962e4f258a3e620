import { frame } from '#core/pages/frame.ts';
import { type Html, html } from '#core/pages/html.ts';
import type { OutboxMail } from './queries.ts';

/** The mails as text with their links live; what the recipient would see is one click away. */
export const outboxPage = (mails: readonly OutboxMail[]): string =>
  frame({
    title: 'Local outbox',
    wide: true,
    body: html`<h1>Local outbox</h1>
<p class="lead">No mail server is set up, so mails stay here instead of leaving this machine. This page exists outside production only.</p>
${mails.length === 0 && html`<p class="lead">No mail yet. This page looks again every two seconds.</p>`}
${mails.map(mailOf)}`,
  });

const mailOf = ({ recipient, subject, text, html: body, sentAt }: OutboxMail): Html => html`<article class="mail">
<h2>${subject}</h2>
<p class="meta">To ${recipient}, <time datetime="${sentAt.toISOString()}">${sentAt.toISOString().slice(0, 19).replace('T', ' ')} UTC</time></p>
<pre>${linked(text)}</pre>
<details><summary>As the recipient sees it</summary><iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${body}" title="${subject}"></iframe></details>
</article>`;

const linked = (text: string): Html[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (/^https?:/.test(part) ? html`<a href="${part}">${part}</a>` : html`${part}`));
