import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { roleIds } from '../core/permissions.ts';
import { severity } from '../core/severities.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { notificationTypeNames } from './notification-types.ts';

export const notificationType = z.enum(notificationTypeNames);

export const notificationStatuses = ['unread', 'read', 'archived'] as const;
export const notificationStatus = z.enum(notificationStatuses);
export type NotificationStatus = z.infer<typeof notificationStatus>;

/** Maximum number of timeline events per notification, newest first. */
export const MAX_NOTIFICATION_EVENTS = 20;

/** Why the recipient is notified: as an owner, author or requester, by permission, or because it is about them. */
export const notificationReasons = ['owner', 'author', 'subscribed', 'mention', 'assigned', 'rule'] as const;

export const notification = z.object({
  id: z.string(),
  orgId: z.string(),
  type: notificationType,
  severity,
  title: z.string(),
  body: z.string(),
  /** Path of this site. */
  link: z.string(),
  icon: z.string().nullable(),
  reason: z.enum(notificationReasons),
  /** Repeated notifications with the same key increase `count` while unread. */
  scopeKey: z.string(),
  count: z.number().int(),
  status: notificationStatus,
  /** Saved for later and never deleted automatically. */
  saved: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
  readAt: timestamp.nullable(),
  actor: z.object({ id: z.string().nullable(), name: z.string(), picture: z.string().nullable() }).nullable(),
  subject: z.object({ kind: z.string(), ident: z.string() }),
  /**
   * The timeline events of the notification, newest last, at most `MAX_NOTIFICATION_EVENTS`. Only findings, waivers, tools
   * and members have events; a waiver that is about to expire has none. Events beyond their retention are omitted.
   */
  eventIds: z.array(z.string()),
});
export type Notification = z.infer<typeof notification>;

/** Read and archived notifications are deleted after this number of days. Saved ones are kept. */
export const NOTIFICATION_RETENTION_DAYS = 90;

const base = { scope: 'organization', permission: 'read:org', flag: 'notificationSystem' } as const;

/** The value of `next` from an earlier response. */
const cursor = boundedText(100).regex(/^[\w-]+$/, { error: 'is not a cursor of this list' });
const page = z.object({ items: z.array(notification), next: z.string().nullable() });
export type NotificationPage = z.infer<typeof page>;

const limit = z.coerce.number().int().min(1).max(50).default(20);
const filters = {
  search: boundedText(200).trim().default(''),
  cursor: cursor.optional(),
};

/** The four operations of the namespace `/notifications`, by name. REST has the same inputs and outputs. */
export const listOperation = z
  .strictObject({
    /** Default: all except archived. */
    status: notificationStatus.optional(),
    types: z.array(notificationType).max(50).default([]),
    saved: z.boolean().default(false),
    limit: z.int().min(1).max(50).default(20),
    ...filters,
  })
  .prefault({});
export type ListNotifications = z.output<typeof listOperation>;

export const changeStatusOperation = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(500), status: notificationStatus }),
  z.strictObject({ all: z.literal(true), status: z.enum(['read', 'archived']) }),
]);
export type ChangeStatus = z.output<typeof changeStatusOperation>;

export const searchOperation = z.strictObject({
  /** In the query language of Explore, limited to the qualifiers of notifications. */
  query: boundedText(2048).trim(),
  limit: z.int().min(1).max(50).default(20),
  cursor: cursor.optional(),
});
export type SearchNotifications = z.output<typeof searchOperation>;

export const listNotifications = endpoint({
  method: 'GET',
  path: '/v2/notifications',
  summary: 'Lists the notifications of the caller, newest first, from a cursor.',
  ...base,
  query: z.strictObject({
    status: notificationStatus.optional(),
    types: commaList(notificationType),
    saved: z.enum(['true', 'false']).default('false'),
    limit,
    ...filters,
  }),
  topics: ['notifications'],
  response: page,
});

export const countNotifications = endpoint({
  method: 'GET',
  path: '/v2/notifications/count',
  summary: 'Returns the number of unread notifications of the caller.',
  ...base,
  polled: true,
  topics: ['notifications'],
  response: z.object({ count: z.number().int() }),
});

export const changeNotifications = endpoint({
  method: 'POST',
  path: '/v2/notifications/status',
  summary: 'Marks notifications as read, unread or archived, by ID or all unread ones.',
  ...base,
  body: changeStatusOperation,
  // The inbox is updated before the response, and the server announces the change to other clients.
  changes: [],
  response: z.object({
    updated: z.number().int(),
    /** Current number of unread notifications. */
    unread: z.number().int(),
  }),
});

export const searchNotifications = endpoint({
  method: 'GET',
  path: '/v2/notifications/search',
  summary: 'Finds notifications by a query in the language of Explore.',
  ...base,
  query: z.strictObject({
    query: boundedText(2048).trim().default(''),
    limit,
    cursor: cursor.optional(),
  }),
  response: page,
  errors: ['query_invalid', 'query_too_complex'],
});

export const saveNotification = endpoint({
  method: 'PUT',
  path: '/v2/notifications/:notificationId/saved',
  summary: 'Saves or unsaves a notification.',
  ...base,
  params: z.strictObject({ notificationId: z.uuid() }),
  body: z.strictObject({ saved: z.boolean() }),
  status: 204,
  // The inbox is updated before the response, and the server announces the change to other clients.
  changes: [],
  response: z.null(),
});

export const cadences = ['instant', 'hourly', 'daily', 'weekly'] as const;
export const cadence = z.enum(cadences);
export type Cadence = z.infer<typeof cadence>;

const channels = z.strictObject({
  inApp: z.boolean(),
  mail: z.boolean(),
  /** Messages to the member, once they linked their Slack user or a workflow of Microsoft Teams. */
  slack: z.boolean().default(false),
  teams: z.boolean().default(false),
});
/** All types with their channels. */
const matrix = z.record(notificationType, channels);
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 22:00' });

const shared = {
  matrix,
  /** Findings with a lower severity cause no notification. */
  minSeverity: severity,
  cadence,
};

const personal = z.strictObject({
  ...shared,
  /** Only notifications about these repositories; null for all visible ones. */
  repositories: z.array(z.uuid()).max(1000).nullable(),
  /** No email is sent between these times of day. */
  quietHours: z.strictObject({ from: clock, until: clock }).nullable(),
  timezone: boundedText(64).min(1),
  /** Whether to send daily and weekly emails without content. */
  sendEmpty: z.boolean(),
});
export type NotificationSettings = z.infer<typeof personal>;

const readOnly = z.object({
  /** The settings of the role apply: channels, threshold and frequency cannot be changed. */
  locked: z.boolean(),
  /** The values without personal settings. */
  defaults: z.object(shared),
  /** The recipient of emails. */
  email: z.string(),
  /** Time of the next pending email, if any. */
  nextMailAt: timestamp.nullable(),
});

const settings = personal.extend(readOnly.shape);
export type OwnNotificationSettings = z.infer<typeof settings>;

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/v2/notifications/settings',
  summary: 'Returns the notification preferences of the caller.',
  ...base,
  topics: ['notificationSettings'],
  response: settings,
});

export const updateNotificationSettings = endpoint({
  method: 'PUT',
  path: '/v2/notifications/settings',
  summary:
    'Updates the notification preferences of the caller. Preferences that the role locks must stay unchanged. Read-only fields are ignored.',
  ...base,
  body: personal.extend(readOnly.partial().shape),
  changes: ['notificationSettings'],
  response: settings,
  errors: ['conflict'],
});

const roleDefaults = z.strictObject({ ...shared, locked: z.boolean() });
export type NotificationDefaults = z.infer<typeof roleDefaults>;
const owners = { scope: 'organization', permission: 'update:org', flag: 'notificationSystem' } as const;

export const listNotificationDefaults = endpoint({
  method: 'GET',
  path: '/v2/notifications/defaults',
  summary: 'Returns the default notification preferences of each role.',
  ...owners,
  reads: true,
  topics: ['notificationSettings'],
  response: z.array(z.object({ role: z.enum(roleIds), settings: roleDefaults })),
});

export const updateNotificationDefaults = endpoint({
  method: 'PUT',
  path: '/v2/notifications/defaults/:role',
  summary:
    'Updates the default notification preferences of a role. If locked, members with this role cannot change them.',
  ...owners,
  params: z.strictObject({ role: z.enum(roleIds) }),
  body: roleDefaults,
  changes: ['notificationSettings'],
  response: z.object({ role: z.enum(roleIds), settings: roleDefaults }),
});
