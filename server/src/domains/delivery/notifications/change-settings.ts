import { type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  defaultCadence,
  defaultNotificationChannels,
  defaultNotificationSeverity,
  type NotificationChannel,
  notificationChannels,
} from '@sightline/contract/delivery/notification-types.ts';
import type {
  NotificationDefaults,
  NotificationSettings,
  OwnNotificationSettings,
} from '@sightline/contract/delivery/notifications.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueDigests } from './deliver.ts';
import { scheduleDigests } from './digests.ts';
import { differences, findSettings, listDefaults, minuteOf } from './find-settings.ts';
import { lockDelivery } from './lock.ts';

/** Stores the settings of a member. 409 if they differ from the locked settings of the role. */
export function updateSettings(
  services: Services,
  actor: Actor,
  settings: NotificationSettings,
): Promise<OwnNotificationSettings> {
  const { orgId, accountId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    await checkTimezone(tx, settings.timezone);
    const repositories = await ownRepositories(tx, orgId, settings.repositories);
    // Prevents a change of the role's defaults between the comparison and the update.
    await lockDelivery(tx, orgId);
    const { locked, defaults } = await findSettings(tx, actor);
    const matrix = differences(settings.matrix, defaults.matrix);
    const differs = settings.minSeverity !== defaults.minSeverity || settings.cadence !== defaults.cadence;
    if (locked && (differs || Object.keys(matrix).length > 0)) {
      throw Conflict(
        'An Account Owner manages the notifications of your role. You can change only quiet hours and repositories.',
      );
    }
    const { quietHours } = settings;
    const role = {
      matrix: JSON.stringify(matrix),
      min_severity: settings.minSeverity === defaults.minSeverity ? null : severities.indexOf(settings.minSeverity),
      cadence: settings.cadence === defaults.cadence ? null : settings.cadence,
    };
    const row = {
      // Keeps the member's own settings for when the role is unlocked.
      ...(!locked && role),
      repositories,
      quiet_from: quietHours && minuteOf(quietHours.from),
      quiet_until: quietHours && minuteOf(quietHours.until),
      timezone: settings.timezone,
      send_empty: settings.sendEmpty,
      updated_at: new Date(),
    };
    await tx.db
      .insertInto('notification_setting')
      .values({ org_id: orgId, account_id: accountId, ...row })
      .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doUpdateSet(row))
      .execute();
    await scheduleDigests(tx, orgId, accountId);
    if (settings.cadence === 'instant') await queueDigests(services, tx, orgId, new Date(Date.now() + 61_000));
    tx.afterCommit(() => services.realtime.notifyAccount(accountId, 'notificationsChanged', {}));
    return findSettings(tx, actor);
  });
}

/** Stores the default settings of a role. */
export function updateDefaults(
  { database, people }: Services,
  actor: Actor,
  role: RoleId,
  settings: NotificationDefaults,
): Promise<{ role: RoleId; settings: NotificationDefaults }> {
  const { orgId } = actor;
  return database.withOrg(orgId, async (tx) => {
    await lockDelivery(tx, orgId);
    const before = await findDefaults(tx, orgId, role);
    const row = {
      matrix: JSON.stringify(differences(settings.matrix, defaultNotificationChannels(role))),
      min_severity:
        settings.minSeverity === defaultNotificationSeverity ? null : severities.indexOf(settings.minSeverity),
      cadence: settings.cadence === defaultCadence ? null : settings.cadence,
      locked: settings.locked,
      updated_at: new Date(),
    };
    await tx.db
      .insertInto('notification_default')
      .values({ org_id: orgId, role_id: role, ...row })
      .onConflict((conflict) => conflict.columns(['org_id', 'role_id']).doUpdateSet(row))
      .execute();
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: 'notification.defaults_changed',
        subject: { kind: 'organization', id: orgId },
        data: { role: roleNames[role], before: auditDataOf(before.settings), after: auditDataOf(settings) },
      },
    });
    return findDefaults(tx, orgId, role);
  });
}

async function findDefaults(tx: Tx, orgId: string, role: RoleId) {
  const found = (await listDefaults(tx, orgId)).find((one) => one.role === role);
  if (!found) throw new Error(`There are no defaults for ${role}`);
  return found;
}

const auditDataOf = ({ matrix, minSeverity, cadence, locked }: NotificationDefaults) => ({
  minSeverity,
  cadence,
  locked,
  ...Object.fromEntries(Object.entries(matrix).map(([type, channels]) => [type, describeChannels(channels)])),
});

const channelWords: Record<NotificationChannel, string> = {
  inApp: 'in the product',
  mail: 'by mail',
  slack: 'in Slack',
  teams: 'in Microsoft Teams',
};

const describeChannels = (enabled: Record<NotificationChannel, boolean>) =>
  notificationChannels
    .filter((channel) => enabled[channel])
    .map((channel) => channelWords[channel])
    .join(' and ') || 'not at all';

/** PostgreSQL calculates due times, so it must know the time zone. */
async function checkTimezone(tx: Tx, timezone: string): Promise<void> {
  const [known] = await tx.query({
    name: 'notifications.timezone',
    text: 'select from pg_timezone_names where name = $1',
    values: [timezone],
  });
  if (!known) throw Invalid('timezone', 'is not a known time zone, such as Europe/Berlin');
}

async function ownRepositories(tx: Tx, orgId: string, ids: readonly string[] | null): Promise<string[] | null> {
  if (ids === null) return null;
  const rows = await tx.query<{ id: string }>({
    name: 'notifications.repositories',
    text: 'select id from repository where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, ids],
  });
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) throw Invalid('repositories', `contains an unknown repository (${unknown})`);
  return rows.map(({ id }) => id);
}
