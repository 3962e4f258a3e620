import { type RoleId, roleIds } from '@sightline/contract/core/permissions.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  defaultCadence,
  defaultNotificationChannels,
  defaultNotificationSeverity,
  type NotificationChannel,
  type NotificationChannelMatrix,
  notificationChannels,
  notificationTypeNames,
} from '@sightline/contract/delivery/notification-types.ts';
import type {
  Cadence,
  NotificationDefaults,
  NotificationSettings,
  OwnNotificationSettings,
} from '@sightline/contract/delivery/notifications.ts';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';

type ChannelOverrides = Partial<Record<string, Partial<Record<NotificationChannel, boolean>>>>;

/** The default settings of each role. */
export async function listDefaults(tx: Tx, orgId: string): Promise<{ role: RoleId; settings: NotificationDefaults }[]> {
  const rows = await tx.db.selectFrom('notification_default').selectAll().where('org_id', '=', orgId).execute();
  return roleIds.map((role) => {
    const row = rows.find(({ role_id }) => role_id === role);
    return {
      role,
      settings: {
        matrix: overrideChannels(defaultNotificationChannels(role), row?.matrix as ChannelOverrides | undefined),
        minSeverity:
          severities[row?.min_severity ?? severities.indexOf(defaultNotificationSeverity)] ??
          defaultNotificationSeverity,
        cadence: (row?.cadence as Cadence | null | undefined) ?? defaultCadence,
        locked: row?.locked ?? false,
      },
    };
  });
}

/** The effective settings of a member, with the defaults of the role. */
export async function findSettings(tx: Tx, { orgId, accountId, roleId }: Actor): Promise<OwnNotificationSettings> {
  const { settings: role } = (await listDefaults(tx, orgId)).find((one) => one.role === roleId) ?? {
    settings: {
      matrix: defaultNotificationChannels(roleId),
      minSeverity: defaultNotificationSeverity,
      cadence: defaultCadence,
      locked: false,
    },
  };
  const { locked, ...defaults } = role;
  const row = await tx.db
    .selectFrom('notification_setting')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const account = await tx.db.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirst();
  const digest = await tx.db
    .selectFrom('notification_digest')
    .select('due_at')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const own = locked ? undefined : row;
  return {
    matrix: overrideChannels(defaults.matrix, own?.matrix as ChannelOverrides | undefined),
    minSeverity:
      own?.min_severity == null ? defaults.minSeverity : (severities[own.min_severity] ?? defaults.minSeverity),
    cadence: (own?.cadence as Cadence | null | undefined) ?? defaults.cadence,
    repositories: row?.repositories ?? null,
    quietHours:
      row?.quiet_from == null || row.quiet_until == null
        ? null
        : { from: clockOf(row.quiet_from), until: clockOf(row.quiet_until) },
    timezone: row?.timezone ?? 'UTC',
    sendEmpty: row?.send_empty ?? false,
    locked,
    defaults,
    email: account?.email ?? '',
    nextMailAt: digest?.due_at.toISOString() ?? null,
  };
}

const overrideChannels = (
  matrix: NotificationChannelMatrix,
  overrides: ChannelOverrides | undefined,
): NotificationChannelMatrix =>
  Object.fromEntries(
    notificationTypeNames.map((type) => [type, { ...matrix[type], ...overrides?.[type] }]),
  ) as NotificationChannelMatrix;

/** The channels that differ from `base`. Only these are stored, so that all others follow the role. */
export const differences = (
  matrix: NotificationSettings['matrix'],
  base: NotificationChannelMatrix,
): ChannelOverrides =>
  Object.fromEntries(
    notificationTypeNames.flatMap((type) => {
      const [channels, defaults] = [matrix[type], base[type]];
      const differing = notificationChannels.filter((channel) => channels[channel] !== defaults[channel]);
      return differing.length === 0
        ? []
        : [[type, Object.fromEntries(differing.map((channel) => [channel, channels[channel]]))]];
    }),
  );

const clockOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** '22:30' as minutes of the day. */
export const minuteOf = (clock: string): number => {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};
