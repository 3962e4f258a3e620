import { severities } from '@sightline/contract/core/severities.ts';
import type { NotificationContent, TextContext } from '@sightline/contract/delivery/notification-types/definition.ts';
import { type NotificationType, notificationTypeDefinition } from '@sightline/contract/delivery/notification-types.ts';
import type { NewNotification } from './commands.ts';

/** A notification as users read it. */
export interface NotificationText extends Required<NotificationContent> {
  type: NotificationType;
  /** Index of its severity. */
  severity: number;
  /** Timeline events behind it, the newest last. */
  events: readonly string[];
}

export function wordsOf(notification: NewNotification, nameOf: TextContext['nameOf']): NotificationText {
  const { severity, text } = notificationTypeDefinition(notification.type);
  const content = text(notification as never, { nameOf });
  return {
    type: notification.type,
    severity: severities.indexOf(severity),
    events: notification.events ?? [],
    titles: content.title,
    body: '',
    icon: null,
    repositoryId: null,
    thread: null,
    count: 1,
    tally: null,
    authors: [],
    assigned: [],
    ...content,
  };
}

/** The number of each severity, such as `2 critical, 1 high`; empty for none. */
export const tallyWords = (tally: readonly number[]): string =>
  severities.flatMap((name, index) => (tally[index] ? [`${tally[index]} ${name}`] : [])).join(', ');
