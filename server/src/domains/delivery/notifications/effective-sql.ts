import { type RoleId, roleIds } from '@sightline/contract/core/permissions.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import {
  defaultCadence,
  defaultNotificationChannels,
  defaultNotificationSeverity,
  type NotificationChannel,
} from '@sightline/contract/delivery/notification-types.ts';

/** The built-in defaults by role, type and channel. */
export const builtInDefaults = JSON.stringify(
  Object.fromEntries(roleIds.map((role): [RoleId, object] => [role, defaultNotificationChannels(role)])),
);

/**
 * The possible recipients in organization `$1` with their effective settings: their own, unless their role is locked; else
 * those of the role; else the built-in ones.
 */
export const recipientsSql = `
  select m.account_id, m.role_id, s.repositories,
    case when d.locked then null else s.matrix end as own_matrix, d.matrix as role_matrix,
    coalesce(case when not coalesce(d.locked, false) then s.min_severity end, d.min_severity, ${severities.indexOf(defaultNotificationSeverity)}) as threshold,
    coalesce(case when not coalesce(d.locked, false) then s.cadence end, d.cadence, '${defaultCadence}') as cadence,
    coalesce(s.timezone, 'UTC') as timezone, s.quiet_from, s.quiet_until, coalesce(s.send_empty, false) as send_empty
  from member m
  left join notification_setting s on s.org_id = $1 and s.account_id = m.account_id
  left join notification_default d on d.org_id = $1 and d.role_id = m.role_id
  where m.org_id = $1 and m.status <> 'deactivated'`;

/** Whether a channel is enabled for a type and recipient `p`. `defaultsParameter`: the parameter with the built-in defaults. */
export const channelEnabledSql = (type: string, channel: NotificationChannel, defaultsParameter: string): string =>
  `coalesce(p.own_matrix->${type}->>'${channel}', p.role_matrix->${type}->>'${channel}', ${defaultsParameter}::jsonb->p.role_id->${type}->>'${channel}')::boolean`;
