import { permissionScopeOf, type RoleId } from '../core/permissions.ts';
import type { Severity } from '../core/severities.ts';
import type { NotificationDefinition } from './notification-types/definition.ts';
import { deliveryNotifications } from './notification-types/deliveries.ts';
import { evidenceNotifications } from './notification-types/evidence.ts';
import { memberNotifications } from './notification-types/members.ts';
import { sourceNotifications } from './notification-types/sources.ts';
import { vulnerabilityNotifications } from './notification-types/vulnerabilities.ts';
import { waiverNotifications } from './notification-types/waivers.ts';

/** Channels that each user chooses. An organization chooses its webhooks and chat channels. */
export const notificationChannels = ['inApp', 'mail', 'slack', 'teams'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** Every notification type. Names are permanent: settings and stored notifications contain them. */
export const notificationTypes = {
  ...vulnerabilityNotifications,
  ...waiverNotifications,
  ...evidenceNotifications,
  ...sourceNotifications,
  ...deliveryNotifications,
  ...memberNotifications,
} as const;

export type NotificationType = keyof typeof notificationTypes;
/** What happened, as facts of a type. */
export type NotificationFacts = {
  [Type in NotificationType]: { type: Type } & Parameters<(typeof notificationTypes)[Type]['text']>[0];
}[NotificationType];

export const notificationTypeNames = Object.keys(notificationTypes) as [NotificationType, ...NotificationType[]];

export const notificationTypeDefinition = (type: NotificationType): NotificationDefinition => notificationTypes[type];

/** Whether a member with a role can ever be notified. */
export function canReceiveNotification(role: RoleId, type: NotificationType): boolean {
  const { audience, names, whole } = notificationTypeDefinition(type);
  if (audience === null || names) return true;
  const reach = permissionScopeOf(role, audience);
  return reach === 'all' || (reach === 'own' && !whole);
}

export type NotificationChannelMatrix = Record<NotificationType, Record<NotificationChannel, boolean>>;

/** The defaults of a role. */
export function defaultNotificationChannels(role: RoleId): NotificationChannelMatrix {
  const cells = notificationTypeNames.map((type) => {
    const { mails, spares, audience } = notificationTypeDefinition(type);
    const mail = audience === null || mails.includes(role);
    return [type, { inApp: !spares?.includes(role), mail, slack: false, teams: false }];
  });
  return Object.fromEntries(cells) as NotificationChannelMatrix;
}

/** Findings of a lower severity send no notification by default. */
export const defaultNotificationSeverity: Severity = 'medium';
export const defaultCadence = 'daily';
