import { boundedText, commaList } from '@sightline/contract/core/text.ts';
import { type Notification, notificationType } from '@sightline/contract/delivery/notifications.ts';
import { z } from 'zod';

export const inboxViews = ['inbox', 'unread', 'saved', 'archived'] as const;
export type InboxView = (typeof inboxViews)[number];

/** The query in the address. */
export const inboxQuery = z.object({
  view: z.enum(inboxViews).default('inbox'),
  search: boundedText(200).trim().default(''),
  types: commaList(notificationType),
});
export type InboxQuery = z.output<typeof inboxQuery>;

/** Converts a view to API filters. */
export const inboxFilterOf = ({ view, search, types }: InboxQuery) => ({
  search,
  types,
  ...(view === 'saved' && { saved: 'true' as const }),
  ...((view === 'unread' || view === 'archived') && { status: view }),
});

/** Whether a notification still matches a view after a change. Unread ones remain until the next visit. */
export const isInView = (view: InboxView, { status, saved }: Notification): boolean =>
  view === 'saved' ? saved : view === 'archived' ? status === 'archived' : status !== 'archived';
