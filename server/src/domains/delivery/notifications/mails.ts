import { linkTo } from '#core/organization-link.ts';
import { type Html, html } from '#core/pages/html.ts';
import { renderMail } from '#core/pages/mail.ts';
import type { MailMessage } from '#providers/mail.ts';
import { tallyWords } from './notification-text.ts';

export interface DigestItem {
  title: string;
  titles: string;
  body: string;
  link: string;
  count: number;
  tally: number[] | null;
}

interface Digest {
  email: string;
  orgId: string;
  organization: string;
  /** The listed notifications; further ones are only counted in `waiting`. */
  items: readonly DigestItem[];
  waiting: number;
  cadence: string;
  url: string;
}

/** The email with the pending notifications of a member. */
export function digestMail({ email, orgId, organization, items, waiting, cadence, url }: Digest): MailMessage {
  const to = (path: string) => linkTo(url, path, orgId);
  const [first] = items;
  const more = waiting - items.length;
  const subject =
    first === undefined
      ? `No new notifications from ${organization}`
      : waiting === 1
        ? `${titleOf(first)} · ${organization}`
        : `${waiting} notifications from ${organization}`;
  const message =
    first === undefined
      ? `No new notifications. This email confirms that notifications work.`
      : waiting === 1
        ? 'New notifications:'
        : `New notifications, most severe first:`;
  return renderMail(email, subject, {
    head: headOf(organization),
    before: [message],
    list: items.map((item) => ({ title: titleOf(item), note: noteOf(item), link: to(item.link) })),
    action: more > 0 ? `Show all ${waiting}` : 'Open notifications',
    link: to('/notifications'),
    after: [
      ...(more > 0 ? [`${more} more are not listed here.`] : []),
      `You get this ${names[cadence] ?? ''}email as a member of ${organization}. Notification preferences: ${to('/notification/settings')}`,
    ],
  });
}

const names: Record<string, string> = { hourly: 'hourly ', daily: 'daily ', weekly: 'weekly ' };

/** The title for the number of merged notifications. */
export const titleOf = ({ title, titles, count }: Pick<DigestItem, 'title' | 'titles' | 'count'>): string =>
  count === 1 ? title : titles.replace('{count}', new Intl.NumberFormat('en-GB').format(count));

export const noteOf = ({ body, tally }: Pick<DigestItem, 'body'> & { tally: readonly number[] | null }): string =>
  [tally ? tallyWords(tally) : '', body].filter((part) => part !== '').join(' · ');

const headOf = (organization: string): Html =>
  html`<p style="margin:0 0 4px;font-size:18px;font-weight:600">Sightline</p><p style="margin:0 0 24px;color:#5a6472">${organization}</p>`;
